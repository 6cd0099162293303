"""Parts of a report that can be shown under permuted labels.

Parts that name groups, people or their treatments are left out, because they would reveal the true
labels: the pages of groups, the participants, the problems, and the tables about the export and its
treatments. Results by session are also left out, because a session may have only one treatment.
File and table names say that they are blind.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from mixed_company.analysis import games
from mixed_company.analysis.blinding import blinded
from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import kept, keys_of
from mixed_company.analysis.report import excluded as exclusions
from mixed_company.analysis.report.collected import of_measures
from mixed_company.analysis.report.excluded import Excluded
from mixed_company.analysis.report.measured import TWINS, Main, Measured
from mixed_company.analysis.report.over_space import EFFECTS, HELD_OUT, INTERACTIONS
from mixed_company.analysis.report.parts import Figure, Table, function_name
from mixed_company.experiment.sealing import Seal

MARK = "blind_"
"""The prefix of all file names of a blind report."""
SHOWN = (
    *("hypotheses", "hypotheses_means", "hypotheses_of_all", "treatments"),
    "measures_by_treatment",
    *("tests", "pairs", "trends"),
    *("survival", "log_rank", "types", "series", "measures", "both_ways", "behaviour"),
    *("punishing", "regressions"),
    *(EFFECTS, INTERACTIONS, HELD_OUT),
)
LEFT_OUT = (
    "the meanings of treatments, deviations from the plan, sessions, participants, data quality, "
    "descriptions of problems, the export, everything about individual groups and people, and "
    "measures (or their values in a period) for which a label would have exactly the values of one "
    "treatment"
)
WORDS = (
    "Blind: treatment labels are permuted among groups. The number of groups in each treatment is "
    "true, but differences between treatments are not."
)
IN_BLOCKS = (
    "Blind: treatment and block labels are permuted. No difference between treatments or between "
    "blocks is real."
)


def permuted(
    data: Data, seed: int, excluded: Sequence[Excluded] = (), main: Sequence[str] = ()
) -> Data:
    """Permute the labels of all treatments, for data without a plan (`analysis.blinding`). Every
    play is one unit. `main` has the main measures; empty: the game's. Raises the same errors as
    `excluded.table`."""
    able = kept(data).shortened()
    names = tuple(main) or games.find(data.game_id).main
    measured = {*names, *(TWINS.get(name, name) for name in names)}
    without = keys_of(exclusions.table(able, excluded))
    drawn = blinded(able, able.treatments, seed, without=without, measured=measured)
    config = drawn.config.drop(columns="matching_group", errors="ignore")
    return replace(drawn, config=config)


def tables(
    data: Data,
    main: Main,
    played: Data,
    excluded: Sequence[Excluded] = (),
    contest: bool = False,
    rules: Collection[str] | None = None,
) -> dict[str, Table]:
    """Return the tables of measures and treatments for data with permuted labels.

    `played` holds the true data, which determine the main measures.
    """
    title = "Treatments, with permuted labels"
    labels = Table("treatments", title, treatments(data), function_name(treatments))
    measured = of_measures(Measured(data, main, played), excluded, contest, rules)
    return {table.name: table for table in (labels, *measured)}


def treatments(data: Data) -> pd.DataFrame:
    """Return the number of groups with each label."""
    counts = data.groups["treatment"].value_counts().reindex(data.treatments)
    return pd.DataFrame({"treatment": data.treatments, "groups": counts.to_list()})


def kept_tables(tables: Mapping[str, Table]) -> dict[str, Table]:
    """Return the tables that can be shown, with names that mark them as blind.

    The `left_out` column is dropped because it can name sessions and groups.
    """
    kept = {}
    for name, table in tables.items():
        if name in SHOWN:
            frame = table.frame.drop(columns="left_out", errors="ignore")
            kept[name] = replace(table, name=f"{MARK}{table.name}", frame=frame)
    return kept


def in_blocks(data: Data) -> bool:
    """Return whether the same people played several blocks."""
    return "block" in data.config and data.config["block"].nunique() > 1


def words(data: Data) -> str:
    """Return the first screen's warning that labels are permuted."""
    return IN_BLOCKS if in_blocks(data) else WORDS


def without_single(tables: Mapping[str, Table]) -> dict[str, Table]:
    """Return the tables without their rows for individual groups and people, for use in figures
    about blocks.

    These rows could reveal the labels: they are in the order in which blocks were played, and one
    block often has more groups.
    """
    single = ("measures_groups", "measures_people", "measures_periods", "periods_of_people")
    return {
        name: replace(table, frame=table.frame.iloc[:0]) if name in single else table
        for name, table in tables.items()
    }


def kept_figures(figures: Mapping[str, Figure]) -> dict[str, Figure]:
    """Return the figures of the tables that can be shown, with names that mark them as blind."""
    kept = {}
    for name, figure in figures.items():
        shown = tuple(f"{MARK}{table}" for table in figure.tables if table in SHOWN)
        if shown:
            kept[name] = replace(figure, name=f"{MARK}{figure.name}", tables=shown)
    return kept


def manifest(file: str, seed: int, plan: str | None = None, seal: Seal | None = None) -> str:
    """Return the manifest of a blind report as JSON. `plan` is null for a report without a plan.

    Anybody with the seed and the export can reproduce the labels and the report. The seed alone
    reveals nothing.
    """
    about = {
        "blind": True,
        "plan": plan,
        "sealed": None if seal is None else seal.digest,
        "export": file,
        "seed": seed,
        "left_out": LEFT_OUT,
    }
    return json.dumps(about, indent=2) + "\n"
