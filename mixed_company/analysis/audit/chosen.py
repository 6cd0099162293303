"""The vote of a group on the rule of its play: counted again, with what its bots vote for.

    config     the configuration is that of the rule which was chosen
    choosing   the vote began, once, before the play
    chosen     once, after it and before the play, no later than the time for it; the occupants are
               those who sat down first, a bot's vote is that of its policy (`table.leanings`), and
               the rule is the one with most votes, by the tie rule of the session

What a person voted for nothing else tells. Where no rule is chosen there is none of this.
"""

from __future__ import annotations

import json
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.engine.contract.errors import EngineError
from mixed_company.table import leanings, timing
from mixed_company.table.choosing import ABSTAINED, winner
from mixed_company.table.export import Row
from mixed_company.table.setup import Setup, setup_from

__all__ = ["CHOICE", "check_chosen"]

CHOICE = ("choosing", "chosen")
"""The events of a vote."""


def check_chosen(group: Group, rows: list[Row], findings: Findings) -> None:
    """`rows` are the events of CHOICE."""
    rules = _read(group.config.get("rules", ""))
    if not isinstance(rules, dict) or not rules:
        for row in rows:
            findings.tell("events", row["row"], f"{row['event']}: there is no rule to choose")
        rule, why = group.config.get("rule", ""), "nothing was chosen here"
        findings.rule(rule == "", "config", group.config["row"], "rule", rule, why)
        return
    began = [row for row in rows if row["event"] == "choosing"]
    ended = [row for row in rows if row["event"] == "chosen"]
    least = 1 if group.periods else 0
    for name, own in (("choosing", began), ("chosen", ended)):
        if not least <= len(own) <= 1:
            findings.tell("events", None, f"{name}: is there {len(own)} times")
    if len(ended) == 1:
        _counted(group, rules, ended[0], findings)
        _in_time(group, began, ended[0], findings)
    elif not ended and group.config["rule"] != "":
        findings.tell("config", group.config["row"], "rule: was chosen in no vote", column="rule")


def _counted(group: Group, rules: dict[str, Any], row: Row, findings: Findings) -> None:
    """Votes, their count, and what was played."""
    detail, seats = _read(row["detail"]), group.game.seats
    votes = detail.get("votes") if isinstance(detail, dict) else None
    right = isinstance(votes, list) and len(votes) == seats
    if votes is None or not right or not {*map(str, votes)} <= {*rules, ABSTAINED}:
        findings.tell("events", row["row"], "chosen: does not say what every seat voted for")
        return
    given = ("events", row["row"], "detail")
    who = [_seated_first(group, seat) for seat in range(seats)]
    findings.value(*given, detail.get("occupants"), who, "chosen: occupants")
    seed = int(group.config["seed"])
    setup = _setup(group, rules)
    if setup is None:
        findings.tell("config", group.config["row"], "rules or options cannot be read")
        return
    for seat, occupant in enumerate(who):
        if occupant != "person":
            should = leanings.vote(setup, occupant, seed, seat)
            findings.value(*given, votes[seat], should, f"chosen: vote of seat {seat}, {occupant}")
    rule = winner(list(rules), votes, setup.options.rules_tie, seed)
    findings.value(*given, detail.get("rule"), rule, "chosen: rule")
    config = ("config", group.config["row"])
    findings.value(*config, "rule", group.config["rule"], rule)
    played = _read(group.config["config"])
    why = f"should be that of the rule {rule}"
    findings.rule(played == rules[rule], *config, "config", group.config["config"], why)


def _in_time(group: Group, began: list[Row], row: Row, findings: Findings) -> None:
    """The vote lies between its beginning and the play, and lasts no longer than it may."""
    first = group.rounds.get(0, {}).get("shown_ms", "")
    times = [own["at_ms"] for own in (*began, row)]
    if first != "":
        times.append(first)
    if "simulated" in group.options:  # without times
        times = []
    right = "" not in times and times == sorted(times) and row["period"] == 0
    limit = timing.limit_ms(group.option("rules_seconds", 0))
    if right and began and times and limit is not None:
        right = times[1] - times[0] <= limit
    why = "is not between the beginning of the vote and of the play, or later than the time for it"
    findings.rule(right, "events", row["row"], "at_ms", row["at_ms"], why)


def _setup(group: Group, rules: dict[str, Any]) -> Setup | None:
    """The setup as far as a vote needs it."""
    options = {key: group.option(key, "") for key in ("rules_bots", "rules_tie")}
    data = {"config": next(iter(rules.values())), "options": options, "rules": rules}
    try:
        return setup_from(json.dumps(data, sort_keys=False))
    except (EngineError, ValueError):
        return None


def _seated_first(group: Group, seat: int) -> str:
    """Who sat on a seat during the vote: nobody leaves before the play."""
    sat = group.occupancies.get(seat, [])
    return str(sat[0]["policy_id"] or sat[0]["occupant"]) if sat else ""


def _read(text: Any) -> Any:
    try:
        return json.loads(text) if text else {}
    except (RecursionError, TypeError, ValueError):
        return None
