"""Training against replies: each reply that is found joins the deviators, until gains stop
falling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the `training` extra", exc_type=ImportError)
pytest.importorskip("sb3_contrib", reason="needs the `training` extra", exc_type=ImportError)

from mixed_company import engine
from mixed_company import policies as bots
from mixed_company.engine import ConfigError
from mixed_company.learning.exploit.families import OpenLoop, Reply, as_they_are
from mixed_company.learning.training import learning, rounds
from mixed_company.learning.training.classroom import Deviator, rooms
from mixed_company.learning.training.plan import Plan
from mixed_company.policies.trained.card import Round, read
from tests.bots.training.test_ppo import COMMONS, bytes_of, train

REPLYING = ["--against-replies", "2", "--effort", "1,2,1,8", "periods=3"]


def greedy(game):
    return [Reply("greedy", "as it is", bots.make("greedy", game))]


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    """Use rounds of a few plays, a checkpoint after each update, and few replies."""
    monkeypatch.setattr(learning, "ROUND", 96)
    monkeypatch.setattr(rounds, "as_they_are", greedy)
    monkeypatch.setattr(learning, "CHECKPOINTS", 1)
    monkeypatch.setattr(learning, "EPOCHS", 1)
    monkeypatch.setattr(bots, "_folders", {})
    yield
    bots._all.cache_clear()


@pytest.fixture
def entered(monkeypatch):
    """Return a list that collects the deviators of every classroom."""
    every = []

    def noting(*arguments):
        every.append(list(arguments[-2]))
        return rooms(*arguments)

    monkeypatch.setattr(learning, "rooms", noting)
    return every


def test_a_reply_of_the_first_round_is_a_deviator_in_the_second(tmp_path, entered):
    assert train(tmp_path, COMMONS, *REPLYING, "--deviators", "greedy", steps=200) == 0
    card = read(tmp_path / "pupil.json")
    first, second, *_ = entered
    assert first == [Deviator("greedy")]
    assert second[0] == Deviator("greedy")
    seats = [seat for seat, name in enumerate(card.rounds[0].replies) if name != "itself"]
    assert seats  # eight units trained on 200 decisions are not a best reply
    assert [deviator.seat for deviator in second[1:]] == seats
    for deviator, seat in zip(second[1:], seats, strict=True):
        name = card.rounds[0].replies[seat]
        assert deviator.policy == name or isinstance(deviator.policy, OpenLoop)
    assert len(entered) == len(card.rounds)


def test_a_path_takes_its_seat_with_its_actions():
    game = engine.make("commons_game", archetype="lab", periods=3)
    path = {"harvest": [1.0, 2.0, 3.0], "contribution": [0.0, 0.0, 0.0]}
    deviator = rounds.Answer(2, "periods", path).deviator(game)
    together, deterring = rooms(game, 2, 1, "group", "", (), [deviator])
    assert (together.batch.seats, deterring.batch.seats) == ((0, 1, 2, 3), (0, 1, 3))
    for harvest in path["harvest"]:
        deterring.step_async(np.full((3, 2), -1.0))  # the learners take nothing
        deterring.step_wait()
        rewards = deterring.batch._returns  # minus the points of the deviator so far
        if harvest < 3.0:
            assert rewards.tolist() == [[-harvest * (harvest + 1) / 2] * 3]


@pytest.mark.parametrize(
    ("shares", "limit", "ends"),
    [
        ([0.4], 1, True),
        ([0.4], 9, False),
        ([0.4, 0.3, 0.2], 9, False),
        ([0.4, 0.5, 0.6], 9, False),  # two rounds without a smaller share may be bad luck
        ([0.4, 0.5, 0.6, 0.4], 9, True),  # the same as before does not count as smaller
        ([0.4, 0.5, 0.6, 0.3], 9, False),
        ([0.4, 0.5, 0.3], 3, True),
        ([0.4, 0.5, 0.3, 0.35, 0.31, 0.3], 9, True),
    ],
)
def test_the_training_ends_when_three_rounds_have_not_lowered_the_share(shares, limit, ends):
    assert rounds.over(shares, limit) is ends


def test_the_policy_of_the_smallest_share_is_kept_and_its_numbers_are_on_the_card(
    tmp_path, monkeypatch
):
    shares = iter([0.4, 0.2, 0.3, 0.25, 0.2, 0.1])  # the last round is not reached
    models = []

    def search(plan, card, model, number):
        assert number == len(models)
        models.append(model)
        entry = Round(points=1.0, shares=(next(shares), 0.0), replies=("greedy", "itself"))
        answer = rounds.Answer(0, "greedy", None)
        return rounds.Searched(entry, (answer,), card, model)

    monkeypatch.setattr(rounds, "search", search)
    assert train(tmp_path, COMMONS, "--against-replies", "9", "periods=3", steps=100) == 0
    card = read(tmp_path / "pupil.json")
    assert [entry.share for entry in card.rounds] == [0.4, 0.2, 0.3, 0.25, 0.2]
    assert bytes_of(tmp_path) == models[1]
    assert len(set(models)) == 5


@pytest.mark.parametrize("stop", [2, 4])  # in the first round, and in the second
def test_a_training_that_stops_in_any_round_ends_with_the_same_weights(tmp_path, monkeypatch, stop):
    whole, again, broken = (tmp_path / name for name in ("whole", "again", "broken"))
    for folder in (whole, again):
        assert train(folder, COMMONS, *REPLYING, steps=200) == 0
    assert bytes_of(whole) == bytes_of(again)
    calls = []

    def interrupted(_):
        calls.append(1)
        if len(calls) == stop:
            raise ConfigError("the test interrupts it")

    with monkeypatch.context() as patch:
        patch.setattr(learning._Reporting, "_tell", interrupted)
        assert train(broken, COMMONS, *REPLYING, steps=200) == 2
    assert train(broken, COMMONS, *REPLYING, "--resume", steps=200) == 0
    assert bytes_of(broken) == bytes_of(whole)
    first, second = (read(folder / "pupil.json") for folder in (whole, broken))
    assert (first.rounds, first.steps) == (second.rounds, second.steps)


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (["--against", "greedy"], "against_replies = 2: cannot be used with --against"),
        (["--effort", "1,2"], "effort = 1,2: should be rounds, candidates, plays of a candidate, "),
        (["--effort", "0,2,1,8"], "rounds = 0: should be at least 1"),
        (["--effort", "1,2,1,7"], "plays = 7: should be at least 8"),
        (["--rivalry", "-1"], "rivalry = -1.0: should be at least 0"),
        (["--against-replies", "-1"], "against_replies = -1: should be at least 0"),
    ],
)
def test_impossible_searches_are_refused_before_the_training(tmp_path, capsys, more, text):
    assert train(tmp_path, COMMONS, *REPLYING, *more) == 2
    assert text in capsys.readouterr().err
    assert not tmp_path.exists() or not list(tmp_path.iterdir())


def test_other_trained_policies_do_not_change_the_replies(tmp_path, monkeypatch):
    monkeypatch.setattr(rounds, "as_they_are", as_they_are)
    game = engine.make("commons_game", archetype="lab")
    plan = Plan(game, "pupil", tmp_path, "Learns.", "group", 1, 1, deviators=("greedy",))
    names = [reply.name for reply in rounds._ready(plan)]
    assert names.count("greedy") == 1
    assert not [name for name in names if name.startswith("commons_ppo")]
    more = replace(plan, deviators=("commons_ppo_lab_own",))
    assert rounds._ready(more)[-1].name == "commons_ppo_lab_own"
