"""Groups to be played again in the page: one player, and for each group what it plays.

The data of a play are packed (zlib, base64), since a play on a map is a million characters long and
packs to a hundredth part; the browser unpacks them when they are asked for.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from typing import Any

import pandas as pd

from mixed_company.analysis import again
from mixed_company.analysis.data import Data
from mixed_company.analysis.described import described
from mixed_company.engine.play import replay_page
from mixed_company.engine.play.episode import Episode

__all__ = ["answers", "messages", "packed", "player", "replay"]


def player() -> str:
    """The page that plays, packed; its data go where `__DATA__` stands."""
    return packed(replay_page.player("Replay", "__DATA__"))


def replay(data: Data, session: str, group: int) -> str:
    """The data of a group for the player, packed, with what was said, voted and answered.

    Raises EngineError if the group cannot be played again.
    """
    content = replay_page.data(lines(data, session, group))
    own = (data.config["session"] == session) & (data.config["group"] == group)
    rule = str(data.config[own].iloc[0].get("rule", ""))
    if rule:
        content["title"] += f", rule {rule} chosen by the group"
    written = messages(data, session, group)
    content |= {"messages": written} if written else {}
    given = answers(data, session, group)
    content |= {"answers": given} if given else {}
    return packed(
        json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    )


def lines(data: Data, session: str, group: int) -> list[dict[str, Any]]:
    """The log of a group, as far as a replay needs it: config, seed, the actions sent, who left."""
    own = data.config[(data.config["session"] == session) & (data.config["group"] == group)].iloc[0]
    config = json.loads(own["config"])
    config["instrumentation"]["period"] = 1
    table = data.decisions
    rows = table[(table["session"] == session) & (table["group"] == group)].sort_values("seat")
    periods: Iterator[Any] = (period.to_dict("records") for _, period in rows.groupby("period"))
    head: dict[str, Any] = {"level": "episode", "config": config, "seed": int(own["seed"])}
    episode = Episode(data.game(session, group), head["seed"])
    return [
        head,
        *(
            {"level": "period", "sent": period.sent, "leaving": list(period.leaving)}
            for period in again.played(episode, periods)
        ),
    ]


def messages(data: Data, session: str, group: int) -> list[dict[str, Any]]:
    """What was said in a group, in order, with the seconds since its play was opened."""
    if data.messages is None:
        return []
    of_group = [
        frame[(frame["session"] == session) & (frame["group"] == group)]
        for frame in (data.messages, data.seats)
    ]
    rows, opened = of_group[0].to_dict("records"), of_group[1]["at_ms"].min()
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
        for row in rows
    ]


def answers(data: Data, session: str, group: int) -> list[dict[str, Any]]:
    """What seats voted for and people answered in a group, by period: -1 is before the first, and
    after the last comes what was asked when the play was over. Answers in people's own words are
    left out, as in the rest of a report."""
    return [*_votes(data, session, group), *_answers(data, session, group)]


def _votes(data: Data, session: str, group: int) -> Iterator[dict[str, Any]]:
    for row in _of_group(data.events, session, group):
        if row["event"] == "chosen":
            for seat, vote in enumerate((described(row["detail"]) or {}).get("votes", ())):
                text = str(vote) or "abstained"
                yield {"period": -1, "seat": seat, "question": "vote on the rule", "text": text}


def _answers(data: Data, session: str, group: int) -> Iterator[dict[str, Any]]:
    if data.answers is None:
        return
    beyond = len(_of_group(data.periods, session, group))
    for row in _of_group(data.answers[data.answers["type"] != "text"], session, group):
        pages = {"period": row["period"], "before": -1}
        place = {"period": int(pages.get(row["when"], beyond)), "seat": int(row["seat"])}
        known = {name: row[name] for name in ("truth", "points") if not pd.isna(row[name])}
        more = ", ".join(f"{name} {value:.10g}" for name, value in known.items())
        text = f"{row['value'] or 'nothing'}{f' ({more})' if more else ''}"
        yield {**place, "question": str(row["question"]), "text": text}


def _of_group(frame: pd.DataFrame, session: str, group: int) -> list[dict[Any, Any]]:
    own = (frame["session"] == session) & (frame["group"] == group)
    return list(frame[own].to_dict("records"))


def packed(text: str) -> str:
    """A text as base64 of its zlib stream."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
