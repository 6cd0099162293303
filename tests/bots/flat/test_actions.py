"""Flat actions: the meaning of the numbers, allowed ranges, and errors."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ActionError, ConfigError
from mixed_company.engine.contract.space import Field
from mixed_company.policies.flat.actions import FlatActions
from tests.adapters.plays import ARCHETYPES, lab, short


def flat_of(game):
    return FlatActions(game.declaration.actions)


def governed_play():
    """Return a play after one harvest from a stock of 100: the seats hold 2, 4, 6 and 8 points."""
    play = engine.Episode(engine.make("commons_game", archetype="governed"), seed=1)
    play.step({"harvest": [2, 4, 6, 8], "contribution": [0, 0, 0, 0]})
    return play


def test_amounts_are_spread_over_the_declared_range():
    play = engine.Episode(lab(), seed=1)
    allowed = play.allowed(0)
    flat = flat_of(play.game)
    for number, harvest in ((-1, 0), (-0.5, 2.5), (0, 5), (1, 10), (-7, 0), (3, 10)):
        read, illegal = flat.read([number, 0], allowed)
        assert float(read["harvest"]) == harvest
        assert not illegal


def test_an_undeclared_end_is_the_amount_the_seat_can_give_now():
    play = governed_play()
    flat = flat_of(play.game)
    assert float(flat.read([0, 1], play.allowed(3))[0]["contribution"]) == 8
    assert float(flat.read([0, 0], play.allowed(3))[0]["contribution"]) == 4
    assert float(flat.read([0, 0.5], play.allowed(0))[0]["contribution"]) == 1.5


def test_both_ends_are_reached_exactly():
    field = Field("dose", "", low=0.1, high=0.7)
    flat = FlatActions((field,))
    allowed = Allowed((field,), (), {}, {})
    assert float(flat.read([1.0], allowed)[0]["dose"]) == 0.7
    assert float(flat.read([-1.0], allowed)[0]["dose"]) == 0.1


def test_whole_amounts_are_rounded():
    field = Field("units", "", kind="whole", low=0, high=10)
    read, _ = FlatActions((field,)).read([[-1], [0.05], [1]], Allowed((field,), (3,), {}, {}))
    assert read["units"].tolist() == [0, 5, 10]  # 0.05 is 5.25


def village(seat):
    """Return seat 1 of the published instance, which reaches mines 1, 2 and 3 of 23."""
    play = engine.Episode(engine.make("gem_mining", archetype="momaland_42"), seed=1)
    return flat_of(play.game), play.allowed(seat)


def test_the_mask_shows_the_mines_in_reach():
    flat, allowed = village(1)
    assert flat.sizes == (23,)
    assert np.flatnonzero(flat.masks(allowed)).tolist() == [1, 2, 3]


def test_a_closed_choice_becomes_the_default_and_is_reported():
    flat, allowed = village(1)
    read, illegal = flat.read(3, allowed)
    assert (int(read["mine"]), bool(illegal)) == (3, False)
    read, illegal = flat.read(4, allowed)
    assert (int(read["mine"]), bool(illegal)) == (1, True)  # the first mine in reach


def test_an_index_counts_from_the_first_choice():
    field = Field("vote", "", kind="choice", low=-1, high=1)
    allowed = Allowed((field,), (), {"vote": (-1, 0)}, {})
    flat = FlatActions((field,))
    assert [int(flat.read(index, allowed)[0]["vote"]) for index in (0, 1, 2)] == [-1, 0, 0]
    assert flat.masks(allowed).tolist() == [True, True, False]


def test_several_choices_are_several_indices_with_concatenated_masks():
    layout = (
        Field("mine", "", kind="choice", low=0, high=2),
        Field("vote", "", kind="flag", low=0, high=1, default=1),
    )
    allowed = Allowed(layout, (), {"mine": (1, 2)}, {})
    flat = FlatActions(layout)
    read, illegal = flat.read([2, 0], allowed)
    assert ({name: int(value) for name, value in read.items()}, bool(illegal)) == (
        {"mine": 2, "vote": 0},
        False,
    )
    assert flat.masks(allowed).tolist() == [False, True, True, True, True]
    assert (flat.shape, flat.sizes) == ((2,), (3, 2))


def test_choices_mixed_with_amounts_have_no_flat_form():
    layout = (Field("mine", "", kind="choice", low=0, high=2), Field("paid", "", low=0, high=1))
    with pytest.raises(ConfigError, match=r"mine \(choice\), paid \(real\): in the flat form"):
        FlatActions(layout)


def test_an_amount_without_any_end_is_refused():
    layout = (Field("paid", "", low=0),)
    with pytest.raises(ConfigError, match="paid: is unbounded"):
        FlatActions(layout).read([0], Allowed(layout, (), {}, {}))


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ([0.0], r"shape \(1,\) should be \(2,\)"),
        (0.0, r"shape \(\) should be \(2,\)"),
        ([[0.0, 0.0]], r"shape \(1, 2\) should be \(2,\)"),
        ([0.0, float("nan")], "contribution = nan: must be a finite number"),
        ([float("inf"), 0.0], "harvest = inf: must be a finite number"),
        (["a", "b"], "action = 'a': must be a number"),
        ([[1], [1, 2]], "must be a number"),
        (None, "action = None: must be a number"),
        ([True, True], "action = True: must be a number"),
        (np.ma.array([1, 1], mask=[True, True]), "action is a masked array: must be numbers"),
    ],
)
def test_an_invalid_amount_is_refused(sent, message):
    play = engine.Episode(lab(), seed=1)
    with pytest.raises(ActionError, match=message):
        flat_of(play.game).read(sent, play.allowed(0))


@pytest.mark.parametrize("sent", [-1, 23, 0.5, 12345678, 2**63, 1e308])
def test_an_invalid_choice_is_refused_and_quoted_as_sent(sent):
    flat, allowed = village(1)
    with pytest.raises(ActionError) as refused:
        flat.read(sent, allowed)
    assert str(refused.value) == f"mine = {sent}: unknown choice; a whole number from 0 to 22"


def test_a_wrong_row_of_many_is_named():
    layout = (Field("mine", "", kind="choice", low=0, high=2),)
    with pytest.raises(ActionError, match="row 2: mine = 3: unknown choice"):
        FlatActions(layout).read([0, 1, 3, 2], Allowed(layout, (4,), {}, {}))


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_a_batch_allows_what_each_play_allows(game_id, archetype):
    game = short(game_id, archetype)
    state, _ = game.reset(np.arange(3))
    batch = game.allowed(state)
    for seed in range(3):
        play = engine.Episode(game, seed)
        for seat in range(game.seats):
            alone = play.allowed(seat)
            for many, single in zip(
                (batch.low, batch.high, batch.default),
                (alone.low, alone.high, alone.default),
                strict=True,
            ):
                assert {name: value[seed, seat] for name, value in many.items()} == single


def test_a_seat_that_may_not_act_can_only_do_the_default():
    agents = {"roles": {"all": {}, "still": {"acts": []}}, "seats": ["all", "still", "all", "all"]}
    game = engine.make("punishment_vote", archetype="lab", agents=agents)
    state, _ = game.reset(np.arange(2))
    allowed = game.allowed(state)
    masks = flat_of(game).masks(allowed)
    assert masks.sum(axis=-1).tolist() == [[7, 1, 7, 7]] * 2
    assert masks[:, 1, 6].all()  # 6 means doing nothing
    read, illegal = flat_of(game).read(np.zeros((2, 4)), allowed)
    assert read["action"].tolist() == [[0, 6, 0, 0]] * 2
    assert illegal.tolist() == [[False, True, False, False]] * 2
