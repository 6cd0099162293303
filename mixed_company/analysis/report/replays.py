"""Replays of groups in the page: one shared player, the data of each game, and the data of each
group.

A replay's data are compressed (zlib, base64), because a game on a map takes up a million
characters, but only a hundredth of that when compressed. The browser unpacks them on demand. All
functions take the data of one group (`Data.of_group`).
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import pandas as pd

from mixed_company.analysis import again
from mixed_company.analysis.data import Data
from mixed_company.analysis.declared import game_of
from mixed_company.analysis.treatments import described
from mixed_company.engine.play import replay_page


def player() -> str:
    """Return the packed page of the player. `__DATA__` is the placeholder for the data."""
    return packed(replay_page.player("Replay", "__DATA__"))


class Replay(NamedTuple):
    """A group's packed data for the player.

    game    the part that all groups of a game share: fields and configuration
    play    everything else, including messages, votes and answers
    """

    game: str
    play: str


_OF_GAME = ("fields", "config")
"""Parts of a replay's data that depend only on the game."""


def replay(data: Data) -> Replay:
    """Return a group's data for the player. Raises EngineError if the group cannot be replayed."""
    content = replay_page.data(lines(data))
    rule = str(data.config.iloc[0].get("rule", ""))
    if rule:
        content["title"] += f", rule {rule} chosen by the group"
    extras = {"messages": messages(data), "answers": answers(data)}
    content |= {name: rows for name, rows in extras.items() if rows}
    game = {name: content.pop(name) for name in _OF_GAME}
    return Replay(*(packed(json.dumps(part, **_COMPACT)) for part in (game, content)))


_COMPACT: Any = {"separators": (",", ":"), "allow_nan": False}


def lines(data: Data) -> list[dict[str, Any]]:
    """Return a group's log for a replay: config, seed, the actions that were sent, and the seats
    that dropped out."""
    group = data.config.iloc[0]
    config, seed = json.loads(group["config"]), int(group["seed"])
    config["instrumentation"]["period"] = 1
    needed = ["period", "seat", *again.columns(data.decisions)]
    decisions = data.decisions[needed].dropna(subset=["period"]).sort_values(["period", "seat"])
    rows = groupby(decisions.to_dict("records"), itemgetter("period"))
    periods: Iterator[Any] = (list(period) for _, period in rows)
    sent = again.sent(game_of(str(group["config"])), periods)
    return [
        {"level": "episode", "config": config, "seed": seed},
        *({"level": "period", "sent": actions, "leaving": leaving} for actions, leaving in sent),
    ]


def messages(data: Data) -> list[dict[str, Any]]:
    """Return a group's messages in order, with their times in seconds since the group was
    formed."""
    if data.messages is None:
        return []
    opened = data.seats["at_ms"].min()
    return [
        {
            "period": int(row["period"]),
            "seconds": round((int(row["at_ms"]) - int(opened)) / 1000, 1),
            "seat": int(row["seat"]),
            "to": None if pd.isna(row["to"]) else int(row["to"]),
            "text": str(row["text"]),
            "blocked": bool(row["blocked"]),
            "reported_by": str(row["reported_by"]),
        }
        for row in data.messages.to_dict("records")
    ]


def answers(data: Data) -> list[dict[str, Any]]:
    """Return the seats' votes and people's answers, by period.

    Period -1 is before the first period. For questions after the game, the period is the number of
    periods. Free-text answers are left out, as in the rest of a report.
    """
    return [*_votes(data), *_answers(data)]


def _votes(data: Data) -> Iterator[dict[str, Any]]:
    for detail in data.events.loc[data.events["event"] == "chosen", "detail"]:
        for seat, vote in enumerate((described(detail) or {}).get("votes", ())):
            text = str(vote) or "abstained"
            yield {"period": -1, "seat": seat, "question": "vote on the rule", "text": text}


def _answers(data: Data) -> Iterator[dict[str, Any]]:
    if data.answers is None:
        return
    for row in data.answers[data.answers["type"] != "text"].to_dict("records"):
        pages = {"period": row["period"], "before": -1}
        period = int(pages.get(row["when"], len(data.periods)))
        values = {name: row[name] for name in ("truth", "points") if not pd.isna(row[name])}
        details = ", ".join(f"{name} {value:.10g}" for name, value in values.items())
        text = f"{row['value'] or 'nothing'}{f' ({details})' if details else ''}"
        question = str(row["question"])
        yield {"period": period, "seat": int(row["seat"]), "question": question, "text": text}


def packed(text: str) -> str:
    """Return a string in base64, compressed with zlib."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
