"""A paper's folder: a study's text, and everything needed to compute its numbers.

    mixed paper commons_quota export.zip --output paper

writes

    paper.md          Methods and Results, filled in from the plan and the data
    report.html       the whole report, as a supplement
    tables/, figures/, paper/   its tables (CSV, LaTeX, HTML for Word) and figures
    data.zip          the plan's sessions without personal data, as an export
    codebook.md       every column of the data
    study.json        the plan, and the faults in the export that the data come from
    seal.json         the plan's seal, if it was sealed
    excluded.csv      excluded groups, if there are any
    again.py          script that rebuilds all files from data.zip, study.json, seal.json and
                      excluded.csv (`SOURCES`)
    requirements.txt  the libraries that the script needs, with their versions

    notation   numbers and tests in journal notation, and escaped texts
    methods    the Methods
    rules      the rules of the games in the Methods
    results    the Results
    over_space the parts of the Methods and the Results about a space of designs

Everything is computed from data.zip, so no file contains personal data, and the same folder always
produces the same bytes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from mixed_company import files
from mixed_company.analysis import audit, reading, report
from mixed_company.analysis.audit import Audit, wording
from mixed_company.analysis.audit.wording import UNCHECKED, Original
from mixed_company.analysis.data import Data
from mixed_company.analysis.files import opened
from mixed_company.analysis.paper import methods, results
from mixed_company.analysis.paper.notation import plain
from mixed_company.analysis.planned import status, tested
from mixed_company.analysis.report import excluded, planned
from mixed_company.analysis.report.contents import Contents, contents
from mixed_company.analysis.report.excluded import Excluded
from mixed_company.analysis.writing import headers, save_anonymous
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import sealing
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Content, Seal, games_of
from mixed_company.table.export import Anonymous
from mixed_company.table.export.describing import file_of

__all__ = ["DATA", "Study", "again", "collected", "digest_of", "made", "read"]

DATA = "data.zip"
STUDY, SEAL, EXCLUDED = "study.json", "seal.json", "excluded.csv"
SOURCES = (DATA, EXCLUDED, SEAL, STUDY)
"""The files from which all other files are made. Not every folder has exclusions or a seal."""
SIMULATED = (
    "**The data are simulated: policies played in place of people. Nothing in this text is about "
    "what people did.**"
)
_AGAIN = "again.py"
_LIBRARIES = ("matplotlib", "numpy", "pandas", "scipy", "statsmodels")


@dataclass(frozen=True)
class Study:
    """A plan, with the decisions made about its data.

    name      name of the plan
    content   content of its file (`experiment.sealing.content_of`)
    seal      its seal; None if it was not sealed
    excluded  excluded groups
    original  faults in the export that its data come from
    others    plans of the export's sessions that are not in the data, by session
    audits    audits of its data file, if it was audited before
    """

    name: str
    content: Content
    seal: Seal | None
    excluded: Sequence[Excluded] = ()
    original: Original = UNCHECKED
    others: Mapping[str, Any] = field(default_factory=dict)
    audits: Sequence[Audit] = ()

    @property
    def planned(self) -> Content:
        """Content of the seal or, without one, of the plan's file."""
        return self.content if self.seal is None else self.seal.content

    @property
    def plan(self) -> Plan:
        """The sealed plan or, without a seal, the plan in the file."""
        return Plan.model_validate(self.planned["plan"])


def collected(
    study: Study,
    export: str | Path,
    path: Path,
    key: bytes = b"",
    say: Callable[[str], object] = lambda line: None,
) -> Study:
    """Write a study's data to `path`, without personal data. Return the study with people's new
    codes and the export's faults. `say` is called with each line of `mixed check`, which uses the
    server's key.

    If the export is already anonymous, keeps no texts, and is a file without faults, it is copied.
    The key for the codes is a sha256 of the manifest's list of tables and the participants' codes,
    so the same export produces the same codes, and only somebody who has the export can compute
    them.

    Raises ExportError. Raises ConfigError if the export has no session of the plan, or has personal
    data although it says that it has none.
    """
    games = tested.loaded(export, study.name, study.plan, games_of(study.planned))
    if not len(games[0].config):
        raise ConfigError(f"{export}: no group of plan {study.name!r} has started to play")
    for data in games:
        if "outcomes" in data.unread:
            file = file_of(data.game_id, "outcomes")
            raise ConfigError(f"{export}: {file} cannot be read, but a paper needs it")
    tables, seals, faults, audits = wording.checked(export, key)
    for line in (*tables, *seals):
        say(line)
    others = {code: {"plan": entry.get("plan")} for code, entry in games[0].other_sessions.items()}
    study = replace(study, original=faults, others=others)
    if faults.personal:
        rule = "claims to have no personal data, but contains values that are not codes"
        raise ConfigError(f"{export}: {rule}")
    manifest = opened(export).manifest
    is_anonymous = manifest.get("anonymous") is True and manifest.get("left_out") != []
    if is_anonymous and Path(export).is_file() and not faults.count:
        path.write_bytes(Path(export).read_bytes())
        return replace(study, audits=audits)
    secret = [games[0].manifest["tables"], games[0].outcomes["participant"].tolist()]
    key = hashlib.sha256(json.dumps(secret).encode()).digest()
    plain = [replace(data, names={}) for data in games]
    save_anonymous(plain, reading.participants(export)[0], path, key)
    code = Anonymous(key).code
    rows = [replace(row, participant=code(row.participant)) for row in study.excluded]
    faults = faults.without(_personal(games), _people(export), code)
    return replace(study, excluded=tuple(rows), original=faults)


def _personal(games: Sequence[Data]) -> set[str]:
    """Return the names of all columns that contain personal data."""
    listed = [column for data in games for table in headers(data).values() for column in table]
    return {column.name for column in listed if column.personal is not None}


def _people(export: str | Path) -> set[str]:
    """Return the codes of all participants in an export, including participants in other plans."""
    frame, _ = reading.participants(export)
    if frame is not None:
        return set(map(str, frame["participant"]))
    tables = [reading.load(export, game).outcomes for game in opened(export).games]
    return {str(code) for table in tables for code in table["participant"]}


def made(study: Study, path: Path, progress: bool = False) -> dict[str, str | bytes]:
    """Return all files of the folder except the data file, by name; `path` is the data file.

    Raises the same errors as `report.files`, `planned.of_plan` and `excluded.table`.
    """
    data, *others = tested.loaded(path, study.name, study.plan, games_of(study.planned))
    audits = study.audits or audit.audits(path, progress=progress)
    checked = wording.of_data(audits, [data, *others])
    data = replace(data, other_sessions=study.others)
    rows = excluded.rows_of(data, study.excluded)
    part = planned.of_plan(
        data, study.plan, study.content, study.seal, others, (), study.excluded, study.original
    )
    whole = contents(
        data,
        main=report.of_plan(data, part),
        file=DATA,
        plan=part,
        excluded=rows,
        progress=progress,
        sources=study.original.sources,
        audits=checked,
    )
    sealed, plan = study.planned, study.plan
    early = None if study.seal is None else status.before_data(data, study.seal)
    when = status.arrival(early, study.original.absent)
    why_not = status.reason(data, study.seal, study.original)
    about = _about(study)
    digest = digest_of({**about, DATA: path.read_bytes()})
    text = [
        f"<!-- Made by mixed paper from {STUDY} and {DATA}. -->",
        *([SIMULATED] if whole.rehearsed else []),
        *methods.paragraphs(sealed, study.seal, when, why_not, data.manifest),
        _data(study.original, digest),
        *results.paragraphs(whole, plan),
        _lists(whole),
    ]
    return {
        "paper.md": "\n\n".join(text) + "\n",
        **about,
        "codebook.md": opened(path).read("codebook.md"),
        **report.rendered(whole),
    }


def digest_of(contents: Mapping[str, str | bytes]) -> str:
    """Return the digest of a paper's folder: the sha256 of the lines that `sha256sum` prints for
    its `SOURCES`. `contents` are its files by name."""
    lines = [
        f"{hashlib.sha256(_encoded(contents[name])).hexdigest()}  {name}\n"
        for name in SOURCES
        if name in contents
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _data(source: Original, digest: str) -> str:
    """Return the part of the Methods about the data: the export they come from, and the folder's
    digest."""
    return " ".join(
        [
            f"## Data\n\nEverything is computed from `{DATA}` and the other files that `{_AGAIN}` "
            f"reads. Their digest is {digest}; `{_AGAIN}` prints it.",
            *([plain(line) for line in source.sources] or [_NO_EXPORT]),
        ]
    )


_NO_EXPORT = f"`{STUDY}` does not say which export the data come from."


def _lists(whole: Contents) -> str:
    """Return the captions of all figures, with their file names."""
    figures = [
        f"- Figure {number}. {plain(figure.title)}. {plain(figure.words)} "
        f"(`figures/{figure.name}.pdf`)"
        for number, figure in enumerate(whole.drawn, 1)
    ]
    return "\n".join(["# Figures\n", *figures])


def _about(study: Study) -> dict[str, str | bytes]:
    """Return the files that `read` restores the study from, and the script that rebuilds the
    folder."""
    about = {
        "plan": study.name,
        "content": study.content,
        "original": asdict(study.original),
        "others": study.others,
    }
    content: dict[str, str | bytes] = {
        STUDY: _json(about),
        _AGAIN: _SCRIPT,
        "requirements.txt": "".join(f"{name}=={version(name)}\n" for name in _LIBRARIES),
    }
    if study.seal is not None:
        content[SEAL] = study.seal.text
    if study.excluded:
        text = io.StringIO()
        table = csv.DictWriter(text, list(asdict(study.excluded[0])), lineterminator="\n")
        table.writeheader()
        table.writerows(asdict(row) for row in study.excluded)
        content[EXCLUDED] = text.getvalue()
    return content


def _json(value: Any) -> str:
    return json.dumps(value, indent=2) + "\n"


# -- again, from the folder alone ------------------------------------------------------------------

_SCRIPT = '''"""Rebuild every file of this folder: python again.py FOLDER

The new files go to FOLDER. The exit code is 0 if they have the same bytes as the files here, and
there are no other files here; 1 if there is a difference; 2 if the files cannot be made. Compare
the digest that the script prints with the published one: it differs if anybody changed the data and
rebuilt every file. The script needs mixed-company[analysis] in the version that paper.md states,
and the libraries in requirements.txt.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path

parser = ArgumentParser(description="Rebuild every file of this folder.")
parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder for the new files")
output = parser.parse_args().folder
try:
    from mixed_company.analysis.paper import again
    from mixed_company.cli.refusal import guarded

    code = guarded(lambda: again(Path(__file__).resolve().parent, output))
except ModuleNotFoundError as error:
    install = "install mixed-company[analysis] in the version that paper.md states, and then"
    rule = f"{install} the libraries in requirements.txt"
    print(f"again.py needs {error.name}, which is not installed: {rule}", file=sys.stderr)
    code = 2
sys.exit(code)
'''


def read(folder: Path) -> Study:
    """Return a folder's study. Raises ConfigError if there is none or if its seal was changed."""
    try:
        study = json.loads((folder / STUDY).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{folder}: not a folder written by `mixed paper`: {error}") from None
    parts = ("content", "original", "others")
    study = {"original": {}, "others": {}, **study} if isinstance(study, dict) else {}
    if type(study.get("plan")) is not str or any(type(study.get(key)) is not dict for key in parts):
        rule = f"should contain a string, plan, and the objects {', '.join(parts)}"
        raise ConfigError(f"{folder / STUDY}: {rule}")
    file = folder / SEAL
    seal = sealing.read(file, study["plan"]) if file.is_file() else None
    sealing.checked(folder / STUDY, study["content"])
    if any(type(plan) is not dict for plan in study["others"].values()):
        raise ConfigError(f"{folder / STUDY}: others: should contain an object for each session")
    file = folder / EXCLUDED
    rows = excluded.read(file) if file.is_file() else ()
    faults = study["original"]
    try:
        faults |= {key: tuple(faults[key]) for key in ("problems", "absent") if key in faults}
        original = Original(**faults)
    except TypeError as error:
        raise ConfigError(f"{folder / STUDY}: original: {error}") from None
    listed = (*original.problems, *original.absent)
    if type(original.count) is not int or any(type(line) is not str for line in listed):
        rule = "should contain a whole number, count, and sentences"
        raise ConfigError(f"{folder / STUDY}: original: {rule}")
    return Study(study["plan"], study["content"], seal, rows, original, study["others"])


def again(folder: Path, output: Path) -> int:
    """Rebuild a folder's files from its data, in the `output` folder."""
    data = folder / DATA
    if folder.resolve().is_relative_to(output.resolve()):
        raise ConfigError(f"{output}: should not be the paper's own folder or contain it")
    listed = list(_others(folder))
    with files.prepared(output) as place:
        assert place is not None  # noqa: S101  there is a folder
        new = {**made(read(folder), data), DATA: data.read_bytes()}
        files.written(output, place, new)
    different = [name for name in new if _bytes(folder / name) != _bytes(output / name)]
    unknown = _unknown(listed, {*new, *_inside(folder, output, new)})
    for name in different:
        print(f"differs: {name}")
    for name in unknown:
        print(f"not a file of the paper: {name}")
    print(f"{len(new) - len(different)} of {len(new)} files are the same.")
    print(f"digest: {digest_of(new)}")
    return 1 if different or unknown else 0


def _others(folder: Path) -> Iterator[PurePosixPath]:
    """Yield the relative paths of all files, links and empty folders in a folder."""
    for file in sorted(folder.rglob("*")):
        if file.is_symlink() or not file.is_dir() or not any(file.iterdir()):
            yield PurePosixPath(file.relative_to(folder).as_posix())


def _inside(folder: Path, output: Path, names: Iterable[str]) -> list[str]:
    """Return the paths of the output folder and of its new files, relative to the paper's folder;
    empty if the output folder is elsewhere."""
    place = output.resolve()
    if not place.is_relative_to(folder.resolve()):
        return []
    base = PurePosixPath(place.relative_to(folder.resolve()).as_posix())
    return [str(base), *(str(base / name) for name in names)]


def _unknown(listed: Iterable[PurePosixPath], files_made: Collection[str]) -> list[str]:
    """Return the paths that are not in `files_made`. If a subfolder has none of these files, only
    the subfolder is named."""
    folders = {parent for name in files_made for parent in PurePosixPath(name).parents}
    return list(
        dict.fromkeys(
            next(
                (str(part) for part in (*reversed(path.parents), path) if part not in folders),
                str(path),  # a link in place of a folder of the paper
            )
            for path in listed
            if str(path) not in files_made
        )
    )


def _bytes(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None
