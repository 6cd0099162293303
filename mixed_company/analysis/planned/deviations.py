"""Deviations from an experiment's sealed plan that the data show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis.audit.promised import NO_ORDER
from mixed_company.analysis.audit.way import plan_of, seed_of
from mixed_company.analysis.audit.wording import UNCHECKED, Original, absent
from mixed_company.analysis.data import GROUP, SEAT, Data
from mixed_company.analysis.entered import bots_entered
from mixed_company.analysis.kept import Group
from mixed_company.analysis.notes import not_ended
from mixed_company.analysis.planned.looks import by_hypotheses, of_hypotheses, played, taken
from mixed_company.analysis.planned.status import (
    CONTRADICTED,
    arrival,
    before_data,
    is_contradicted,
    of_other_plans,
    other_orders,
)
from mixed_company.analysis.treatments import described
from mixed_company.experiment.comparisons import counted
from mixed_company.experiment.digests import label, of_plan, of_treatment, parts_of, played_rules
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal, different
from mixed_company.experiment.treatments import own_seed
from mixed_company.table.export import group_id

Content = Mapping[str, Any]


def deviations(
    data: Data,
    plan: Plan,
    content: Content,
    seal: Seal | None,
    others: Sequence[Data] = (),
    original: Original = UNCHECKED,
    without: Collection[Group] = (),
) -> pd.DataFrame:
    """Return one row per deviation: its subject (`about`) and a sentence about it (`what`).
    Treatments that were not played as planned come first.

    data      the plan's data (`tested.of_plan`) in the game of its first block
    others    the plan's data in the games of its other blocks
    plan      the sealed plan or, without a seal, the plan in its file
    content   current content of the plan's file (`experiment.sealing.content_of`)
    original  the export's faults, and sessions that are missing from it
    without   groups that the plan's exclusions leave out of the tests
    """
    planned = content if seal is None else seal.content
    games = (data, *others)
    rows = [
        *_of_keys(games, planned),
        *(("export", problem) for problem in original.listed),
        *(("export", absent(original.absent)) for _ in original.absent[:1]),
        *_of_names(data, planned, seal),
        *_of_plans(games, planned, seal),
        *_of_seal(data, content, seal),
        *_of_seeds(data, plan),
        *_of_money(data, planned["money"]),
        *_of_looks(games, plan),
        *_of_groups(data, plan),
        *(line for game in games for line in _of_short(game, planned, without)),
        *(line for game in games for line in _of_unfinished(game, without)),
        *(line for game in games for line in _of_bots(game)),
        *(line for game in games for line in _of_manager(game)),
    ]
    return pd.DataFrame(rows, columns=["about", "what"])


Deviation = tuple[str, str]

_OF_REHEARSALS = ("bot_delay", "quiz_tries")
"""Options that a rehearsal itself changes: the bots' delay and the number of quiz attempts, because
policies retry until they pass."""


def rehearsed_with(data: Data) -> list[str]:
    """Return the options that a rehearsal changed, with their values; empty if there was no
    rehearsal."""
    if not data.rehearsed:
        return []
    groups = [options for options in map(described, data.config["options"]) if options]
    pairs = [(key, options[key]) for key in _OF_REHEARSALS for options in groups if key in options]
    return [f"{key} {value}" for key, value in dict.fromkeys(pairs)]


def _of_seal(data: Data, content: Content, seal: Seal | None) -> Iterator[Deviation]:
    if seal is None:
        yield "seal", "the plan was not sealed: nothing in this report is confirmatory"
        return
    if not (early := before_data(data, seal)):
        when = arrival(early, ())
        when = f"but {CONTRADICTED}" if is_contradicted(data, seal) else when
        yield "seal", f"it was sealed {seal.sealed}, {when}: nothing is confirmatory"
    if not seal.order:
        yield "seal", f"the seal, of an earlier release, {NO_ORDER}"
    for place, order in other_orders(data, content, seal).items():
        sealed = ", ".join(seal.content["plan"]["treatments"])
        listed = ", ".join(order)
        yield "seal", f"its plan has the treatments in the order {sealed}, but {place}, {listed}"
    for line in edits(content, seal):
        yield "plan", line


def edits(content: Content, seal: Seal) -> Iterator[str]:
    """Yield a sentence for each change in a plan's file after the plan was sealed. `content` is the
    current content of the file (`experiment.sealing.content_of`)."""
    for line in _once(different(seal.content, content, ("sealed", "now"))):
        yield f"differs from the sealed plan: {line}"


def _once(lines: Iterable[str]) -> Iterator[str]:
    """Yield one line per change. A change in a plan's text also changes the rules of treatments, so
    a second line about the same key and values is shortened to its path, with the values if the
    text lacks one that the rules have.
    """
    also = dict[str, list[str]]()
    firsts: list[tuple[str, list[str], str]] = []
    for line in lines:
        path, _, words = line.partition(": ")
        key, values = path.rpartition(".")[2], words.split(", now ")
        for other, before, first in firsts:
            if other == key and _is_same(before, values):
                also[first].append(path if before == values else f"{path} ({words})")
                break
        else:
            also[line] = []
            firsts.append((key, values, line))
    for line, paths in also.items():
        yield f"{line}; also {', '.join(paths)}" if paths else line


def _is_same(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether two changes have equal values, except where one of them lacks a value."""
    both = [pair for pair in zip(first, second, strict=False) if not {*pair} & {*_ABSENT}]
    return bool(both) and all(len({*pair}) == 1 for pair in both)


_ABSENT = ("sealed nothing", "nothing")


def _of_seeds(data: Data, plan: Plan) -> Iterator[Deviation]:
    """Yield the sessions with a seed that somebody typed in or that does not follow from the plan's
    seed."""
    if data.manifest.get("rehearsed"):
        return
    rows = data.config.drop_duplicates("session")
    for session, config in rows[["session", "config"]].itertuples(index=False):
        expected, seed = own_seed(plan, str(session)), str(seed_of(config))
        if (plan_of(data.manifest, session) or {}).get("seed_by_hand"):
            yield f"session {session}", "its seed was set by hand instead of drawn"
        if expected and seed != expected:
            sentence = f"its seed is {seed}; the plan's seed = {plan.seed} leads to {expected}"
            yield f"session {session}", sentence


def _of_keys(games: Sequence[Data], planned: Content) -> Iterator[Deviation]:
    """Yield the keys that sessions changed and the treatments that are not in the plan, each only
    once, no matter how many sessions, treatments or blocks it concerns.

    A treatment's digest follows from its keys, so a different digest is mentioned only if no key
    explains it.
    """
    places = dict[str, dict[tuple[str, str], None]]()
    for data in games:
        for row in data.config.to_dict("records"):
            key = str(row["session"]), label(str(row["treatment"]), str(row.get("block") or ""))
            for line in _of_row(data, row, planned):
                places.setdefault(line, {})[key] = None
    for line, keys in places.items():
        subjects = sorted({subject for _, subject in keys})
        number = "treatment" if len(subjects) == 1 else "treatments"
        separator = "; " if ", " in "".join(subjects) else ", "  # a block follows a comma
        sessions = sorted({session for session, _ in keys})
        yield _sessions(sessions), f"{number} {separator.join(subjects)}: {line}"


def _of_row(data: Data, row: Mapping[Any, Any], planned: Content) -> Iterator[str]:
    """Yield clauses that say how a group's play differed from the plan."""
    rules = _planned(data, row, planned)
    if rules is None:
        yield "not in the plan"
        return
    actual, block = played_rules(row), str(row.get("block") or "")
    chosen = rules.get("rules", {}).get(str(row.get("rule", "")), {})  # group's choice
    changed = list(different({**rules, **chosen}, actual, ("planned", "played")))
    yield from changed
    expected = of_treatment(row["treatment"], block, rules)
    right = of_treatment(row["treatment"], block, actual)
    if right != expected and not changed:
        yield f"the digest of the rules played is {right:.12}, not the planned {expected:.12}"
    written = row.get("digest")
    if written and written not in (expected, right):
        yield f"the digest in `config` is {written:.12}, not the planned {expected:.12}"


def _sessions(codes: Sequence[str]) -> str:
    return f"session{'' if len(codes) == 1 else 's'} {', '.join(codes)}"


def _of_plans(games: Sequence[Data], planned: Content, seal: Seal | None) -> Iterator[Deviation]:
    """Yield the sessions that were made from another plan. If a digest differs only because of the
    rules played or the payments, it is not another plan; other deviations name these changes.
    """
    data = games[0]
    if data.rehearsed:
        return
    parts = parts_of(planned)
    digest, before = of_plan(parts), of_plan({**parts, "order": []})  # as in earlier releases
    expected = [digest, before] if seal is None else seal.of_plan
    for session, other in of_other_plans(data, expected):
        if other and other not in _as_played(games, session, planned, seal):
            origin = f"was made from a plan with the digest {other:.12}"
            yield f"session {session}", f"{origin}; this plan has {digest:.12}"
        elif not other and seal is not None:
            yield f"session {session}", "the export does not say from which plan it was made"


def _as_played(
    games: Sequence[Data], session: str, planned: Content, seal: Seal | None
) -> list[str]:
    """Return the digests of the plan with the rules that a session played and with the session's
    payments."""
    parts = parts_of(planned)
    digests, money = dict(parts["digests"]), dict(parts["money"])
    for data in games:
        for row in data.config[data.config["session"] == session].to_dict("records"):
            treatment, block = str(row["treatment"]), str(row.get("block") or "")
            digests[label(treatment, block)] = of_treatment(treatment, block, played_rules(row))
            money |= {key: float(row[column]) for key, column in _PAID.items()}
    orders: tuple[list[str], ...] = parts["order"], []
    return [
        of_plan({**parts, "digests": digests, "money": pay, "plan": text, "order": order})
        for text in ([parts["plan"]] if seal is None else seal.of_text)
        for order in orders
        for pay in (parts["money"], money)
    ]


def _of_names(data: Data, planned: Content, seal: Seal | None) -> Iterator[Deviation]:
    """Yield the export's sessions that have this plan's text under another name and are therefore
    not in the data."""
    texts = [parts_of(planned)["plan"]] if seal is None else seal.of_text
    for session, entry in data.other_sessions.items():
        plan = entry.get("plan") or {}
        if plan.get("plan") in texts:
            yield (
                f"session {session}",
                f"was made from this plan's text under the name {plan.get('name')!r}, so "
                "nothing in this report is about it",
            )


def _planned(data: Data, row: Mapping[Any, Any], planned: Content) -> dict[str, Any] | None:
    """Return the planned rules of a group's treatment, with the changes that every rehearsal makes.
    Return None if the plan has no such treatment."""
    blocks = planned.get("blocks", {})
    rules = blocks.get(str(row.get("block") or ""), planned["treatments"]).get(row["treatment"])
    if rules is None:
        return None
    played = played_rules(row)["options"] if data.rehearsed else {}
    changed = {key: played[key] for key in _OF_REHEARSALS if key in played}
    return {**rules, "options": {**rules["options"], **changed}}


_PAID = {
    "participation_fee": "participation_fee",
    "real_world_currency_per_point": "point_value",
}
"""The column of `config` for each payment."""


def _of_money(data: Data, money: Mapping[str, float]) -> Iterator[Deviation]:
    for key, column in _PAID.items():
        if column not in data.config:
            continue  # an export of an earlier release, or a fault that the audit names
        paid = data.config[["session", column]].drop_duplicates()
        for session, value in paid.itertuples(index=False):
            if value == value and value != money[key]:  # NaN: older exports
                yield f"session {session}", f"{key}: {money[key]:g} planned, {value:g} paid"


def _of_looks(games: Sequence[Data], plan: Plan) -> Iterator[Deviation]:
    """Yield the numbers of groups at which hypotheses are tested although no look is planned."""
    looks = by_hypotheses(of_hypotheses(games, plan))
    planned = ", ".join(map(str, (*plan.looks, plan.groups)))
    for names, look in looks.items():
        if not look.stated:
            about = f" for {names}" if len(looks) > 1 else ""
            yield "looks", f"the data have {look.in_words}{about}; planned: {planned}"


def _of_groups(data: Data, plan: Plan) -> Iterator[Deviation]:
    """Yield the treatments with fewer or more groups than planned. At an interim look, no treatment
    can have too few."""
    look = taken(data, plan)
    at_look = look is not None and look.groups < plan.groups
    for name, count in played(data, plan).items():
        comparison = "fewer" if count < plan.groups else "more"
        if count > plan.groups or (count < plan.groups and not at_look):
            yield (
                f"treatment {name}",
                f"{counted(count, 'group')} played to the end, {comparison} than the "
                f"{plan.groups} planned",
            )


def _of_short(data: Data, planned: Content, without: Collection[Group]) -> Iterator[Deviation]:
    """Yield the groups that began with fewer people than planned, in any block, and how many of
    them are not excluded."""
    people = data.groups.set_index(GROUP)[["people", "group_id"]].to_dict("index")
    short: dict[tuple[str, int], dict[str, bool]] = {}
    for row in data.config.to_dict("records"):
        rules, group = _planned(data, row, planned), people[row["session"], row["group"]]
        if rules is not None and group["people"] < rules["options"]["people_per_group"]:
            name = label(str(row["treatment"]), str(row.get("block") or ""))
            size = rules["options"]["people_per_group"]
            kept = (row["session"], row["group"]) not in without
            short.setdefault((name, size), {})[str(group["group_id"])] = kept
    for (name, size), ids in short.items():
        number, listed = counted(len(ids), "group"), ", ".join(ids)
        tests = f"; {sum(ids.values())} of {len(ids)} not excluded" if any(ids.values()) else ""
        yield f"treatment {name}", f"{number} began with fewer than {size} people: {listed}{tests}"


def _of_unfinished(data: Data, without: Collection[Group]) -> Iterator[Deviation]:
    """Yield the groups that have not ended, and the groups that were stopped because somebody
    dropped out."""
    playing, _ = not_ended(data)
    for session in dict.fromkeys(session for session, _ in playing):
        groups = [str(group) for other, group in playing if other == session]
        number = "group" if len(groups) == 1 else "groups"
        verb = "has" if len(groups) == 1 else "have"
        listed = f"{number} {', '.join(groups)} {verb} not ended"
        yield f"session {session}", f"{listed}, and the tests of hypotheses leave out such groups"
    ended = data.events[(data.events["event"] == "ended") & data.events["seat"].notna()]
    for row in ended.itertuples():
        tests = "it is included in tests of measures that do not need the whole play"
        if (row.session, row.group) in without:
            tests = "an exclusion leaves it out of the tests"
        yield (
            f"session {row.session}",
            f"group {row.group} was stopped because somebody dropped out; {tests}",
        )


def _of_bots(data: Data) -> Iterator[Deviation]:
    """Yield the groups in which bots took people's seats even though the treatment has no bots."""
    entered = bots_entered(data)
    for name, groups in entered[entered["planned_bots"] == 0].groupby("treatment", observed=True):
        ids = ", ".join(group_id(*key) for key in groups[GROUP].itertuples(index=False))
        number = counted(len(groups), "group")
        yield f"treatment {name}", f"has no bots, but bots took people's seats in {number}: {ids}"


def _of_manager(data: Data) -> Iterator[Deviation]:
    """Yield the participants that the manager excluded or released, the seats that the manager
    handed to bots, and the groups that the manager ended.
    """
    people = data.outcomes  # the lobby, too, releases people, but they have no seat
    released = people[(people["status"] == "released") & people["seat"].notna()]
    for verb, rows in (
        ("excluded", people[people["status"] == "excluded"]),
        ("released", released),
    ):
        for session, parted in rows.groupby("session"):
            codes = ", ".join(map(str, parted["participant"]))
            number = counted(len(parted), "participant")
            yield f"session {session}", f"the manager {verb} {number}: {codes}"
    handed = data.seats.loc[data.seats["reason"] == "handed", SEAT].drop_duplicates()
    for session, seats in handed.groupby("session"):
        pairs = seats[["group", "seat"]].itertuples(index=False)
        listed = "; ".join(f"group {group}, seat {seat}" for group, seat in pairs)
        yield (
            f"session {session}",
            f"the manager handed {counted(len(seats), 'seat')} to a bot: {listed}",
        )
    ended = data.events[(data.events["event"] == "ended") & data.events["seat"].isna()]
    for row in ended.itertuples():
        yield f"session {row.session}", f"the manager ended the game of group {row.group}"
