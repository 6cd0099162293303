"""Scripts in an export that read its tables into R and Stata, with types and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mixed_company.table.export.column import ISO, Column, iso_name

READ_R, READ_DO = "read.R", "read.do"
_LONGEST = 32
"""Maximum length of a name in Stata."""
_QUOTED = str.maketrans({'"': "'", "`": "'", "$": None})
"""Characters that would end a label in Stata or be interpreted as a macro."""

_R = """# Reads all tables of this export: source("read.R"); data <- read_export()
# data$commons_game$decisions is a data frame. Flags are logical, missing values are NA, empty
# strings stay empty. For a time in milliseconds since 1970 (name_ms), name_time is the POSIXct.
# Without a plan, `treatment` is the session config, even if its settings were changed. Therefore
# data$commons_game$config has the column `settings`: groups of a treatment (and block) with the
# same rules and options have the same number.

read_export <- function(folder = ".") {
  book <- read.csv(file.path(folder, "codebook.csv"), colClasses = "character")
  read_table <- function(columns) {
    path <- file.path(folder, columns$game[1], paste0(columns$table[1], ".csv"))
    rows <- read.csv(path, colClasses = "character", na.strings = character(0),
                     check.names = FALSE, encoding = "UTF-8")
    for (i in seq_len(nrow(columns)))
      rows <- typed(rows, columns$column[i], columns$type[i], columns$unit[i])
    rows
  }
  games <- split(book, factor(book$game, unique(book$game)))
  names(games)[names(games) == ""] <- "all"  # the table of all games
  lapply(games, function(game) {
    tables <- lapply(split(game, factor(game$table, unique(game$table))), read_table)
    if (!is.null(tables$config)) tables$config <- with_settings(tables$config)
    tables
  })
}

with_settings <- function(config) {
  # the choice of a group among several rules makes no difference
  rules <- ifelse(config$rules == "", config$config, config$rules)
  played <- paste(gsub('"seed": *[0-9]+', "", rules), config$options)
  config$settings <- rep(1, nrow(config))
  for (rows in split(seq_len(nrow(config)), paste(config$treatment, config$block, sep = ", "))) {
    config$settings[rows] <- match(played[rows], unique(played[rows]))
    if (max(config$settings[rows]) > 1)
      warning("treatment ", config$treatment[rows[1]], " was played with ",
              max(config$settings[rows]), " different settings: see config$settings",
              call. = FALSE)
  }
  config
}

typed <- function(rows, name, type, unit) {
  if (!name %in% names(rows) || type == "text") return(rows)
  # seeds have more digits than a double
  if (name == "seed") return(rows)
  values <- rows[[name]]
  values[values == ""] <- NA
  rows[[name]] <- if (type == "flag") values == "1" else as.numeric(values)
  if (startsWith(unit, "milliseconds since 1970")) {
    time <- sub("_ms", "_time", name, fixed = TRUE)
    rows[[time]] <- as.POSIXct(rows[[name]] / 1000, origin = "1970-01-01", tz = "UTC")
  }
  rows
}
"""


def read_r() -> str:
    """Return read.R, which uses codebook.csv."""
    return _R


def read_do(tables: Mapping[str, Mapping[str, Mapping[str, Column]]]) -> str:
    """Return read.do, which lists every column because names in Stata must be short.

    `tables` contains the tables that have rows.
    """
    return "\n".join(_do(tables)) + "\n"


def _do(tables: Mapping[str, Mapping[str, Mapping[str, Column]]]) -> Iterator[str]:
    yield "* Reads the tables of this export and saves each as a .dta next to it: do read.do"
    yield "* Flags are 1 and 0, empty values are missing; name_time is a %tc time, in UTC."
    yield "* Without a plan, treatment is the session config, even if its settings were changed:"
    yield "* then all groups in a session share settings, so tell treatments apart by session."
    yield "version 16"
    for game, sheets in tables.items():
        for table, columns in sheets.items():
            path = f"{game}/{table}" if game else table
            yield ""
            yield (
                f'import delimited using "{path}.csv", clear varnames(nonames) rowrange(2) '
                'stringcols(_all) encoding("utf-8") bindquote(strict) maxquotedrows(unlimited)'
            )
            names = _short(columns)
            sources = {iso_name(name): names[name] for name in columns if iso_name(name) != name}
            for number, (name, column) in enumerate(columns.items(), 1):
                if column.unit == ISO:
                    yield from _time(f"v{number}", names[name], sources[name])
                else:
                    yield from _column(f"v{number}", names[name], name, column)
            yield f'save "{path}.dta", replace'


def _column(place: str, name: str, whole: str, column: Column) -> Iterator[str]:
    yield f"rename {place} {name}"
    if column.type != "text" and whole != "seed":  # seeds have more digits than a double
        yield f"destring {name}, replace"
    meaning = column.meaning.translate(_QUOTED)
    yield f'label variable {name} "{meaning[:80]}"'


def _time(place: str, name: str, milliseconds: str) -> Iterator[str]:
    """Yield the commands that replace a time's string with a Stata time."""
    yield f"drop {place}"
    yield f'generate double {name} = {milliseconds} + clock("1970-01-01 00:00:00", "YMDhms")'
    yield f"format {name} %tc"


def _short(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return a mapping from column to name for Stata; the names are unique and not too long."""
    short: dict[str, str] = {}
    for number, name in enumerate(columns):
        cut = name[:_LONGEST]
        short[name] = cut if cut not in short.values() else f"{name[: _LONGEST - 5]}_{number}"
    return short
