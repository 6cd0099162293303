"""Training against replies: in every round, the best replies to a policy join its deviators.

In every round, the network is trained, and then a search looks for the best reply in every seat
(see `learning.exploit`). In all later rounds, each reply takes its seat as a deviator. The training
ends when the last three rounds have not lowered the share of the range that a reply can gain. The
verdict on a card also depends on this share. The policy from the round with the smallest share is
kept.

The best reply is chosen from among searched replies, scripted policies and the named deviators.
Other trained policies are left out, because the result would otherwise depend on which ones exist.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from mixed_company import policies
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.game import Game
from mixed_company.learning.exploit.families import OpenLoops, Reply, as_they_are
from mixed_company.learning.exploit.replies import AS_IT_IS, ITSELF, exploited
from mixed_company.learning.exploit.report import as_gap
from mixed_company.learning.exploit.searches import Effort
from mixed_company.learning.training.classroom import Deviator
from mixed_company.learning.training.plan import Plan
from mixed_company.policies.policy import Policy
from mixed_company.policies.trained.card import Card, Round, shares_of_range
from mixed_company.policies.trained.policy import Trained, policy_class

PATIENCE = 3
"""Number of consecutive rounds without a smaller share after which the training ends."""


class Answer(NamedTuple):
    """The best reply in a seat: the name of a policy, or a path of actions as plain numbers."""

    seat: int
    policy: str
    path: dict[str, list[Any]] | None

    def deviator(self, game: Game[Any]) -> Deviator:
        """Return the reply as a deviator in its seat."""
        if self.path is None:
            return Deviator(self.policy, self.seat)
        path = {name: np.array(values) for name, values in self.path.items()}
        return Deviator(OpenLoops(game).reply(path).policy, self.seat)


@dataclass(frozen=True)
class Searched:
    """A round: its entry on the card, the replies that gain, and the policy's card and model."""

    round: Round
    answers: tuple[Answer, ...]
    card: Card
    model: bytes


def search(plan: Plan, card: Card, model: bytes, number: int) -> Searched:
    """Search for the best reply to a policy in every seat, after round `number` (counted from
    0)."""
    *effort, plays = plan.effort
    game, seed = plan.game, seed_of(plan, "replies", number)
    result = exploited(
        game,
        policy_of(card, model, game),
        plays,
        seed,
        effort=Effort(*effort),
        ready=_ready(plan),
    )
    answers = tuple(
        Answer(seat.seat, reply.name, _plain(reply))
        for seat in result.seats
        if (reply := seat.best.reply).name != ITSELF and seat.best.gain.value > 0
    )
    gap = as_gap(result)
    shares = tuple(round(share, 4) for share in shares_of_range(gap))
    entry = Round(points=gap.own.mean, shares=shares, replies=gap.replies)
    line = f"round {number + 1}: {entry.points:.2f} points, {100 * entry.share:.1f}% of the range"
    print(f"\n{line}, by {', '.join(entry.replies)}", file=sys.stderr, flush=True)
    return Searched(entry, answers, card, model)


def over(shares: Sequence[float], limit: int) -> bool:
    """Return whether training ends after rounds in which replies gained these shares.

    Training ends after `limit` rounds, or after PATIENCE rounds without a smaller share.
    """
    return len(shares) >= limit or len(shares) - 1 - shares.index(min(shares)) >= PATIENCE


def deviators(plan: Plan, rounds: Sequence[Searched]) -> list[Deviator]:
    """Return the deviators for the next round: the named deviators, and the replies of all
    rounds."""
    named = [Deviator(name) for name in plan.deviators]
    return named + [answer.deviator(plan.game) for past in rounds for answer in past.answers]


def kept(rounds: Sequence[Searched]) -> Searched:
    """Return the first round with the smallest share."""
    return min(rounds, key=lambda searched: searched.round.share)


def seed_of(plan: Plan, purpose: str, number: int) -> int:
    """Return the seed for a round's plays or searches; each of them has a different seed."""
    return int(generator(plan.seed, purpose, number).integers(2**31))


def policy_of(card: Card, model: bytes, game: Game[Any]) -> Policy:
    """Return a policy that is not in any folder yet."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{card.id}.json"
        path.with_suffix(".onnx").write_bytes(model)
        return policy_class(card, path).for_game(game)


def _ready(plan: Plan) -> list[Reply]:
    """Return the scripted policies and the named deviators, as they are."""
    scripted = [reply for reply in as_they_are(plan.game) if not isinstance(reply.policy, Trained)]
    names = {reply.name for reply in scripted}
    more = [name for name in plan.deviators if name not in names]
    return scripted + [Reply(name, AS_IT_IS, policies.make(name, plan.game)) for name in more]


def _plain(reply: Reply) -> dict[str, list[Any]] | None:
    if reply.path is None:
        return None
    return {name: values.tolist() for name, values in reply.path.items()}
