"""The columns of the exported tables: name, type, unit and meaning, in one place.

The export writes them, the codebook (`python -m seats.columns [game]`) prints them, and
tests hold the two together. Columns that depend on the game come from its declared fields.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import engine
from engine import solutions
from engine.game import Game
from engine.space import Field

__all__ = [
    "TABLES",
    "Column",
    "besides",
    "codebook",
    "columns",
    "group_fields",
    "pair_fields",
    "places",
    "seat_fields",
    "tables",
    "whole",
]

TABLES = ("decisions", "periods", "pairs", "seats", "events", "outcomes", "config")


@dataclass(frozen=True)
class Column:
    """One column of a table, or one for each place of an array: `name_0_0`, `name_0_1`, ..."""

    name: str
    type: str
    meaning: str
    unit: str = ""
    shape: tuple[int, ...] = ()

    def names(self) -> list[str]:
        """The names of the columns it stands for."""
        return [name for name, _ in places(self.name, self.shape)]

    def told(self) -> str:
        """Its name in the codebook: `name_0..6_0..1` for an array of 7 by 2."""
        return "_".join([self.name, *(f"0..{length - 1}" for length in self.shape)])


def places(name: str, shape: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """(column, place) of every place of an array."""
    for place in product(*map(range, shape)):
        yield "_".join([name, *map(str, place)]), place


_SESSION = Column("session", "text", "session code")
_GROUP = Column("group", "whole", "number of the group in its session; empty: never in a group")
_SEAT = Column("seat", "whole", "seat, from 0 (shown to people as Player 1)")
_WHO = Column("participant", "text", "participant code; empty: the seat never had a person")
_OCCUPANT = Column("occupant", "text", "person, policy or nobody (the seat is out of the play)")
_POLICY = Column("policy_id", "text", "policy on the seat; empty: a person")
_PERIOD = Column("period", "whole", "period, from 0 (shown to people as 1)")
_SINCE = "milliseconds since 1970-01-01 UTC"


def seat_fields(game: Game[Any]) -> list[Field]:
    """State fields with a number per seat."""
    return [field for field in _exported(game) if field.shape == (game.seats,)]


def pair_fields(game: Game[Any]) -> list[Field]:
    """State fields with a number per pair of seats."""
    pairs = (game.seats, game.seats)
    return [field for field in _exported(game) if field.shape == pairs]


def group_fields(game: Game[Any]) -> list[Field]:
    """State fields of the whole group: a number, or an array whose axes are not seats."""
    own = ("period", "reason")
    return [
        field
        for field in game.declaration.state
        if field.name not in own and not field.bulk and (field.shape == () or field.common)
    ]


def _exported(game: Game[Any]) -> list[Field]:
    return [field for field in game.declaration.state if not (field.bulk or field.common)]


def tables(game: Game[Any]) -> list[str]:
    """The tables a game has: `pairs` only where something is between two seats."""
    return [name for name in TABLES if name != "pairs" or pair_fields(game)]


def columns(table: str, game: Game[Any]) -> list[Column]:
    """The columns of one of TABLES for a game, in order."""
    made: list[Column] = globals()[f"_{table}"](game)
    return made


def _decisions(game: Game[Any]) -> list[Column]:
    declared = game.declaration
    actions = [
        Column(f"{stage}_{field.name}", _type(field), f"{field.meaning}, as {stage}", field.unit)
        for field in declared.actions
        for stage in ("sent", "used")
    ]
    parts = [
        Column(f"reward_{field.name}", "real", f"part of the reward: {field.meaning}", "points")
        for field in declared.components
    ]
    after = [
        Column(
            f"after_{field.name}", _type(field), f"after the period: {field.meaning}", field.unit
        )
        for field in seat_fields(game)
    ]
    return [
        _SESSION,
        _GROUP,
        _PERIOD,
        _SEAT,
        _WHO,
        _OCCUPANT,
        _POLICY,
        Column("decided_by", "text", "person, policy, default (nobody decided in time) or absent"),
        *actions,
        Column("shown_ms", "whole", "the period began", _SINCE),
        Column("received_ms", "whole", "the decision counted from here", _SINCE),
        Column("delay_ms", "whole", "drawn thinking time of a bot; empty: a person", "ms"),
        Column("reward", "real", "earned on the seat in the period", "points"),
        *parts,
        *after,
    ]


def _periods(game: Game[Any]) -> list[Column]:
    after = [
        Column(
            f"after_{field.name}",
            _type(field),
            f"after the period: {field.meaning}",
            field.unit,
            field.shape,
        )
        for field in group_fields(game)
    ]
    judged = [
        Column(field.name, _type(field), field.meaning, field.unit, field.shape)
        for field in solutions.judged(game)
    ]
    return [
        _SESSION,
        _GROUP,
        _PERIOD,
        Column("shown_ms", "whole", "the period began", _SINCE),
        Column("settled_ms", "whole", "the period was over", _SINCE),
        Column("reward_sum", "real", "earned by all seats together", "points"),
        *after,
        *judged,
        Column("ended", "text", "why the play ended with this period; empty: it went on"),
    ]


def _pairs(game: Game[Any]) -> list[Column]:
    between = [
        Column(
            f"after_{field.name}", _type(field), f"after the period: {field.meaning}", field.unit
        )
        for field in pair_fields(game)
    ]
    partner = [
        Column(
            f"partner_{field.name}", _type(field), f"of the partner: {field.meaning}", field.unit
        )
        for field in seat_fields(game)
    ]
    return [
        _SESSION,
        _GROUP,
        _PERIOD,
        Column("seat", "whole", "seat that observes (the row of what is between two), from 0"),
        Column("partner", "whole", "seat that is observed (the column), from 0"),
        *between,
        *partner,
    ]


def _seats(_game: Game[Any]) -> list[Column]:
    return [
        _SESSION,
        _GROUP,
        _SEAT,
        _WHO,
        _OCCUPANT,
        _POLICY,
        Column("since_period", "whole", "first period of this occupant"),
        Column("until_period", "whole", "last period of this occupant; below since: none played"),
        Column("reason", "text", "seated, dropout or returned"),
        Column("at_ms", "whole", "when it took effect", _SINCE),
    ]


def _events(_game: Game[Any]) -> list[Column]:
    return [
        _SESSION,
        _GROUP,
        _PERIOD,
        Column("at_ms", "whole", "when", _SINCE),
        Column(
            "event", "text", "collapse, conflict, penalty, vote, takeover, policy_fault, ending ..."
        ),
        Column("seat", "whole", "seat it concerns; empty: all"),
        Column("detail", "text", "more about it, JSON"),
    ]


def _outcomes(_game: Game[Any]) -> list[Column]:
    return [
        _SESSION,
        _GROUP,
        _SEAT,
        Column("participant", "text", "participant code"),
        Column("label", "text", "participant label, if the session has labels"),
        Column("status", "text", "arriving, waiting, seated, finished, left or released"),
        Column("points", "real", "earned in the periods the person decided in", "points"),
        Column("seat_points", "real", "earned on the seat by whoever sat there", "points"),
        Column("paid_points", "real", "points paid, within floor and cap", "points"),
        Column("payment", "real", "what the participant is to get, with the fee", "currency"),
        Column("quiz_attempts", "whole", "how often the quiz was handed in"),
        Column("quiz_log", "text", "every attempt: time, answers, which were wrong; JSON"),
        Column("disconnections", "whole", "silences of more than 15 s while a page is open"),
        Column("bot_share", "real", "share of the periods played in which a policy decided"),
    ]


def _config(_game: Game[Any]) -> list[Column]:
    return [
        _SESSION,
        _GROUP,
        Column("seed", "whole", "seed of the play"),
        Column("game", "text", "game id"),
        Column("version", "text", "version of the game's rules"),
        Column("config", "text", "the resolved configuration, JSON"),
        Column("options", "text", "how people and bots met, JSON"),
        Column("software", "text", "versions of Python, oTree, numpy and this project, JSON"),
    ]


def _type(field: Field) -> str:
    return "real" if field.kind == "real" else "flag" if field.kind == "flag" else "whole"


def codebook(game: Game[Any]) -> str:
    """All tables of a game as Markdown."""
    parts = [_written(table, columns(table, game)) for table in tables(game)]
    return "".join([f"# Codebook: {game.id}\n", *parts])


def besides() -> str:
    """The columns that layers, and seats that leave, add to any game; shown of one of them."""
    layers: dict[str, Any] = {
        "temporal": {"intensity": 1, "reward_delay": 1},
        "interaction": {"intensity": 1, "share": 0.5},
        "incentives": {"intensity": 1, "fee": {"harvest": 1}},
        "hierarchy": {"intensity": 1, "groups": [0, 0, 1, 1]},
    }
    plain = engine.make("commons_game")
    made = engine.make("commons_game", layers=layers, agents={"may_leave": True})
    parts = []
    for table in tables(plain):
        known = {each.name for each in columns(table, plain)}
        added = [each for each in columns(table, made) if each.name not in known]
        parts += [_written(table, added)] if added else []
    return "".join(["# Codebook: what layers and leaving add\n", *parts])


def _written(table: str, rows: list[Column]) -> str:
    head = f"\n## {table}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n"
    lines = [f"| `{row.told()}` | {row.type} | {row.unit} | {row.meaning} |\n" for row in rows]
    return "".join([head, *lines])


def whole(games: list[str]) -> str:
    """The codebook of these games, or of all, with what layers add."""
    parts = [codebook(engine.make(game_id)) for game_id in games or engine.game_ids()]
    return "\n".join([*parts, besides()])


if __name__ == "__main__":
    sys.stdout.write(whole(sys.argv[1:]))
