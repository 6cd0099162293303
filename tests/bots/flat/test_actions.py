"""Flat actions: what numbers mean, what is open, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from bots.flat.actions import Allowed, Bounds, FlatActions, allowed_to
from engine.contract.errors import ActionError, ConfigError
from engine.contract.space import Field
from tests.adapters.plays import ARCHETYPES, lab, short


def flat_of(game):
    return FlatActions(game.declaration.actions)


def governed_play():
    """Everybody has taken something of 100, and holds it now: 2, 4, 6 and 8 points."""
    play = engine.Episode(engine.make("commons_game", archetype="governed"), seed=1)
    play.step({"harvest": [2, 4, 6, 8], "contribution": [0, 0, 0, 0]})
    return play


def test_amounts_are_spread_over_the_declared_range():
    play = engine.Episode(lab(), seed=1)
    now = allowed_to(play, 0)
    flat = flat_of(play.game)
    for number, harvest in ((-1, 0), (-0.5, 2.5), (0, 5), (1, 10), (-7, 0), (3, 10)):
        read, illegal = flat.read([number, 0], now)
        assert float(read["harvest"]) == harvest
        assert not illegal


def test_an_end_that_is_not_declared_is_what_the_seat_can_give_now():
    play = governed_play()
    flat = flat_of(play.game)
    assert float(flat.read([0, 1], allowed_to(play, 3))[0]["contribution"]) == 8
    assert float(flat.read([0, 0], allowed_to(play, 3))[0]["contribution"]) == 4
    assert float(flat.read([0, 0.5], allowed_to(play, 0))[0]["contribution"]) == 1.5


def test_both_ends_are_met_exactly():
    field = Field("dose", "", low=0.1, high=0.7)
    flat = FlatActions((field,))
    now = Allowed({"dose": np.array(0.1)}, {"dose": np.array(0.7)}, {"dose": np.array(0.1)})
    assert float(flat.read([1.0], now)[0]["dose"]) == 0.7
    assert float(flat.read([-1.0], now)[0]["dose"]) == 0.1


def test_whole_amounts_are_rounded():
    field = Field("units", "", kind="whole", low=0, high=10)
    ends = {"units": np.zeros(3)}, {"units": np.full(3, 10)}, {"units": np.zeros(3)}
    read, _ = FlatActions((field,)).read([[-1], [0.05], [1]], Allowed(*ends))
    assert read["units"].tolist() == [0, 5, 10]  # 0.05 is 5.25


def village(seat):
    """Seat 1 of the published instance reaches the mines 1, 2 and 3 of 23."""
    play = engine.Episode(engine.make("gem_mining", archetype="momaland_42"), seed=1)
    return flat_of(play.game), allowed_to(play, seat)


def test_the_mask_shows_the_mines_in_reach():
    flat, now = village(1)
    assert flat.sizes == (23,)
    assert np.flatnonzero(flat.masks(now)).tolist() == [1, 2, 3]


def test_a_choice_that_is_not_open_becomes_the_default_and_is_reported():
    flat, now = village(1)
    read, illegal = flat.read(3, now)
    assert (int(read["mine"]), bool(illegal)) == (3, False)
    read, illegal = flat.read(4, now)
    assert (int(read["mine"]), bool(illegal)) == (1, True)  # the first mine in reach


def test_an_index_counts_from_the_first_choice():
    field = Field("vote", "", kind="choice", low=-1, high=1)
    now = Allowed({"vote": np.array(-1)}, {"vote": np.array(0)}, {"vote": np.array(0)})
    flat = FlatActions((field,))
    assert [int(flat.read(index, now)[0]["vote"]) for index in (0, 1, 2)] == [-1, 0, 0]
    assert flat.masks(now).tolist() == [True, True, False]


def test_several_choices_are_several_indices_with_their_masks_side_by_side():
    layout = (
        Field("mine", "", kind="choice", low=0, high=2),
        Field("vote", "", kind="flag", low=0, high=1, default=1),
    )
    ends = [{"mine": np.array(a), "vote": np.array(b)} for a, b in ((1, 0), (2, 1), (1, 1))]
    flat = FlatActions(layout)
    read, illegal = flat.read([2, 0], Allowed(*ends))
    assert ({name: int(value) for name, value in read.items()}, bool(illegal)) == (
        {"mine": 2, "vote": 0},
        False,
    )
    assert flat.masks(Allowed(*ends)).tolist() == [False, True, True, True, True]
    assert (flat.shape, flat.sizes) == ((2,), (3, 2))


def test_choices_beside_amounts_have_no_flat_form():
    layout = (Field("mine", "", kind="choice", low=0, high=2), Field("paid", "", low=0, high=1))
    with pytest.raises(ConfigError, match=r"mine \(choice\), paid \(real\): a flat form needs"):
        FlatActions(layout)


def test_an_amount_without_any_end_is_refused():
    nothing = {"paid": np.array(0.0)}
    now = Allowed(nothing, {"paid": np.array(np.inf)}, nothing)
    with pytest.raises(ConfigError, match="paid: has no ends"):
        FlatActions((Field("paid", "", low=0),)).read([0], now)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ([0.0], r"shape \(1,\) should be \(2,\)"),
        (0.0, r"shape \(\) should be \(2,\)"),
        ([[0.0, 0.0]], r"shape \(1, 2\) should be \(2,\)"),
        ([0.0, float("nan")], "contribution = nan: must be a finite number"),
        ([float("inf"), 0.0], "harvest = inf: must be a finite number"),
        (["a", "b"], r"action \['a', 'b'\]: must be numbers"),
        ([[1], [1, 2]], "must be numbers"),
        (None, "action None: must be numbers"),
    ],
)
def test_what_is_no_amount_is_refused(sent, told):
    play = engine.Episode(lab(), seed=1)
    with pytest.raises(ActionError, match=told):
        flat_of(play.game).read(sent, allowed_to(play, 0))


@pytest.mark.parametrize("sent", [-1, 23, 0.5])
def test_what_is_no_choice_at_all_is_refused(sent):
    flat, now = village(1)
    with pytest.raises(ActionError, match=rf"mine = {sent}: unknown choice; .* from 0 to 22"):
        flat.read(sent, now)


def test_a_wrong_row_of_many_is_named():
    ends = [{"mine": np.full(4, end)} for end in (0, 2, 0)]
    flat = FlatActions((Field("mine", "", kind="choice", low=0, high=2),))
    with pytest.raises(ActionError, match="row 2: mine = 3: unknown choice"):
        flat.read([0, 1, 3, 2], Allowed(*ends))


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_a_batch_may_do_what_each_play_may_do(game_id, archetype):
    game = short(game_id, archetype)
    bounds = Bounds(game)
    state, _ = game.reset(np.arange(3))
    now = bounds.now(state)
    for seed in range(3):
        play = engine.Episode(game, seed)
        for seat in range(game.seats):
            one = allowed_to(play, seat)
            for many, single in zip(
                (now.low, now.high, now.default), (one.low, one.high, one.default), strict=True
            ):
                assert {name: value[seed, seat] for name, value in many.items()} == single


def test_who_may_not_act_can_only_do_the_default():
    agents = {
        "roles": {"all": {}, "still": {"acts": []}},
        "seats": ["all", "still", "all", "all"],
    }
    game = engine.make("punishment_vote", archetype="lab", agents=agents)
    state, _ = game.reset(np.arange(2))
    now = Bounds(game).now(state)
    masks = flat_of(game).masks(now)
    assert masks.sum(axis=-1).tolist() == [[7, 1, 7, 7]] * 2
    assert masks[:, 1, 6].all()  # 6 is to do nothing
    read, illegal = flat_of(game).read(np.zeros((2, 4)), now)
    assert read["action"].tolist() == [[0, 6, 0, 0]] * 2
    assert illegal.tolist() == [[False, True, False, False]] * 2
