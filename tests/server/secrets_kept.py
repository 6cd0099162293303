"""Secrets that are hidden from a seat and planted as unguessable numbers, and everything that the
seat is sent.

    table, past = played(game, people)        three periods, the last of them open
    sent(table, past, seat)                   every byte of its pages and its frames
    secrets(table, seat)                      numbers and words that must not occur there
    planted(table, past, seat, draw)          the same table with other secrets: `sent` is the same

The declarations of the game, its layers and its roles determine what a seat may see
(`engine.kit.secrets`). It does not matter here how a page computes its contents.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array, of_seat
from mixed_company.engine.kit.secrets import World, visible
from mixed_company.engine.play.period import Decision
from mixed_company.server.open.showing import Past
from mixed_company.server.pages.pages import Instructions
from mixed_company.server.pages.play import Lobby, Play
from mixed_company.server.pages.quiz import Quiz
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from mixed_company.table.state import LastPeriod
from mixed_company.table.table import Table
from mixed_company.table.view import history as view_of_past
from mixed_company.table.view import view

__all__ = ["SEED", "hidden", "planted", "played", "secrets", "sent"]

SEED = 918_273_645_546_372
PLAY_SEED = 564_738_291_019_283
WORD = "xq7planted"
SECOND = 1000
PERIODS = 3
NOW = 10**6 * SECOND

SIMPLE, TINY = 1000, Fraction(1, 10**10)
"""Largest denominator of the fractions that may equal another number by chance."""


def played(game: Any, people: tuple[int, ...]) -> tuple[Table, list[dict[str, Any]]]:
    """Return a table after PERIODS periods, or at its end, and the journal's entries about them.

    In the open period, all people except the first have decided, and bots have not decided yet.
    """
    options = Options(
        people_per_group=len(people), bots="random", bot_delay="fixed:seconds=5", grace_seconds=600
    )
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table, draw = (
        Table.open(setup, people, PLAY_SEED, 0),
        np.random.default_rng(game.config.identity.seed),
    )
    now = 0
    for seat in people:
        table.hear(seat, now)
    while table.episode.period < PERIODS and not table.episode.done:
        now += 6 * SECOND
        table.advance(now)
        for seat in people:
            _act(table, seat, draw, now)
    for seat in people[1:]:
        _act(table, seat, draw, now + SECOND)
    entries = [copy.deepcopy(row) for row in table.rows if row["kind"] in ("start", "period")]
    return table, entries


def _act(table: Table, seat: int, draw: np.random.Generator, now: int) -> None:
    if table.episode.turn not in (None, seat) or table.out(seat):
        return
    sample = table.episode.allowed(seat).sample(draw)
    action = {name: value.tolist() for name, value in sample.items()}
    table.act(seat, Message("act", f"{seat} {now}", table.episode.period, action), now)


# -- data sent --------------------------------------------------------------------------------


def sent(table: Table, entries: list[dict[str, Any]], seat: int) -> str:
    """Return everything sent to the person in a seat: pages with their variables, and frames."""
    past = Past(table.game, entries)
    shown = view(table, seat, NOW)
    frames = [past.whole(seat, shown).to_json(), past.beside(seat, shown).to_json()]
    return json.dumps([*_pages(table.setup, seat), *frames], sort_keys=True)


class _Play(Play):
    """Play page without a view, because `sent` has the same view as a frame."""

    @staticmethod
    def first_view(player: Any) -> dict[str, Any]:
        return {}


def _pages(setup: Setup, seat: int) -> Iterator[Any]:
    config = {"real_world_currency_per_point": 0.25, "participation_fee": 3}
    player = SimpleNamespace(
        subsession=SimpleNamespace(setup=setup.model_dump_json(), plan=""),
        get_folder_name=lambda: setup.game.id,
        treatment="",
        session=SimpleNamespace(config=config),
        seat=seat,
        quiz_log="[]",
        disclosure="",
        disclosed_ms=0.0,
    )
    pages: tuple[Any, ...] = (Instructions, Quiz, Lobby, _Play)
    for page in pages:
        yield page.vars_for_template(player)
        if page in (Lobby, _Play):
            yield page.js_vars(player)


# -- secrets ----------------------------------------------------------------------------------


def secrets(table: Table, entries: list[dict[str, Any]], seat: int) -> set[str]:
    """Return the seeds, the marks of `planted` and the digits of all numbers hidden at the start.

    Numbers that the seat has since learned are left out, because they are no longer secret.
    """
    first = Table.open(table.setup, table.people, PLAY_SEED, 0)
    past = view_of_past(table.game, entries, seat)
    known_text = json.dumps([past, table.episode.observation_json(seat)])
    return (hidden(first, seat) - _digits(known_text)) | {str(SEED), str(PLAY_SEED), WORD}


def hidden(table: Table, seat: int) -> set[str]:
    """Return the digits of all numbers in the state that a seat may not see."""
    state = table.episode._state
    parts = [state[name][~may] for name, may in _may_see(table, seat).items()]
    return _digits(json.dumps([np.asarray(part).tolist() for part in parts]))


def _digits(text: str) -> set[str]:
    """Return the first nine decimals of all numbers that are not simple fractions."""
    numbers = re.findall(r"\d+\.\d{12,}", text)
    return {
        number.partition(".")[2][:9]
        for number in numbers
        if abs(Fraction(number).limit_denominator(SIMPLE) - Fraction(number)) > TINY
    }


def _may_see(table: Table, seat: int) -> dict[str, Array]:
    """Return flags for each array of the state that mark the numbers that a seat may see."""
    play = table.episode
    chance = play.game.draw_chance(play.seed, play.period - 1)
    seen = of_seat(play.game.declaration.observations, play.observations, seat)
    flags = visible(play.game, World(play._state, chance, None), seat, seen)
    return {name: may for (part, name), may in flags.items() if part == "state"}


# -- other secrets ----------------------------------------------------------------------------


def planted(
    table: Table, entries: list[dict[str, Any]], seat: int, other: Table, draw: np.random.Generator
) -> tuple[Table, list[dict[str, Any]]]:
    """Return a table that differs in everything that a seat may not see, and its journal.

    Amounts are drawn at random; counts, choices and flags come from the `other` table.
    """
    copied = Table.from_json(table.setup, table.to_json())
    state = dict(copied.episode._state)
    fields = {field.name: field for field in copied.game.declaration.state}
    for name, may in _may_see(table, seat).items():
        values = np.asarray(other.episode._state[name])
        if name in fields and fields[name].kind == "real":
            values = _drawn(fields[name], values.shape, draw)
        state[name] = np.where(may, state[name], values).astype(state[name].dtype)
    copied.episode._move(state, None)
    _plant_table(copied, seat, draw)
    return copied, [_planted_entry(entry, table, seat, draw) for entry in entries]


def _drawn(field: Any, shape: tuple[int, ...], draw: np.random.Generator) -> Array:
    low = field.low if np.isfinite(field.low) else -100.0
    high = field.high if np.isfinite(field.high) else low + 100.0
    return draw.uniform(low, high, shape)


def _plant_table(table: Table, seat: int, draw: np.random.Generator) -> None:
    """Change the other seats' occupants, memories, earnings and decisions in this period."""
    options = table.options.model_copy(update={"bots": f"random,{WORD}", "dropout_bot": WORD})
    table.setup = table.setup.model_copy(update={"options": options})
    for chair in table.seats:
        if chair.seat == seat:
            continue
        chair.points, chair.seat_points = draw.uniform(0, 100, 2).tolist()
        chair.memory = {WORD: float(draw.uniform())}
        chair.ids = {WORD: table.episode.period}
        if chair.occupant == "policy":
            chair.policy_id = WORD
    last = table.last
    if last is not None:
        parts = (_each_others(by_name, seat, draw) for by_name in (last.components, last.used))
        table.last = LastPeriod(_others(last.rewards, seat, draw), *parts, last.by)
    if table.episode.turn is None:
        for decided in (table.decided, table.answers):
            for chair_of, decision in decided.items():
                if chair_of != seat:
                    decided[chair_of] = _otherwise(decision, draw)


def _otherwise(decision: Decision, draw: np.random.Generator) -> Decision:
    return replace(decision, action=_changed(dict(decision.action), draw), delay_ms=77)


def _changed(value: Any, draw: np.random.Generator) -> Any:
    """Return the value, replaced by numbers that nobody can guess."""
    if isinstance(value, dict):
        return {name: _changed(item, draw) for name, item in value.items()}
    if isinstance(value, list):
        return [_changed(item, draw) for item in value]
    return float(draw.uniform(0, 100)) if isinstance(value, int | float) else value


def _others(values: list[Any], seat: int, draw: np.random.Generator) -> list[Any]:
    """Return the values, with those of every other seat changed."""
    return [value if place == seat else _changed(value, draw) for place, value in enumerate(values)]


def _each_others(
    values: Mapping[str, list[Any]], seat: int, draw: np.random.Generator
) -> dict[str, list[Any]]:
    return {name: _others(by_seat, seat, draw) for name, by_seat in values.items()}


def _planted_entry(
    entry: dict[str, Any], table: Table, seat: int, draw: np.random.Generator
) -> dict[str, Any]:
    """Return a period's journal entry with different numbers, except for those of the seat
    itself."""
    changed = copy.deepcopy(entry)
    if changed["kind"] == "start":
        changed["seed"] = PLAY_SEED
    for name in ("components", "used", "sent"):
        if name in changed:
            changed[name] = _each_others(changed[name], seat, draw)
    if "rewards" in changed:
        changed["rewards"] = _others(changed["rewards"], seat, draw)
        changed["state"] = _changed(changed["state"], draw)
        changed["seats"] = _others(changed["seats"], seat, draw)
    private = [f.name for f in table.game.declaration.observations if f.visibility == "private"]
    for name in private:
        if name in changed["observations"]:
            changed["observations"][name] = _others(changed["observations"][name], seat, draw)
    return changed
