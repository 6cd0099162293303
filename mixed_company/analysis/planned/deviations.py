"""How an experiment deviated from its sealed plan, as far as the data show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.looks import played, taken
from mixed_company.analysis.statistics.result import counted
from mixed_company.analysis.treatments import described
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal, different

__all__ = ["before_data", "deviations", "rehearsed_with"]

Content = Mapping[str, Any]


def before_data(data: Data, seal: Seal) -> bool:
    """Return whether the plan was sealed before anybody was assigned to a treatment."""
    times = data.outcomes["assigned_ms"].dropna()
    return bool(times.empty or int(times.min()) >= seal.sealed_ms)


def deviations(
    data: Data, plan: Plan, content: Content, seal: Seal | None, others: Sequence[Data] = ()
) -> pd.DataFrame:
    """Return one row per deviation: `about` and `what`.

    data      of the plan alone (`tested.of_plan`), of the game of its first block
    others    the same of the other games that blocks play
    plan      as it was sealed; as its file is, where there is no seal
    content   of the file as it is now (`experiment.sealing.content_of`)
    """
    planned = content if seal is None else seal.content
    games = (data, *others)
    rows = [
        *_of_seal(data, content, seal),
        *(line for game in games for line in _of_keys(game, planned)),
        *_of_money(data, planned["money"]),
        *_of_groups(data, plan, planned),
        *(line for game in games for line in _of_manager(game)),
    ]
    return pd.DataFrame(rows, columns=["about", "what"])


Deviation = tuple[str, str]

_OF_REHEARSALS = ("bot_delay", "quiz_tries")
"""Options that a rehearsal changes by itself: how long bots think, and the quiz, at which policies
try until they are right."""


def rehearsed_with(data: Data) -> list[str]:
    """Return these options as the groups of a rehearsal had them; none if it is no rehearsal."""
    if not data.manifest.get("rehearsed"):
        return []
    groups = [options for options in map(described, data.config["options"]) if options]
    pairs = [(key, options[key]) for key in _OF_REHEARSALS for options in groups if key in options]
    return [f"{key} {value}" for key, value in dict.fromkeys(pairs)]


def _of_seal(data: Data, content: Content, seal: Seal | None) -> Iterator[Deviation]:
    if seal is None:
        yield "seal", "the plan was not sealed: nothing in this report is confirmatory"
        return
    if not before_data(data, seal):
        yield "seal", f"it was sealed {seal.sealed}, after people had come: nothing is confirmatory"
    for line in different(seal.content, content, ("sealed", "now")):
        yield "plan", f"is not as it was sealed: {line}"


def _of_keys(data: Data, planned: Content) -> Iterator[Deviation]:
    """Yield keys that a session has changed, and treatments that the plan does not have."""
    lines = set()
    ignored = _OF_REHEARSALS if data.manifest.get("rehearsed") else ()
    for row in data.config.to_dict("records"):
        block, treatment = str(row.get("block") or ""), row["treatment"]
        rules = planned.get("blocks", {}).get(block)
        as_planned = (planned["treatments"] if rules is None else rules).get(treatment)
        if as_planned is None:
            lines.add((row["session"], f"treatment {treatment!r} is not in the plan"))
            continue
        chosen = as_planned.get("rules", {}).get(str(row.get("rule", "")), {})  # by the group
        planned_now = _without({**as_planned, **chosen}, ignored)
        for line in different(planned_now, _without(_rules(row), ignored), ("planned", "played")):
            where = f"treatment {treatment}" + (f", block {block}" if block else "")
            lines.add((row["session"], f"{where}: {line}"))
    for session, what in sorted(lines):
        yield f"session {session}", what


def _without(rules: Content, ignored: Sequence[str]) -> Content:
    """Return rules without some options."""
    options = {key: value for key, value in rules["options"].items() if key not in ignored}
    return {**rules, "options": options}


def _rules(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the rules of a group, as a seal has them (`experiment.treatments.rules_of`)."""
    config = described(row["config"]) or {}
    identity = config.pop("identity", None) or {}
    named = {key: identity.get(key) for key in ("game", "version")}
    rules = {
        name: {key: value for key, value in chosen.items() if key != "identity"}
        for name, chosen in (described(row.get("rules", "")) or {}).items()
    }
    options = {"options": described(row["options"]) or {}}
    return {**named, **config, **options, **({"rules": rules} if rules else {})}


def _of_money(data: Data, money: Mapping[str, float]) -> Iterator[Deviation]:
    names = {
        "participation_fee": "participation_fee",
        "real_world_currency_per_point": "point_value",
    }
    for key, column in names.items():
        paid = data.config[["session", column]].drop_duplicates()
        for session, value in paid.itertuples(index=False):
            if value == value and value != money[key]:  # NaN: exports of before
                yield f"session {session}", f"{key}: {money[key]:g} planned, {value:g} paid"


def _of_groups(data: Data, plan: Plan, planned: Content) -> Iterator[Deviation]:
    groups, look = data.groups, taken(data, plan)
    if look is not None and not look.stated:
        stated = ", ".join(map(str, (*plan.looks, plan.groups)))
        yield "looks", f"the data have {look.groups} groups of each treatment; stated: {stated}"
    at_look = look is not None and look.groups < plan.groups
    counts = played(data, plan)
    for name in plan.treatments:
        began = f"{name}, {plan.block_names[0]}" if plan.blocks else name  # later blocks are theirs
        own = groups[groups["treatment"].astype(str) == began]
        planned_now = look.groups if look is not None and at_look else plan.groups
        if counts[name] != planned_now:
            less = "fewer" if counts[name] < planned_now else "more"
            over = "1 group" if counts[name] == 1 else f"{counts[name]} groups"
            yield (
                f"treatment {name}",
                f"{over} played to the end, {less} than the {planned_now} planned",
            )
        size = planned["treatments"][name]["options"]["people_per_group"]
        short = own[own["people"] < size]
        if len(short):
            which = ", ".join(map(str, short["group_id"]))
            many = counted(len(short), "group")
            yield f"treatment {name}", f"{many} began with fewer than {size}: {which}"


def _of_manager(data: Data) -> Iterator[Deviation]:
    """Yield participants whom the manager excluded, and plays that the manager ended."""
    out = data.outcomes[data.outcomes["status"] == "excluded"]
    for session, own in out.groupby("session"):
        codes = ", ".join(map(str, own["participant"]))
        many = counted(len(own), "participant")
        yield f"session {session}", f"the manager excluded {many}: {codes}"
    ended = data.events[(data.events["event"] == "ended") & data.events["seat"].isna()]
    for row in ended.itertuples():
        yield f"session {row.session}", f"the play of group {row.group} was ended by the manager"
