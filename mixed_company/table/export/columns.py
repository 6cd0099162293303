"""All columns of the tables, with name, type, unit and meaning.

Columns that the rules determine come from the game's declared fields (`ruled`). The others, about
sessions and people, are the same for all games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mixed_company.engine.game import Game
from mixed_company.table.export.answers import answer_columns
from mixed_company.table.export.column import OF_PLAY, UNIX, Column, Personal
from mixed_company.table.export.messages import message_columns
from mixed_company.table.export.outcomes import OF_QUESTIONS, outcome_columns
from mixed_company.table.export.peers import later_columns
from mixed_company.table.export.ruled import has_pairs, of_decisions, of_pairs, of_periods

_SESSION = Column("session", "text", "session code")
_GROUP = Column(
    "group", "whole", "number of the group in its session; empty: the person was never in a group"
)
_GROUP_ID = Column(
    "group_id",
    "text",
    "session and number of the group, unique across sessions; empty: the person was never in a "
    "group",
    since="0.8.0",
)
_TREATMENT = Column(
    "treatment",
    "text",
    "treatment, as named in the session's plan; without a plan, the session config, even if its "
    "settings were changed",
    since="0.8.0",
)
_BLOCK = Column(
    "block",
    "text",
    "block of the session, as named in its plan, with the play's number if the block is repeated; "
    "empty: the session is one play",
    since="0.8.0",
)
_OF_GROUP = (_SESSION, _GROUP, _GROUP_ID, _TREATMENT, _BLOCK)
"""First columns in every table of a game."""
_SEAT = Column("seat", "whole", "seat, from 0 (shown to people as Player 1)", low=0)
_WHO = Column(
    "participant",
    "text",
    "participant code; empty: the seat never had a person",
    personal=Personal.CODE,
)
_OCCUPANT = Column(
    "occupant",
    "text",
    "person, policy or nobody (the seat is out of the play)",
    levels=("person", "policy", "nobody"),
)
_POLICY = Column("policy_id", "text", "policy in the seat; empty: a person")
_PERIOD = Column("period", "whole", "period, from 0 (shown to people as 1)", low=0)


def _wall(event: str) -> Column:
    return Column("wall_ms", "whole", f"{event}, on the machine's clock", UNIX, since="0.8.0")


def tables(*games: Game[Any]) -> list[str]:
    """Return the tables of these games; `pairs` only if a game has values for pairs of seats."""
    return [name for name in TABLES if name != "pairs" or any(map(has_pairs, games))]


def columns(table: str, game: Game[Any]) -> list[Column]:
    """Return a game's columns of a table in TABLES or OPTIONAL, in order."""
    return _COLUMNS[table](game)


def declared(table: str, games: Iterable[Game[Any]], asking: bool) -> list[Column]:
    """Return the columns of a table for groups that played these games, game by game.

    Without `asking`, the columns about questions are left out of `outcomes`.
    """
    left_out = OF_QUESTIONS if table == "outcomes" and not asking else ()
    listed = [column for game in games for column in columns(table, game)]
    return [column for column in listed if column.name not in left_out]


def _decisions(game: Game[Any]) -> list[Column]:
    return [
        *_OF_GROUP,
        _PERIOD,
        _SEAT,
        _WHO,
        _OCCUPANT,
        _POLICY,
        Column(
            "decided_by",
            "text",
            "person, policy, default (nobody decided in time) or absent",
            levels=("person", "policy", "default", "absent"),
        ),
        Column("shown_ms", "whole", "when the period began", OF_PLAY),
        Column("received_ms", "whole", "when the decision took effect", OF_PLAY),
        _wall("when the decision took effect"),
        Column("delay_ms", "whole", "a bot's thinking time, as drawn; empty: a person", "ms"),
        *later_columns(game),
        *of_decisions(game),
    ]


def _periods(game: Game[Any]) -> list[Column]:
    return [
        *_OF_GROUP,
        _PERIOD,
        Column("shown_ms", "whole", "when the period began", OF_PLAY),
        Column("settled_ms", "whole", "when the period ended", OF_PLAY),
        _wall("when the period ended"),
        *of_periods(game),
    ]


def _pairs(game: Game[Any]) -> list[Column]:
    return [*_OF_GROUP, _PERIOD, *of_pairs(game)]


def _seats(_game: Game[Any]) -> list[Column]:
    return [
        *_OF_GROUP,
        _SEAT,
        _WHO,
        _OCCUPANT,
        _POLICY,
        Column("since_period", "whole", "first period of this occupant"),
        Column(
            "until_period",
            "whole",
            "last period of this occupant; less than since_period if none was played",
        ),
        Column(
            "reason",
            "text",
            "seated, dropout, handed (by the manager), missed (an outside agent failed to decide) "
            "or returned",
        ),
        Column("at_ms", "whole", "when this stay began", OF_PLAY),
        _wall("when this stay began"),
    ]


def _events(_game: Game[Any]) -> list[Column]:
    return [
        *_OF_GROUP,
        _PERIOD,
        Column("at_ms", "whole", "time of the event", OF_PLAY),
        _wall("time of the event"),
        Column(
            "event",
            "text",
            "collapse, conflict, penalty, vote, shock, fee, drift, takeover, policy_fault, "
            "ending, choosing, chosen, awaited, met, slow_line, talk, talk_done, talk_over, "
            "talk_fault ...; late: the server was late, by at most `late_s` seconds within the "
            "last `for_s` of the play, which was stopped for `stood_s`; by the manager: handed, "
            "given_back, released, excluded, paused, resumed, extended, ended, message",
        ),
        Column("seat", "whole", "seat concerned; empty: all"),
        Column("detail", "text", "details, JSON", personal=Personal.WORDS),
    ]


def _outcomes(_game: Game[Any]) -> list[Column]:
    return [*_OF_GROUP, _SEAT, *outcome_columns()]


def _answers(_game: Game[Any]) -> list[Column]:
    keys = [*_OF_GROUP, _PERIOD, _SEAT, _WHO]
    return [*keys, *answer_columns()]


def _messages(_game: Game[Any]) -> list[Column]:
    return [
        *_OF_GROUP,
        Column("number", "whole", "number of the message in its group, from 0"),
        _PERIOD,
        Column("at_ms", "whole", "when it was sent", OF_PLAY),
        _wall("when it was sent"),
        _SEAT,
        _WHO,
        _OCCUPANT,
        _POLICY,
        *message_columns(),
    ]


def _journal(_game: Game[Any]) -> list[Column]:
    return [
        *_OF_GROUP,
        Column("number", "whole", "number of the entry in its group, from 0", since="0.8.0"),
        Column(
            "kind",
            "text",
            "start, seat, period, event, act, choose, heard, seen, answered, line, asked, answer, "
            "message, report, done, manager or back",
            since="0.8.0",
        ),
        Column("at_ms", "whole", "when the entry took effect", OF_PLAY, since="0.8.0"),
        Column(
            "entry",
            "text",
            "the rest of the entry, as JSON; config, seed and these entries determine all other "
            "tables of the group",
            personal=Personal.ENTRY,
            since="0.8.0",
        ),
    ]


def _config(_game: Game[Any]) -> list[Column]:
    return [
        *_OF_GROUP,
        Column(
            "matching_group",
            "whole",
            "smallest number among the first block's groups whose people are mixed with this "
            "group's in later blocks; empty: the session is one play",
            since="0.8.0",
        ),
        Column(
            "digest",
            "text",
            "sha256 of the treatment's name, block, config, rules and options; a plan's seal and "
            "the manifest contain the same value; empty: played without a server",
            since="0.9.0",
        ),
        Column("seed", "whole", "seed of the play"),
        Column(
            "rehearsed",
            "flag",
            "whether policies played in place of people, as known when the group was seated",
            since="0.8.0",
        ),
        Column("session_config", "text", "name of the session config in settings.py"),
        Column("participation_fee", "real", "fee for taking part", "currency", since="0.8.0"),
        Column("point_value", "real", "payment for each point", "currency", since="0.8.0"),
        Column("game", "text", "game id"),
        Column("version", "text", "version of the game's rules"),
        Column("config", "text", "the resolved configuration, JSON"),
        Column("rule", "text", "the rule that the group chose; empty: none", since="0.8.0"),
        Column(
            "rules",
            "text",
            "configurations of the rules that the group could choose, by name, JSON; empty: there "
            "was no choice",
            since="0.8.0",
        ),
        Column("options", "text", "the session's options for people and bots, JSON"),
        Column(
            "software",
            "text",
            "versions that made the export: of Python, oTree, numpy and this project, JSON",
        ),
    ]


_COLUMNS: Mapping[str, Callable[[Game[Any]], list[Column]]] = {
    "decisions": _decisions,
    "periods": _periods,
    "pairs": _pairs,
    "seats": _seats,
    "events": _events,
    "outcomes": _outcomes,
    "config": _config,
    "answers": _answers,
    "messages": _messages,
    "journal": _journal,
}
OPTIONAL = ("answers", "messages", "journal")
"""Tables that an export includes only if a session has data for them."""
TABLES = tuple(name for name in _COLUMNS if name not in OPTIONAL)
"""Other tables of an export, in order."""
