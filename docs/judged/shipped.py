"""The imitation as a policy in bots/trained: its model and its card.

In the first period, the policy gives as these people did when they moved first. Later, it replies
to the mean of the others' last contributions.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from docs.judged import imitation, judging
from docs.judged.judging import Judged
from docs.judged.page import compared
from docs.judged.reading import People
from mixed_company import engine
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.files import write_whole
from mixed_company.learning.training.graph import Graph
from mixed_company.policies.odds import Normal
from mixed_company.policies.policy import Policy
from mixed_company.policies.trained.card import SELF, Card, Likeness
from mixed_company.policies.trained.policy import policy_class

SENTENCE = "Draws a reply to the others' mean contribution and its own, as people did."
BESIDE = (judging.CHANCE, judging.CONSTANT, judging.STAYING, judging.MOVES, judging.SAME_GIFT)


def write(people: People, folder: Path) -> None:
    """Write the policy, fitted to all people, and its scores on held-out people."""
    judgements = judging.judged(people)
    began = time.perf_counter()
    game = engine.make("sanctions", archetype="unsanctioned")
    weights = imitation.fitted(imitation.of_tables(people), people.replies).weights
    content = model(weights, imitation.opening(people.gifts[0]), game)
    seconds = time.perf_counter() - began
    path = folder / f"{judging.POLICY}.json"
    path.with_suffix(".onnx").write_bytes(content)
    card = Card(
        id=judging.POLICY,
        sentence=SENTENCE,
        source=f"ours: docs.judged.imitation, fitted to {judging.DATA} (CC BY 4.0)",
        game=game.id,
        version=game.version,
        observation=("period", "seat", *(f"contribution[{seat}]" for seat in range(game.seats))),
        action=("contribution",),
        sampling="sample",
        config=game.config.model_dump(mode="json"),
        algorithm="imitation of people by maximum likelihood",
        command=f"python -m docs.judged --data DIR --policy {folder}",
        seed=0,
        steps=people.replies.size + people.gifts[0].size,
        seconds=round(seconds, 1),
        aim="people",
        against=SELF,
        sha256=hashlib.sha256(content).hexdigest(),
    )
    policy = policy_class(card, path).for_game(game)
    fitted = float(scores(policy, people).mean())
    card = card.model_copy(update={"likeness": likeness(judgements, people, fitted)})
    write_whole(path, card.model_dump_json(indent=2) + "\n")


def likeness(judgements: Mapping[str, Judged], people: People, fitted: float) -> Likeness:
    """Return the scores for the policy's card; `fitted` is the policy's score on all people."""
    means = {name: round(float(model.scores.mean()), 4) for name, model in judgements.items()}
    return Likeness(
        data=f"{people.replies.shape[1]} people of {judging.DATA}",
        replies=people.replies.size,
        per_reply=means[judging.IMITATION],
        others={name: means[name] for name in BESIDE},
        verdict=compared(judgements, people),
        fitted=round(fitted, 4),
    )


def scores(policy: Policy, people: People) -> Array:
    """Return the log probabilities (T - 1, P, 3) that the policy assigns to replies after the first
    period.
    """
    before = people.actions[:-1]
    logs = np.array(
        [
            [[_logs(policy, period, last, gift) for gift in range(3)] for last in range(3)]
            for period in range(1, 1 + len(before))
        ]
    )  # (T - 1, 3, 3, 3)
    period = np.arange(len(before))[:, None, None]
    return np.asarray(logs[period, before[..., None], np.arange(3), people.replies[1:]])


def _logs(policy: Policy, period: int, last: int, gift: int) -> Array:
    """Return the log probabilities of giving nothing, some and everything, for a seat that gave
    `last` while the others gave `gift`; both are indices of gifts."""
    play = engine.Episode(engine.make("sanctions", archetype="unsanctioned"))
    endowment = policy.rules.endowment
    gave = np.array([last, gift, gift, gift]) * endowment / 2
    seen = {**play.observation(0), "period": np.array(period), "contribution": gave}
    odds = policy.odds(play.allowed(0), seen, policy.start())
    likely = None if odds is None else odds["contribution"]
    assert isinstance(likely, Normal)  # noqa: S101  the policy draws an amount
    return imitation.gift_logs(*((end - likely.mean) / likely.sd for end in (0.0, endowment)))


def model(weights: Array, opening: Array, game: Game[Any]) -> bytes:
    """Return the ONNX model. It computes `imitation.features` and, from these, the mean and
    standard deviation of the drawn number.

    weights   (2, 15) as in `imitation.Imitation`
    opening   (2,) edge and width in the first period
    """
    graph, seats = Graph(), game.seats
    period, seat = (graph.columns("observation", np.array([place])) for place in range(2))
    amounts = graph.columns("observation", np.arange(2, 2 + seats))
    shares = graph.add("Div", amounts, graph.constant(np.array([game.core.endowment])))
    before, gift = _split(graph, seat, shares, seats)
    gift_hats = _hats(graph, gift)
    column = graph.add("Reshape", gift_hats, graph.constant(np.array([-1, 3, 1])))
    row = graph.add("Reshape", _hats(graph, before), graph.constant(np.array([-1, 1, 3])))
    table = graph.add("Mul", column, row)
    cells = graph.add("Reshape", table, graph.constant(np.array([-1, 9])))
    last = graph.constant(np.array([imitation.PERIODS - 1.0]))
    passed = graph.add("Div", graph.add("Min", period, last), last)
    seen = graph.add("Concat", cells, graph.add("Mul", gift_hats, passed), axis=1)
    later = graph.linear(seen, _of_later(weights), np.zeros(2))
    opens = graph.add("Less", period, graph.constant(np.ones(1)))
    both = graph.add("Where", opens, graph.constant(opening[None]), later)
    edge, width = (graph.columns(both, np.array([place])) for place in range(2))
    unit = graph.add("Exp", graph.add("Neg", width))
    graph.add("Mul", graph.constant(np.full(1, 2.0)), unit, output="spread")  # -1 to 1 is 2
    below = graph.add("Mul", edge, "spread")
    graph.add("Sub", graph.constant(-np.ones(1)), below, output="action")
    return graph.model({"observation": 2 + seats}, {"action": 1, "spread": 1})


def _of_later(weights: Array) -> Array:
    """Return the weights (2, 12) of the features after the first period."""
    cells = weights[:, :12].reshape(2, 3, 4)[..., :3].reshape(2, 9)
    return np.concatenate([cells, weights[:, 12:]], axis=1)


def _split(graph: Graph, seat: str, shares: str, seats: int) -> tuple[str, str]:
    """Return the seat's own share, and the mean share of the others."""
    unit, axis = graph.constant(np.ones(1)), graph.constant(np.array([1]))
    numbers = graph.constant(np.arange(float(seats))[None])
    away = graph.add("Abs", graph.add("Sub", seat, numbers))
    here = graph.add("Relu", graph.add("Sub", unit, away))
    before = graph.add("ReduceSum", graph.add("Mul", shares, here), axis)
    rest = graph.add("Sub", graph.add("ReduceSum", shares, axis), before)
    return before, graph.add("Div", rest, graph.constant(np.array([seats - 1.0])))


def _hats(graph: Graph, share: str) -> str:
    """Return the node that computes `imitation.hats` of a share."""
    away = graph.add("Abs", graph.add("Sub", share, graph.constant(imitation.HATS[None])))
    halves = graph.add("Mul", graph.constant(np.full(1, 2.0)), away)
    return graph.add("Relu", graph.add("Sub", graph.constant(np.ones(1)), halves))
