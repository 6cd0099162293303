"""Free rider, which relies on others' payments."""

from __future__ import annotations

import pytest

from tests.bots.scripted.commons_game.seat import UNSEEN, Seat, harvests, table


def test_free_rider_takes_its_share_and_everything_the_pool_just_added():
    # 2.5 + 0.5 * 6 = 5.5.
    assert Seat("free_rider").takes(pool=6) == 5.5


def test_free_rider_takes_its_share_if_there_is_no_pool():
    assert Seat("free_rider").takes(pool=0) == 2.5


def test_free_rider_takes_its_share_if_it_cannot_see_the_pool():
    assert Seat("free_rider").takes(pool=UNSEEN) == 2.5


def test_free_rider_requests_no_more_than_its_limit():
    assert Seat("free_rider").takes(pool=1000) == 10


@pytest.mark.parametrize("stock", [0, 40, 100])
def test_free_rider_never_pays(stock):
    assert Seat("free_rider").pays(stock=stock, wealth=100, pool=6) == 0


def test_free_rider_earns_more_than_the_stewards_it_lives_on():
    governed = {"governance": "per_step", "initial_wealth": 20, "pool_effect": 2}
    steps = table("free_rider", *["steward"] * 3, initial_stock=20, **governed)
    # 0.4 * 20 * 0.8 = 6.4 regrow, 1.6 each. Three stewards pay a tenth of 20 in the first period:
    # pool 6, so 2 * 6 and a share, at most 10.
    assert harvests(steps, 0)[:2] == pytest.approx([1.6, 10])
    earned = sum(step.rewards for step in steps)
    assert earned[0] > max(earned[1:])
