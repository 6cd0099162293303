"""Imitation: a network learns to decide like a scripted policy before it learns from rewards.

In every state that the learners reach, the scripted policy is asked what it would do, and the
network learns these decisions (Ross, Gordon and Bagnell 2011, AISTATS 15). In the first round the
scripted policy plays, and in the last round the network plays. In between, each learner follows one
or the other at random in each period, with a probability that shifts from the policy to the
network. The rewards of a round train the network's estimate of values.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from mixed_company import policies
from mixed_company.adapters.batch import Batch
from mixed_company.engine.contract.space import Array
from mixed_company.learning.training.classroom import Classroom
from mixed_company.policies.bench import Bench, by_seat

RATE = 1e-3


class Teacher:
    """A scripted policy that is asked what it would do in each seat that learns.

    Raises ConfigError or UnknownName for a policy.
    """

    def __init__(self, classroom: Classroom, policy: str) -> None:
        self._teachers = [_BatchTeacher(part.batch, policy) for part in classroom.parts]

    def answers(self) -> Array:
        """Return the policy's current actions as flat actions, one row per learner.

        Amounts that the current stage does not use are NaN.
        """
        return np.concatenate([teacher.answers() for teacher in self._teachers])

    def forget(self, dones: Array) -> None:
        """Forget the memories of plays that have ended; `dones` (N,) contains a flag per
        learner."""
        ends = np.cumsum([teacher.batch.size for teacher in self._teachers])
        for teacher, part in zip(self._teachers, np.split(dones, ends[:-1]), strict=True):
            teacher.forget(part)


class _BatchTeacher:
    """The scripted policy that teaches the learners of one batch."""

    def __init__(self, batch: Batch, policy: str) -> None:
        self.batch = batch
        teacher = policies.make(policy, batch.game)
        self.bench = Bench(
            batch.game, by_seat(dict.fromkeys(batch.seats, teacher), batch.game.seats)
        )
        self.forget(np.ones(batch.size, dtype=np.bool_))

    def answers(self) -> Array:
        plays, seats = self.batch.plays, list(self.batch.seats)
        wanted = self.bench.decide(plays.seeds, plays.state, plays.observations)
        decided = {
            name: value[:, seats].reshape(-1, *value.shape[2:]) for name, value in wanted.items()
        }
        allowed = self.batch.game.allowed(plays.state).rows((slice(None), seats))
        numbers = self.batch.acts.sent(decided, allowed)
        if not self.batch.acts.choices:
            numbers[..., self.batch.acts.places(allowed.idle)] = np.nan
        return numbers

    def forget(self, dones: Array) -> None:
        over = dones.reshape(-1, len(self.batch.seats)).all(axis=1)
        self.bench.begin(np.flatnonzero(over), over.size)


class _Lesson(NamedTuple):
    """Data of a round as tensors, with one row per period and learner."""

    seen: Any
    wanted: Any
    masks: Any
    returns: Any


def imitate(model: Any, classroom: Classroom, policy: str, steps: int) -> int:
    """Train the network of a Stable-Baselines3 learner to imitate; return the number of decisions.

    Rounds are as long as the learner's own, and there are enough of them for `steps` decisions.
    Raises ConfigError or UnknownName for a policy.
    """
    teacher = Teacher(classroom, policy)
    seen = classroom.reset()
    size = int(model.n_steps) * classroom.num_envs
    rounds = -(-steps // size)
    for number in range(rounds):
        follows = 1.0 - number / max(1, rounds - 1)
        seen, lesson = _round(model, classroom, teacher, seen, follows)
        for _ in range(model.n_epochs):
            for part in _parts(lesson, model.batch_size):
                _learn(model, part)
        line = f"imitates {policy}: round {number + 1} of {rounds}"
        print(f"\r{line}   ", end="", file=sys.stderr, flush=True)
    return int(rounds * size)


def _round(
    model: Any, classroom: Classroom, teacher: Teacher, seen: Array, follows: float
) -> tuple[Array, _Lesson]:
    """Play a round; return the observations at its end, and its data."""
    rows, rewards, dones = [], [], []
    for _ in range(model.n_steps):
        wanted = teacher.answers()
        masks = classroom.action_masks() if _choices(model) else np.ones(len(seen))
        rows.append((seen, wanted, masks))
        sent = np.array(model.predict(seen, **_masked(model, masks))[0])
        theirs = np.random.random(len(seen)) < follows
        sent[theirs] = np.nan_to_num(wanted[theirs])
        seen, reward, done, _ = classroom.step(sent)
        teacher.forget(done)
        rewards.append(reward)
        dones.append(done)
    with torch.no_grad():
        ahead = model.policy.predict_values(torch.as_tensor(seen)).numpy().ravel()
    returns = _returns(np.stack(rewards), np.stack(dones), ahead, model.gamma)
    stacked = [np.concatenate(column) for column in zip(*rows, strict=True)]
    return seen, _Lesson(*map(torch.as_tensor, (*stacked, returns.ravel())))


def _returns(rewards: Array, dones: Array, ahead: Array, discount: float) -> Array:
    """Return discounted returns (T, N) by period; `ahead` (N,) are the returns expected after the
    last period."""
    returns = np.empty_like(rewards)
    for period in reversed(range(len(rewards))):
        ahead = rewards[period] + discount * np.where(dones[period], 0.0, ahead)
        returns[period] = ahead
    return returns


def _parts(lesson: _Lesson, size: int) -> Iterator[_Lesson]:
    order = np.random.permutation(len(lesson.seen))
    for start in range(0, len(order), size):
        yield _Lesson(*(array[order[start : start + size]] for array in lesson))


def _learn(model: Any, lesson: _Lesson) -> None:
    """Take one optimiser step towards the teacher's decisions and the returns.

    The teacher's choices become more likely, and mean amounts move towards the teacher's amounts,
    except where these are NaN.
    """
    distribution = model.policy.get_distribution(lesson.seen, **_masked(model, lesson.masks))
    if _choices(model):
        wrong = -distribution.log_prob(lesson.wanted).mean()
    else:
        used = ~torch.isnan(lesson.wanted)
        wrong = ((distribution.mode()[used] - lesson.wanted[used]) ** 2).mean()
    expected = model.policy.predict_values(lesson.seen).ravel()
    wrong = wrong + 0.5 * ((expected - lesson.returns) ** 2).mean()
    optimiser = model.policy.optimizer
    for group in optimiser.param_groups:
        group["lr"] = RATE
    optimiser.zero_grad()
    wrong.backward()
    torch.nn.utils.clip_grad_norm_(model.policy.parameters(), model.max_grad_norm)
    optimiser.step()


def _choices(model: Any) -> bool:
    return not hasattr(model.policy, "log_std")


def _masked(model: Any, masks: Any) -> dict[str, Any]:
    return {"action_masks": masks} if _choices(model) else {}
