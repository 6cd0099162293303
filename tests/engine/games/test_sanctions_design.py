"""The design of a public good: all-or-nothing choices, taking, visible earnings, and an undisclosed
number of periods.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, Episode
from mixed_company.engine import kit as check
from mixed_company.engine.contract.schema import action_schema
from mixed_company.engine.kit.leaks import leaks
from mixed_company.engine.play import record

EVERYTHING = {
    "contributions": "all_or_nothing",
    "framing": "take",
    "others_earnings": "seen",
    "periods_told": False,
}
REWARDS = {"peer": "both", "peer_reward_cost": 2.0, "peer_reward_effect": 5.0}


def good(**changes: Any) -> Any:
    return engine.make("sanctions", **{"archetype": "unsanctioned", "periods": 3, **changes})


# -- sums by hand ------------------------------------------------------------------------------


def test_an_amount_counts_as_the_nearer_end_where_only_all_or_nothing_can_be_given() -> None:
    # Endowment 20, middle 10. 20 and 12 count as 20; 10, the middle, and 0 count as 0.
    # The pool has 40 and pays 0.4 * 40 = 16 to each: 0 + 16, 0 + 16, 20 + 16, 20 + 16.
    play = Episode(good(contributions="all_or_nothing"), seed=1)
    period = play.step({"contribution": [20, 12, 10, 0]})
    assert period.used["contribution"].tolist() == [20, 20, 0, 0]
    assert period.rewards.tolist() == [16, 16, 36, 36]
    game, sent = good(contributions="all_or_nothing", periods=1), {"contribution": [20, 12, 10, 0]}
    lines = record.play(game, [sent], seed=1)
    assert [line["seat"] for line in lines if line.get("event") == "clamped"] == [1, 2]


def test_all_is_each_seats_own_endowment() -> None:
    # Middles 5, 10, 10, 20: 6 of 10 counts as 10, 6 of 20 as 0, 19 of 40 as 0, and 21 of 40 as 40.
    game = good(contributions="all_or_nothing", endowment=(10.0, 20.0, 40.0, 40.0), baseline=5.0)
    used = Episode(game, seed=1).step({"contribution": [6, 6, 19, 21]}).used
    assert used["contribution"].tolist() == [10, 0, 0, 40]


def test_pages_and_bots_send_only_the_ends() -> None:
    play = Episode(good(contributions="all_or_nothing"), seed=1)
    allowed = play.allowed(0)
    moved = [allowed.nearest({"contribution": amount})["contribution"] for amount in (3, 10, 11)]
    assert moved == [0, 0, 20]
    drawn = play.game.allowed(play.game.reset(1)[0]).sample(np.random.default_rng(1))[
        "contribution"
    ]
    assert set(drawn.tolist()) <= {0.0, 20.0}
    assert action_schema(allowed)["properties"]["contribution"]["enum"] == [0.0, 20.0]


def test_framing_changes_no_number() -> None:
    contributions = [[0, 5, 10, 20], [7, 7, 7, 7], [20, 20, 0, 0]]
    plays = [Episode(good(framing=framing), seed=1) for framing in ("give", "take")]
    for amounts in contributions:
        give, take = (play.step({"contribution": amounts}) for play in plays)
        assert give.rewards.tolist() == take.rewards.tolist()
        assert plays[0].observation_json(2) == plays[1].observation_json(2)


def test_earnings_in_view_include_peer_points() -> None:
    # Contributions 20, 10, 0, 0 pay 0.4 * 30 = 12 to each: 12, 22, 32, 32. Seat 0 gives 2 reward
    # points to seat 1 (cost 2 * 2 = 4, 5 * 2 = 10 more), and 3 punishment points to seat 2 (cost 3,
    # 3 * 3 = 9 less): 12 - 7 = 5, 22 + 10 = 32, 32 - 9 = 23, 32.
    play = Episode(good(others_earnings="seen", **REWARDS), seed=1)
    play.step({"contribution": [20, 10, 0, 0]})
    assert play.observation_json(3)["earned"] == [12, 22, 32, 32]
    period = play.step({"assign": [[0, 2, -3, 0], [0] * 4, [0] * 4, [0] * 4]})
    assert period.rewards.tolist() == [5, 32, 23, 32]
    assert play.observation_json(3)["earned"] == [5, 32, 23, 32]
    assert period.components["peer_cost"].tolist() == [-7, 0, 0, 0]


def test_hidden_earnings_are_hidden_at_the_second_step() -> None:
    for others_earnings, expected in (
        ("step", [12, 22, 32, 32]),
        ("hidden", [None, 22, None, None]),
    ):
        play = Episode(good(others_earnings=others_earnings, peer="punishment"), seed=1)
        play.step({"contribution": [20, 10, 0, 0]})
        assert play.observation_json(1)["income"] == expected
        assert "earned" not in play.observation_json(1)


def test_policies_see_the_same_parameters_whatever_the_untold_number_of_periods() -> None:
    short, long = (good(periods=periods, periods_told=False) for periods in (3, 30))
    assert short.told == long.told
    assert short.told.periods == 10_000
    assert short.told_horizon is None
    assert [game.horizon for game in (short, long)] == [3, 30]
    assert good().told == good().core
    assert good().told_horizon == 3


# -- configurations ----------------------------------------------------------------------------


def test_a_design_at_its_defaults_is_not_written() -> None:
    plain, written = good(peer="both"), good(**EVERYTHING, **REWARDS)
    later = set(type(plain.core).later)
    assert not later & set(plain.config.core.model_dump())
    assert later <= set(written.config.core.model_dump())
    for game in (plain, written):
        config = game.config.model_dump(mode="json")
        assert engine.make(config).config == game.config


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        (
            {"archetype": "lab", "framing": "take"},
            "core.framing = 'take': needs lambda_R = 0.0, not 16.0",
        ),
        (
            {"archetype": "source", "contributions": "all_or_nothing"},
            "core.contributions = 'all_or_nothing': needs production = 'public_good', not "
            "'logarithmic'",
        ),
        (
            {"others_earnings": "seen", "reward": "integrated"},
            "core.others_earnings = 'seen': needs reward = 'private', not 'integrated'",
        ),
        (
            {"framing": "take", "endowment": 20.5},
            "core.framing = 'take': needs endowments in steps of 1, not endowment = 20.5",
        ),
        (
            {"peer": "punishment", "peer_reward_cost": 2},
            "core.peer_reward_cost = 2: needs peer = 'both'; with peer = 'punishment', set "
            "peer_cost",
        ),
        (
            {"peer_reward_effect": 2},
            "core.peer_reward_effect = 2.0: has an effect only with peer = 'punishment', 'reward' "
            "or 'both'",
        ),
        (
            {"peer": "both", "peer_max": 1, "peer_costs": (0, 1), "peer_reward_cost": 2},
            "core.peer_reward_cost = 2: has no effect if peer_costs is set; leave out one of "
            "the two",
        ),
        (
            {"peer": "both", "peer_effect_share": 0.1, "peer_reward_effect": 2},
            "core.peer_reward_effect = 2: has no effect if peer_effect_share is set; "
            "leave out one of the two",
        ),
        ({"framing": "tak"}, "core.framing = 'tak': should be 'give' or 'take'"),
    ],
)
def test_impossible_designs_are_refused(changes: dict[str, Any], error: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        good(**changes)
    assert str(refusal.value) == error


def layered(**layers: dict[str, Any]) -> dict[str, Any]:
    return {"layers": {name: {"intensity": 1, **layer} for name, layer in layers.items()}}


LIMITS = {"limits": {"member": {"contribution": 10}}}
DELAYED = {"hide": ("contribution",)}
BLIND = {"roles": {"member": {"sees": ["contribution"]}}}
WITH_LAYERS = ("layers_keep_the_contract", "nothing_leaks")
IN_WORDS = "is described to people only as contributing; leave out one of the two"
PAID = "changes the points that players get for a period; leave out one of the two"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        (
            {"contributions": "all_or_nothing", **layered(power=LIMITS)},
            "core.contributions = 'all_or_nothing': layers.power.limits changes what 'all' means; "
            "leave contribution out of it",
        ),
        (
            {"framing": "take", **layered(power=LIMITS)},
            f"core.framing = 'take': layers.power.limits {IN_WORDS}",
        ),
        (
            {"framing": "take", **layered(information=DELAYED)},
            f"core.framing = 'take': layers.information.hide {IN_WORDS}",
        ),
        (
            {"framing": "take", **layered(incentives={"fee": {"contribution": 1}})},
            f"core.framing = 'take': layers.incentives.fee {IN_WORDS}",
        ),
        (
            {"framing": "take", **layered(hierarchy={"groups": (0, 0, 1, 1)})},
            f"core.framing = 'take': layers.hierarchy {IN_WORDS}",
        ),
        (
            {"framing": "take", **layered(uncertainty={"shocks": {"contribution": 1}})},
            f"core.framing = 'take': layers.uncertainty.shocks {IN_WORDS}",
        ),
        (
            {"framing": "take", "agents": {"timing": "sequential"}},
            f"core.framing = 'take': agents.timing = 'sequential' {IN_WORDS}",
        ),
        (
            {"framing": "take", "agents": BLIND},
            f"core.framing = 'take': agents.roles.member {IN_WORDS}",
        ),
        (
            {"others_earnings": "seen", **layered(incentives={"fee": {"contribution": 1}})},
            f"core.others_earnings = 'seen': layers.incentives.fee {PAID}",
        ),
        (
            {"others_earnings": "seen", **layered(interaction={"share": 0.5})},
            f"core.others_earnings = 'seen': layers.interaction.share {PAID}",
        ),
        (
            {"others_earnings": "seen", **layered(temporal={"reward_delay": 1})},
            f"core.others_earnings = 'seen': layers.temporal.reward_delay {PAID}",
        ),
        (
            {
                "others_earnings": "seen",
                "agents": {"roles": {"member": {"rewards": {"member": 0.5}}}},
            },
            f"core.others_earnings = 'seen': agents.roles.member.rewards {PAID}",
        ),
        (
            {"others_earnings": "seen", **layered(information=DELAYED)},
            "core.others_earnings = 'seen': layers.information.hide leaves out earned, which "
            "reveals contribution",
        ),
        (
            {
                "others_earnings": "hidden",
                "peer": "punishment",
                **layered(information={"show": ("income",)}),
            },
            "core.others_earnings = 'hidden': layers.information.show shows the others' points; "
            "leave out one of the two",
        ),
    ],
)
def test_layers_that_contradict_the_design_are_refused(changes: dict[str, Any], error: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        good(**changes)
    assert str(refusal.value) == error


def test_neighbours_see_only_each_others_earnings() -> None:
    game = good(others_earnings="seen", **layered(information={"graph": "ring"}))
    play = Episode(game, seed=1)
    play.step({"contribution": [20, 10, 0, 0]})
    assert play.observation_json(0)["earned"] == [12, 22, None, 32]


@pytest.mark.parametrize(
    "changes",
    [
        {**EVERYTHING, **REWARDS},
        pytest.param({**EVERYTHING, "agents": {"may_leave": True}}, marks=pytest.mark.long),
        pytest.param(
            {**EVERYTHING, "peer": "punishment", "others_earnings": "hidden"},
            marks=pytest.mark.long,
        ),
        pytest.param(
            {"others_earnings": "seen", "peer": "punishment", "peer_names": "shuffled"},
            marks=pytest.mark.long,
        ),
    ],
)
def test_every_design_keeps_the_contract(changes: dict[str, Any]) -> None:
    """Framing changes only words. The checks that turn on all layers are left out, because some
    layers are rejected."""
    game = good(**{**changes, "framing": "give"})
    faults = [fault for fault in check.faults(game) if fault[0] not in WITH_LAYERS]
    assert faults == []
    assert list(leaks(game)) == []


@pytest.mark.long
def test_all_layers_keep_the_contract_if_periods_are_untold_and_earnings_hidden() -> None:
    changes = {"periods_told": False, "others_earnings": "hidden", "peer": "punishment"}
    assert list(check.faults(good(**changes))) == []
