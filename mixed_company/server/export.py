"""Rows of the exported tables; their columns are declared in `table.export`.

ROWS        rows of each table for one group: rows from its journal, and `config`
outcome     a participant's row: how the part ended, and the payment
answers     a participant's answers, in the session's order

oTree's Data page (`server.data_page`) and the export file (`server.archive`) use the same rows. A
question asked in a period has a row if it was answered or if the person had the seat. A question on
a page has a row if the page was shown. The value is missing if the question was not answered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from mixed_company import engine
from mixed_company.engine.game import Game
from mixed_company.experiment.digests import of_treatment
from mixed_company.experiment.treatments import rules_of
from mixed_company.server.blocks.company import matching_group
from mixed_company.server.blocks.way import block_shown, earlier, part_of
from mixed_company.server.pages.handed_in import counted
from mixed_company.server.paying import ledger_of, payment
from mixed_company.server.played import Played
from mixed_company.server.treatments import setup_of, setups_of, treatment_shown
from mixed_company.table.beliefs import Belief, judged
from mixed_company.table.export import Column, Row, archive, tables
from mixed_company.table.export import declared as of_games
from mixed_company.table.export import played as of_journal
from mixed_company.table.export.answers import PAGES_LAST, answer_row
from mixed_company.table.export.column import as_text, one_line
from mixed_company.table.export.played import answer_rows, credited, facts_of
from mixed_company.table.ledger import total
from mixed_company.table.questions import items_at
from mixed_company.table.setup import setup_from


def outcome(player: Any, played: Played | None) -> Row:
    """Return a participant's row; `played` is None for a person who never got a seat."""
    first = (earlier(player) or [player])[0]
    row: Row = {
        "session": player.session.code,
        "participant": player.participant.code,
        "label": as_text(one_line(player.participant.label or "")),
        "treatment": treatment_shown(first),
        "block": block_shown(player),
        "slot": first.slot if first.slot >= 0 else "",
        "assigned_ms": round(first.assigned_ms) or "",
        "status": player.status,
        "points": 0.0,
        "paid_points": 0.0,
        "question_points": 0.0,
        **_paid(player),
        "waited_ms": round(player.waited_ms),
        "consented": player.consented,
        "consented_ms": round(player.consented_ms) or "",
        "comments": as_text(one_line(player.comments or "")),
        **counted(player.attention),
        "disclosure": as_text(player.disclosure),
        "disclosed_ms": round(player.disclosed_ms) or "",
        **_counted(player, played),
        "parameters": "" if player.parameters == "{}" else player.parameters,
        "managed": "" if player.managed == "[]" else player.managed,
        "quiz_attempts": player.quiz_attempts,
        "quiz_log": player.quiz_log,
        "practised_periods": player.practised_periods,
        "practice_log": "" if player.practice_log == "[]" else player.practice_log,
    }
    if played is None:
        return row
    return {
        **row,
        **{key: played.base[key] for key in ("group", "group_id", "treatment", "block")},
        "seat": player.seat,
        **credited(played, player.seat),
    }


def _counted(player: Any, played: Played | None) -> Row:
    """Return how many messages, questions and answers a person has. The audit compares these
    numbers with the rows of other tables (`analysis.audit.people`).
    """
    rows = list(answers(player, played))
    messages = () if played is None else played.entries("message")
    mine = (entry["seat"] == player.seat and entry["occupant"] == "person" for entry in messages)
    return {
        "messages_sent": sum(mine),
        "questions_asked": len(rows),
        "questions_answered": sum(row["value"] != "" for row in rows),
    }


def _paid(player: Any) -> Row:
    """Return the payment and the parts that add up to it."""
    parts, whole = ledger_of(player), Decimal(payment(player))
    elsewhere = float(whole - total(parts))
    return {
        "payment": float(whole),
        **{f"pay_{name}": float(amount) for name, amount in parts.items()},
        "pay_elsewhere": elsewhere,
    }


def asks(players: Iterable[Any]) -> bool:
    """Return whether these people's sessions have questions."""
    subsessions = {player.subsession_id: player.subsession for player in players}
    setups = (
        setup for subsession in subsessions.values() for setup in setups_of(subsession).values()
    )
    return any(setup.options.questions for setup in setups)


def answers(player: Any, played: Played | None) -> Iterator[Row]:
    """Yield a person's rows; `played` is None for a person who never got a seat."""
    base = {
        "session": player.session.code,
        "treatment": treatment_shown(player),
        "block": block_shown(player),
        **({} if played is None else {**played.base, "seat": player.seat}),
        "participant": player.participant.code,
    }
    if not setup_of(player).options.questions:
        return
    rows = [*_of_page(player, played, "before")]
    if played is not None:
        rows += answer_rows(played, player.seat)
    rows += [row for when in PAGES_LAST for row in _of_page(player, played, when)]
    for row in rows:
        yield {**base, **row}


def _of_page(player: Any, played: Played | None, when: str) -> Iterator[Row]:
    kept = json.loads(player.answers)
    if when not in kept.get("shown", {}):
        return
    last = played.periods[-1] if played is not None and played.periods else None
    for item in items_at(setup_of(player).options, when, player.seat):
        value, at_ms = kept.get("given", {}).get(item.name, (None, ""))
        belief = Belief()
        if last is not None:
            belief = judged(item, value, player.seat, facts_of(last), 0, last["period"])
        row = answer_row(item, value, belief) | {"when": when}
        if item.type == "text":
            row["value"] = as_text(one_line(row["value"]))
        yield {**row, "shown_wall_ms": kept["shown"][when], "wall_ms": at_ms}


def declared(
    name: str, groups: Iterable[list[Any]], game_id: str, asking: bool = False
) -> list[Column]:
    """Return the columns of a table for the groups' games, or for `game_id` without groups.

    `outcomes` has the same columns for all games; with `asking`, the columns for questions are
    included.
    """
    games = _games([] if name == "outcomes" else groups, game_id)
    return of_games(name, games, asking)


def tables_of(groups: Iterable[list[Any]], game_id: str) -> list[str]:
    """Return the tables for the groups' games, or for `game_id` without groups."""
    return tables(*_games(groups, game_id))


def _games(groups: Iterable[list[Any]], game_id: str) -> list[Game[Any]]:
    setups = [setup_from(members[0].group.setup) for members in groups]
    games: list[Game[Any]] = list(dict.fromkeys(game for setup in setups for game in setup.games))
    return games or [engine.make(game_id)]


def _part(played: Played) -> str:
    return part_of(next(iter(played.people.values()))) if played.people else ""


def _config(played: Played) -> Iterator[Row]:
    """Yield the group's row, which contains everything that determines its play except the
    decisions.
    """
    identity, base = played.setup.config["identity"], played.base
    yield {
        **base,
        "matching_group": matching_group(list(played.people.values())),
        "digest": of_treatment(base["treatment"], _part(played), rules_of(played.setup)),
        "seed": played.seed,
        "rehearsed": played.setup.rehearsed,
        "session_config": str(played.session["name"]),
        "participation_fee": float(played.session["participation_fee"]),
        "point_value": float(played.session["real_world_currency_per_point"]),
        "game": identity["game"],
        "version": identity["version"],
        "config": json.dumps(played.setup.config),
        "rule": played.setup.rule,
        "rules": json.dumps(played.setup.rules) if played.setup.rules else "",
        "options": played.setup.options.model_dump_json(),
        "software": json.dumps(software()),
    }


ROWS: Mapping[str, Callable[[Played], Iterable[Row]]] = {**of_journal.ROWS, "config": _config}
"""Name of a table -> its rows for one group."""


@lru_cache(maxsize=1)
def software() -> dict[str, str]:
    """Return the versions of Python, oTree, numpy and this project."""
    return archive.software("otree", "numpy")
