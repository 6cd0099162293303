"""Plays by language models, with or without policies, and without oTree.

The table's clock stops while a model thinks.

    await played(game, 7, players, instructions, bots="outside:model,sustainable", talk="free")

Messages and views are the same as on a server. `instructions` returns the text that people read,
as `server.outside.words.instructions` does; the command passes that function.

**Measures** of GovSim: how a play uses its resource.

Source: Piatti, Jin, Kleiman-Weiner, Schölkopf, Sachan and Mihalcea (2024), "Cooperate or Collapse:
Emergence of Sustainable Cooperation in a Society of LLM Agents", NeurIPS 2024 (arXiv:2404.16698).

The threshold f(t) is the largest total harvest that does not reduce the next period's stock. With
five fishers and 100 fish that double, f = 50. If each takes 10 for 12 periods, they survive 12
periods, each gains 120, the efficiency is 1 - max(0, 12 * 50 - 600) / (12 * 50) = 1, and equality
is 1. If one takes 20 in the first period, the others take nothing, and the play ends, they survive
1 period (the period of the collapse counts, as in the authors' code) and gain 20, 0, 0, 0, 0:
efficiency 1 - (600 - 20) / 600 = 0.0333, equality 1 - (8 * 20) / (2 * 5 * 20) = 0.2. One of five
decisions was above the share of 10, so over-usage is 0.2.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mixed_company.agents.client import GiveUp
from mixed_company.agents.llm.player import Players
from mixed_company.engine.contract.schema import action_schema
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.table import telling
from mixed_company.table import view as shown
from mixed_company.table.exchange import exchange
from mixed_company.table.outside import GIVE_UP
from mixed_company.table.protocol import Ack, Message, Refusal
from mixed_company.table.setup import Setup, options_from
from mixed_company.table.table import Table
from mixed_company.table.talk import among
from mixed_company.table.talk.parsing import Content

AGENT = "outside:model"
MOST_TRIES = 3
UNHURRIED = {"decision_seconds": 0.0, "bot_delay": "instant", "people_per_group": 1}
TALK_SECONDS = 3600.0
EXACT = 1e-7
"""Precision of a threshold, in fish."""

Json = dict[str, Any]

Instructions = Callable[[Setup], str]
"""A function that returns the instructions for people as plain text."""


class _Play:
    """A table with players in its seats."""

    def __init__(self, table: Table, players: Players, instructions: str, name: str) -> None:
        self.table, self.players, self.instructions = table, players, instructions
        self.now, self._count = 0, 0
        self.games = {seat: self._game(seat, name) for seat in table.agents}

    def _game(self, seat: int, name: str) -> Json:
        game, options = self.table.game, self.table.options
        sentences = list(options.talk_sentences)
        talk = {"sentences": sentences, "length": options.talk_length}
        seated = {"place": f"{name}/{seat}", "game": game.id, "seat": seat, "seats": game.seats}
        words = {"instructions": self.instructions, "rules": telling.rules(game, seat)}
        partners = list(among.partners(game, options, seat)) if options.talks else []
        return {**seated, **words, "talk": {**talk, "partners": partners}}

    def view(self, seat: int) -> Json:
        """Return the view for the player of a seat."""
        view = shown.view(self.table, seat, self.now).to_json()
        view |= {"text": telling.seen(self.table.game, view), "remaining_ms": None}
        view["asked"] = telling.asked(self.table.game, view)
        if view["phase"] == "decide":
            view["schema"] = action_schema(self.table.episode.allowed(seat))
        return view

    def send(self, seat: int, kind: str, **content: Any) -> Ack | Refusal | None:
        """Send a message from a seat."""
        self._count += 1
        about = {"period": self.table.episode.period, **content}
        message = Message(kind, f"m{self._count}", **about)
        return exchange(self.table, seat, message, self.now).answer

    async def decide(self) -> None:
        """Let all seats that have not decided yet decide concurrently."""
        seats = sorted(self.table.pending)
        await asyncio.gather(*(self._act(seat) for seat in seats))

    async def _act(self, seat: int) -> None:
        view, reason = self.view(seat), ""
        for _ in range(MOST_TRIES):
            try:
                shown_view = {**view, "refused": reason} if reason else view
                action = await self.players.decide(self.games[seat], shown_view)
            except GiveUp as given_up:
                reason = str(given_up)
                break
            answer = self.send(seat, "act", action=action, period=view["period"])
            if not isinstance(answer, Refusal):
                return
            reason = answer.reason
        else:
            self.players.refused(self.games[seat], view, reason)
        self.send(seat, GIVE_UP, value=reason, period=view["period"])

    @property
    def waits_to_talk(self) -> bool:
        """True in a talk phase in which at least one player is not done yet."""
        talk = self.table.talk
        return self.table.talking and talk is not None and not set(self.games) <= set(talk.done)

    async def talk(self) -> None:
        """Let the seats send messages in turn until every seat is done."""
        done: set[int] = set()
        while self.table.talking and done != set(self.games):
            for seat in sorted(set(self.games) - done):
                view = self.view(seat)
                text = await self.players.talk(self.games[seat], view)
                if text is None or not self._says(seat, text, view):
                    self.send(seat, "done", talk=Content())
                    done.add(seat)

    def _says(self, seat: int, text: str | int, view: Json) -> bool:
        to = None
        if self.table.options.talk_with == "one":
            to = self.games[seat]["talk"]["partners"][0]
        written = isinstance(text, str)
        content = Content(text if written else None, None if written else text, to)  # type: ignore[arg-type]
        answer = self.send(seat, "say", talk=content)
        if isinstance(answer, Refusal):
            self.players.refused(self.games[seat], view, answer.reason)
        return isinstance(answer, Ack)


async def played(
    game: Game[Any],
    seed: int,
    players: Players,
    instructions: Instructions,
    name: str = "play 0",
    **options: Any,
) -> Json:
    """Play once, and return the record: actions, earnings, messages, and the outcome."""
    settings = {"bots": AGENT, "talk_seconds": TALK_SECONDS, **UNHURRIED, **options}
    setup = Setup(config=game.config.model_dump(mode="json"), options=options_from(settings))
    table = Table.open(setup, [], seed, 0)
    table.apart = True
    play = _Play(table, players, instructions(setup), name)
    thresholds: list[float] = []
    while not table.over:
        if len(thresholds) == table.episode.period:
            thresholds += _threshold(table.episode)
        due = table.due
        if play.waits_to_talk:
            await play.talk()
        elif table.pending:
            await play.decide()
        elif due is not None:
            play.now = max(play.now, due.at_ms)
            table.advance(play.now)
    return _record(table, seed, name, thresholds)


def _threshold(episode: Episode) -> list[float]:
    """Return, as a list, the largest total harvest in the current period that does not reduce the
    stock.

    The number is found by bisection. The list is empty if the game or stage has no harvest, or if
    seats decide in turn.
    """
    fields, seats = episode.fields, episode.game.seats
    record = episode.state_record()
    if "stock" not in record or episode.turn is not None or fields[0].name != "harvest":
        return []
    stock = float(record["stock"])

    def keeps(harvest: float) -> bool:
        trial = Episode.from_json(episode.game, episode.state_json())
        trial.play_period({**trial.allowed().default, "harvest": [harvest / seats] * seats})
        return bool(trial.state_record()["stock"] >= stock)

    low, high = 0.0, min(stock, seats * float(fields[0].high))
    while high - low > EXACT:
        middle = (low + high) / 2
        low, high = (middle, high) if keeps(middle) else (low, middle)
    return [round(high, 6)]


def _record(table: Table, seed: int, name: str, thresholds: list[float]) -> Json:
    periods = [row for row in table.rows if row["kind"] == "period"]
    faults = [row for row in table.rows if row.get("event") == "policy_fault"]
    whole: Json = {
        "play": name,
        "seed": seed,
        "game": table.game.id,
        "archetype": table.game.config.identity.archetype,
        "policies": [chair.policy_id for chair in table.seats],
        "ending": str(table.episode.ending(0)[0]),
        "points": [chair.seat_points for chair in table.seats],
        "periods": [
            {"period": row["period"], "used": row["used"], "rewards": row["rewards"]}
            for row in periods
        ],
        "messages": [
            {"period": message.period, "seat": message.seat, "text": message.text}
            for message in (table.talk.messages if table.talk else ())
        ],
        "faults": [{"seat": row["seat"], "detail": row["detail"]} for row in faults],
    }
    result = _outcome(table, periods, thresholds)
    return whole if result is None else {**whole, "measures": result._asdict()}


def _outcome(table: Table, periods: list[Json], thresholds: list[float]) -> Outcome | None:
    """Return GovSim's measures if the game has a harvest."""
    if not periods or len(thresholds) != len(periods):
        return None
    harvests = [row["components"]["harvest"] for row in periods]
    return outcome(harvests, thresholds, table.game.horizon)


class Outcome(NamedTuple):
    """Measures of a play.

    survival_time   number of periods played
    survived        whether all periods were played
    gain            harvest of the resource, by seat
    efficiency      1 - max(0, T f(0) - total harvest) / (T f(0))
    equality        1 - the Gini coefficient of the gains; 1 if all gains are 0
    over_usage      share of decisions above the seat's share of the threshold
    """

    survival_time: int
    survived: bool
    gain: tuple[float, ...]
    efficiency: float
    equality: float
    over_usage: float


def outcome(
    harvests: Sequence[Sequence[float]], thresholds: Sequence[float], periods: int
) -> Outcome:
    """Return the measures for a play of at most `periods` periods.

    harvests    by period and seat
    thresholds  by period, for all seats: the largest total harvest that does not reduce the stock
    """
    gain = tuple(sum(harvest) for harvest in zip(*harvests, strict=True))
    seats, total = len(gain), sum(gain)
    possible = periods * thresholds[0]
    apart = sum(abs(harvested - other) for harvested in gain for other in gain)
    above = [
        harvest > threshold / seats
        for row, threshold in zip(harvests, thresholds, strict=True)
        for harvest in row
    ]
    return Outcome(
        len(harvests),
        len(harvests) == periods,
        gain,
        1 - max(0.0, possible - total) / possible if possible else 1.0,
        1 - apart / (2 * seats * total) if total else 1.0,
        sum(above) / len(above),
    )


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return the mean of each measure over plays; gain is per seat."""
    count = len(outcomes)
    return {
        "survival rate": sum(result.survived for result in outcomes) / count,
        "survival time": sum(result.survival_time for result in outcomes) / count,
        "gain": sum(sum(result.gain) / len(result.gain) for result in outcomes) / count,
        "efficiency": sum(result.efficiency for result in outcomes) / count,
        "equality": sum(result.equality for result in outcomes) / count,
        "over-usage": sum(result.over_usage for result in outcomes) / count,
    }
