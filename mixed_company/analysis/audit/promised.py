"""Compare an export with the plans of its sessions, which are read from a folder.

For every session with a plan, the manifest has the digest of the plan's text, the payments, the
treatments' digests and order, and how people are assigned and matched from block to block.
`digests` compares these with what was played. This module compares them with `plans/NAME.seal.json`
or, without a seal, with `plans/NAME.toml`. If a plan has no seal, only its text is compared,
because a session can be created with other settings. A rehearsal's treatments are not compared,
because its thinking times differ.

Nothing that was played depends on a plan's name or text, so a note names every other seal in the
folder with the treatments that a session played.

If the manifest has no digests or payments, as from earlier releases, they are computed from
`config`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from mixed_company.analysis.audit.way import plan_of, seed_of
from mixed_company.analysis.data import Problem
from mixed_company.analysis.files import Export, ExportError, Lines, opened
from mixed_company.analysis.types import TableError, array_of
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.experiment import reading
from mixed_company.experiment.blocks import Course, blocks_of_plays
from mixed_company.experiment.checking import MONEY
from mixed_company.experiment.digests import (
    blocks_of,
    has_server,
    label,
    of_treatment,
    parts_of,
    played_rules,
    read,
)
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import different, orders_of, path_of, sealed
from mixed_company.experiment.sealing import read as read_seal
from mixed_company.experiment.treatments import seed_from
from mixed_company.table.export.archive import MANIFEST
from mixed_company.table.export.column import iso
from mixed_company.table.export.describing import file_of
from mixed_company.table.export.participants import PARTICIPANTS
from mixed_company.table.stored import digest_of

NO_ORDER = (
    "does not fix the order of the treatments, and the direction of each test depends on that order"
)
_KEYS = ("order", "money", "assignment", *Course.model_fields)


def not_as_planned(
    path: str | Path, folder: Path, name: str = "", required: bool = False
) -> list[Problem]:
    """Return the differences between each session's plan and the plan with that name in this
    folder, a note for every plan that is not in the folder, and a note for every other seal with
    the same treatments.

    With `name`, only that plan is compared; if it is `required`, at least one session must have it.
    Raises ConfigError if a seal was changed or a plan cannot be read, UnknownName if there is no
    plan with that name.
    """
    export = opened(path)
    manifest, plans = export.manifest, _plans(export.manifest)
    if required and name not in [plan.get("name") for plan in plans.values()]:
        return [Problem("differs", f"sessions: no session has the plan {name!r}", MANIFEST)]
    problems, absent, lacking = [], dict[str, None](), dict[str, None]()
    for session, plan in plans.items():
        if name and plan.get("name") != name:
            continue
        planned = _planned(str(plan.get("name", "")), folder)
        if planned is None:
            absent[str(plan.get("name", ""))] = None
            continue
        entry = _completed(plan, session, export)
        for message in _differing(entry, *planned, bool(manifest.get("rehearsed"))):
            sentence = f"sessions: {session}: plan: {message}"
            problems.append(Problem("differs", sentence, MANIFEST, session))
        problems += _of_orders(planned[0].get("orders", {}), plan, session, export)
        if not manifest.get("rehearsed"):
            problems += _of_seed(planned[0].get("seed"), session, export)
        if named := [phrase for key, phrase in _LATER.items() if key not in plan]:
            lacking[f"plan {plan.get('name', '')}: {' and '.join(named)} {_NOT_COMPARED}"] = None
    sentences = [
        *(_absent(plan, folder) for plan in absent),
        *lacking,
        *others_sealed(path, folder, name),
    ]
    return [*problems, *(Problem("unknown", sentence) for sentence in sentences)]


def _plans(manifest: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the manifest's entry for the plan of each session that has a plan."""
    sessions = manifest.get("sessions") or {}
    plans = {str(session): plan_of(manifest, session) for session in sessions}
    return {session: plan for session, plan in plans.items() if plan is not None}


def others_sealed(path: str | Path, folder: Path, name: str = "") -> list[str]:
    """Return a sentence for each seal in the folder from which a session of an export could also
    have been created; with `name`, only for sessions of that plan."""
    export = opened(path)
    sentences = [
        sentence
        for session, plan in _plans(export.manifest).items()
        if name in ("", plan.get("name"))
        for sentence in _alike(plan, session, export, folder)
    ]
    return list(dict.fromkeys(sentences))


def _alike(plan: Mapping[str, Any], session: str, export: Export, folder: Path) -> Iterator[str]:
    """Yield a sentence for each seal of another plan with all treatments that a session played."""
    file = f"{plan.get('name', '')}.seal.json"
    others = [path for path in sorted(folder.glob("*.seal.json")) if path.name != file]
    played = {digest for _, digest in _played(plan, session, export)} if others else set()
    for path in others:
        try:
            seal = read_seal(path, path.name.removesuffix(".seal.json"))
        except ConfigError:
            continue
        if played and played <= {*parts_of(seal.content)["digests"].values()}:
            yield (
                f"plan {plan.get('name', '')}: {path}, sealed {seal.sealed}, has the same "
                f"treatments; only the server's key proves from which plan a session was created"
            )


def when_sealed(path: str | Path, folder: Path) -> list[Problem]:
    """Return a note for every sealed plan of the export's sessions, with the time of the seal and
    the time when the first participant was assigned to a treatment.

    If nobody changed these times, they show whether the plan was sealed before there were data.
    Raises ConfigError for an invalid seal.
    """
    export = opened(path)
    manifest = export.manifest
    sessions: dict[str, set[str]] = {}
    for session in manifest.get("sessions") or {}:
        if plan := plan_of(manifest, session):
            sessions.setdefault(str(plan.get("name", "")), set()).add(str(session))
    notes = []
    for name, codes in sessions.items():
        seal = sealed(name, folder) if _is_name(name) else None
        if seal is not None:
            when = _when(seal.sealed_ms, export, codes)
            order = "" if seal.order else f"; this seal, from an earlier release, {NO_ORDER}"
            notes.append(Problem("unknown", f"plan {name}: sealed {seal.sealed}, {when}{order}"))
    return notes


def _when(sealed_ms: int, export: Export, sessions: Collection[str]) -> str:
    """Return a phrase that says whether the plan was sealed before the first assignment in these
    sessions."""
    try:
        first = _first_assigned(export, sessions)
    except EngineError as error:
        return (
            f"it is unknown whether before or after the first participant was assigned, because "
            f"{error}"
        )
    if first is None:
        return "no participant has a time of assignment"
    early = "before" if first >= sealed_ms else "after"
    return f"{early} its first participant was assigned, {iso(first)}"


def _first_assigned(export: Export, sessions: Collection[str]) -> int | None:
    """Return the time of the first assignment in these sessions, in ms, or the start of a play if
    that was earlier; None if no time is known.

    Raises ExportError or TableError if a time cannot be read. The times are read as floats, because
    a whole number can be written as 1.0 or 1e0 in a table.
    """
    people = file_of("", PARTICIPANTS)
    outcomes = [file_of(game, "outcomes") for game in export.games]
    files = [people] if people in export.files else outcomes
    rows = [row for file in files for row in _all_rows(export, file)]
    cells = [
        cell
        for row in rows
        if row.get("session") in sessions
        for name, cell in row.items()
        if cell and (name == "assigned_ms" or name.startswith("began_ms_"))
    ]
    times = [float(time) for time in array_of("assigned_ms", cells, "real")]
    for place, (cell, time) in enumerate(zip(cells, times, strict=True)):
        if not time.is_integer():
            raise TableError("assigned_ms", place, f"{cell!r:.60} is not a whole number")
    return min(map(int, times), default=None)


def _all_rows(export: Export, file: str) -> list[dict[str, str]]:
    """Return the rows of a table as untyped values. Raises ExportError if a row cannot be read."""
    try:
        lines = Lines(export.read(file))
        rows = [dict(zip(lines.header, row, strict=True)) for _, row in lines]
    except ExportError as error:
        raise ExportError(f"{file} {error}") from None
    if lines.ragged:
        raise ExportError(f"{file} has rows with more or fewer values than its header")
    return rows


def _is_name(name: str) -> bool:
    """Return whether a folder can contain a plan with this name: file systems allow names of up to
    255 bytes, including the suffix of the seal's file name."""
    fits = 0 < len(name.encode(errors="replace")) <= 240
    return fits and name.isprintable() and Path(name).name == name


def _absent(name: str, folder: Path) -> str:
    if not _is_name(name):
        return f"no plan can have the name {name!r:.60}, so its {_PARTS} {_COULD_NOT}"
    seal = path_of(name, folder)
    return (
        f"neither {seal} nor {folder / name}.toml exists, so the {_PARTS} of plan {name!r} "
        f"{_COULD_NOT}"
    )


_PARTS = "treatments, payments, assignment and matching"
_COULD_NOT = "could not be compared with the plan"


def _planned(name: str, folder: Path) -> tuple[dict[str, Any], list[str], str] | None:
    """Return the entries that the manifest should have, the possible digests of the plan's text,
    and a phrase that says where these come from; None if the plan is not in the folder."""
    if not _is_name(name):
        return None
    if (seal := sealed(name, folder)) is not None:
        text = seal.content["plan"]
        again = Plan.trusted(text).model_dump(mode="json")  # the text as this release writes it
        rule = f"as sealed in {path_of(name, folder)}"
        orders = {
            label(name, block): dict(orders_of(held))
            for block, treatments in blocks_of(seal.content).items()
            for name, held in treatments.items()
        }
        parts = {**parts_of(seal.content), "seed": text.get("seed"), "orders": orders}
        return parts, [digest_of(text), digest_of(again)], rule
    if name not in reading.names(folder):
        return None
    plan = reading.find(name, folder)
    parts = {"order": list(plan.treatments), "assignment": plan.assignment, "seed": plan.seed}
    if plan.blocks:
        parts |= {key: getattr(plan, key) for key in Course.model_fields}
    rule = f"as in {folder / name}.toml, which is not sealed: somebody changed one of the two"
    return parts, [digest_of(plan.model_dump(mode="json"))], rule


def _of_orders(
    planned: Mapping[str, Mapping[str, list[str]]],
    plan: Mapping[str, Any],
    session: str,
    export: Export,
) -> Iterator[Problem]:
    """Yield a problem for each treatment whose groups could choose the same rules as planned, or
    whose questions have the same languages, but in a different order (`sealing.orders_of`)."""
    unlike: dict[str, None] = {}
    for row in _groups(export, session):
        name = _label(plan, row)
        for place, order in orders_of(played_rules(row)):
            should = planned.get(name, {}).get(place, order)
            if order != should and sorted(order) == sorted(should):
                sentence = f"the order of {place} is {', '.join(order)}, but the sealed order is"
                unlike[f"treatment {name}: {sentence} {', '.join(should)}"] = None
    for message in unlike:
        yield Problem("differs", f"sessions: {session}: plan: {message}", MANIFEST, session)


def _label(plan: Mapping[str, Any], row: Mapping[str, str]) -> str:
    """Return the name of a group's treatment in its block."""
    play = row.get("block", "")
    return label(row.get("treatment", ""), str(blocks_of_plays(plan).get(play, play)))


def _of_seed(planned: int | None, session: str, export: Export) -> Iterator[Problem]:
    """Yield a problem if a session's seed does not follow from the plan's seed."""
    if planned is None:
        return
    expected = seed_from(planned, session)
    seeds = {seed_of(row.get("config")) for row in _groups(export, session)}
    for seed in sorted(str(seed) for seed in seeds if str(seed) != expected):
        message = f"its seed is {seed}, but the plan's seed = {planned} leads to {expected}"
        yield Problem("differs", f"sessions: {session}: plan: {message}", MANIFEST, session)


_LATER = {"plan": "the text of the plan", "order": "the order of its treatments"}
_NOT_COMPARED = "could not be compared, because the export does not contain it"


def _completed(plan: Mapping[str, Any], session: str, export: Export) -> Mapping[str, Any]:
    """Return a plan's entry in the manifest. If it has no digests or payments, take them from the
    session's groups."""
    if {"digests", "money"} <= plan.keys():
        return plan
    digests, money = dict[str, str](), dict[str, Any]()
    for name, digest in _played(plan, session, export):
        digests[name] = digest if digests.setdefault(name, digest) == digest else _SEVERAL
    for row in _groups(export, session):
        for key, column in zip(MONEY, ("participation_fee", "point_value"), strict=True):
            amount = _number(row.get(column, ""))
            money[key] = amount if money.setdefault(key, amount) == amount else _SEVERAL
    return {"digests": digests, **({"money": money} if money else {}), "computed": True, **plan}


_SEVERAL = "several"


def _played(plan: Mapping[str, Any], session: str, export: Export) -> Iterator[tuple[str, str]]:
    """Yield the name and digest of each group's treatment in a session."""
    for row in _groups(export, session):
        play, treatment = row.get("block", ""), row.get("treatment", "")
        block = str(blocks_of_plays(plan).get(play, play))
        yield label(treatment, block), of_treatment(treatment, block, played_rules(row))


def _groups(export: Export, session: str) -> Iterator[dict[str, str]]:
    """Yield a session's rows in `config`, except simulated groups. Other parts of the audit report
    unreadable files."""
    for game in export.games:
        for row in _rows(export, file_of(game, "config")):
            if row.get("session") == session and has_server(read(row.get("options"))):
                yield row


def _rows(export: Export, file: str) -> list[dict[str, str]]:
    """Return the rows of a table as untyped values; [] if it cannot be read."""
    try:
        lines = Lines(export.read(file))
        return [dict(zip(lines.header, row, strict=True)) for _, row in lines]
    except ExportError:
        return []


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _differing(
    plan: Mapping[str, Any], parts: Mapping[str, Any], texts: list[str], rule: str, rehearsed: bool
) -> Iterator[str]:
    """Yield a sentence for each manifest entry that differs from the plan."""
    if "plan" in plan and plan["plan"] not in texts:
        yield f"its text is not {rule}"
    planned = {key: parts[key] for key in _KEYS if key in parts and key in plan}
    here = {key: plan.get(key) for key in planned}
    place = "in config" if "computed" in plan else "in the manifest"
    for line in different(planned, here, ("planned", place)):
        yield f"{line}, which is not {rule}"
    promised, digests = parts.get("digests", {}), plan["digests"]
    expected = () if "computed" in plan else promised  # perhaps not all of them were played
    for treatment in () if rehearsed else dict.fromkeys((*expected, *(promised and digests))):
        if promised.get(treatment) != digests.get(treatment):
            yield f"treatment {treatment} is not {rule}"
