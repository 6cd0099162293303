"""Parts of the instructions that are common to all games: order, roles, layers, and the play
page."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.pages import instructions, rules
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.pages.money import worth
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.engine.toys import toy

TWO_ROLES: dict[str, Any] = {
    "roles": {"strong": {}, "weak": {}},
    "seats": ["strong", "weak", "strong", "weak"],
}
ESTIMATED = (
    "The stock: you see an estimate. Two times out of three, it is within {} of the true number."
)
OFTEN = "In each period, the chance that this applies is {}%."


def setup(
    game: str = "commons_game",
    archetype: str = "lab_0_7",
    layers: dict[str, Any] | None = None,
    agents: dict[str, Any] | None = None,
    core: dict[str, Any] | None = None,
    **options: Any,
) -> Setup:
    sections: dict[str, Any] = {"layers": layers} if layers else {}
    sections |= {"agents": agents} if agents else {}
    created = engine.make(game, archetype=archetype, **(core or {}), **sections)
    return Setup(config=created.config.model_dump(mode="json"), options=Options(**options))


def parts(resolved: Setup) -> dict[str, list[str]]:
    """Return the sentences by title."""
    return {
        part["title"]: part["lines"] for part in instructions.sections(resolved, "0.10", "2.00")
    }


def told(name: str = "", s: float = 1.0, game: str = "commons_game", **options: Any) -> list[str]:
    """Return the sentences about one layer (and the roles)."""
    outer = {key: options.pop(key) for key in ("agents", "archetype", "core") if key in options}
    layers = {name: {"intensity": s, **options}} if name else None
    return parts(setup(game, layers=layers, **outer)).get("More rules", [])


# -- nothing without settings ----------------------------------------------------------------


@pytest.mark.parametrize("game", engine.game_ids())
def test_a_game_without_layers_and_roles_says_nothing_about_them(game):
    resolved = setup(game)
    assert list(parts(resolved)) == ["Who is playing", "Time", "Payment", "If somebody leaves"]
    assert rules.besides(resolved.game) == []
    assert [rules.role_of(resolved.game, seat) for seat in range(resolved.game.seats)] == [
        ""
    ] * resolved.game.seats


def test_the_stage_of_peer_points_adds_no_number_beside_the_game():
    """The page itself draws the stage, incomes and points."""
    for game in ("commons_game", "sanctions"):
        resolved = setup(game, "lab", core={"peer": "both", "peer_tells": "who"})
        assert rules.besides(resolved.game) == []


def test_a_layer_at_intensity_zero_is_not_described():
    assert told("incentives", 0, fee={"harvest": 2.0}) == []
    assert told("hierarchy", 0, groups=[0, 1, 0, 1]) == []


# -- each layer, with its effective numbers --------------------------------------------------


@pytest.mark.parametrize(
    ("name", "s", "options", "sentences"),
    [
        # the part above 3 costs 0.5 * 4 = 2 per unit
        (
            "incentives",
            0.5,
            {"quota": {"harvest": 3}, "fee": {"harvest": 4}},
            ["Harvest requested: each unit above 3 costs 2 points."],
        ),
        (
            "incentives",
            1.0,
            {"fee": {"contribution": 0.25}},
            ["Paid into the pool: each unit above 0 costs 0.25 points."],
        ),
        # 0.5 * 0.4 = 20% is shared
        (
            "interaction",
            0.5,
            {"share": 0.4},
            ["20% of what each player earns goes into a pot that is shared equally."],
        ),
        # 0.25 of the reward comes later
        (
            "temporal",
            0.25,
            {"reward_delay": 1},
            [
                "25% of what you earn in a period is paid 1 period later.",
                "Points that are still owed to you at the end are paid then.",
            ],
        ),
        (
            "temporal",
            1.0,
            {"reward_delay": 3},
            [
                "What you earn in a period is paid 3 periods later.",
                "Points that are still owed to you at the end are paid then.",
            ],
        ),
        (
            "temporal",
            1.0,
            {"reputation_window": 4},
            [
                "Everybody sees how cooperative each player was in the last 4 periods, on a scale "
                "from 0 to 1."
            ],
        ),
        (
            "temporal",
            0.3,
            {"reputation_window": 4},
            [
                "Everybody sees how cooperative each player was in the last 4 periods, on a scale "
                "from 0 to 1. " + OFTEN.format(30)
            ],
        ),
        (
            "hierarchy",
            1.0,
            {"groups": [0, 1, 1, 0]},
            [
                "Group 1: Player 1, Player 4.",
                "Group 2: Player 2, Player 3.",
                "You see what your own group did and earned in total.",
            ],
        ),
        (
            "hierarchy",
            0.5,
            {"groups": [0, 0, 0, 0]},
            [
                "Group 1: Player 1, Player 2, Player 3, Player 4.",
                "You see what your own group did and earned in total. " + OFTEN.format(50),
            ],
        ),
        ("information", 1.0, {"hide": ["stock"]}, ["The stock: not shown to you."]),
        (
            "information",
            0.5,
            {"hide": ["stock"]},
            ["The stock: not shown to you. " + OFTEN.format(50)],
        ),
        # 0.5 * 4 = 2
        ("information", 0.5, {"noise": {"stock": 4}}, [ESTIMATED.format(2)]),
        # round(0.5 * 2) = 1, round(0.75 * 4) = 3
        ("information", 0.5, {"delay": {"stock": 2}}, ["The stock: you see it 1 period late."]),
        ("information", 0.75, {"delay": {"stock": 4}}, ["The stock: you see it 3 periods late."]),
        (
            "information",
            1.0,
            {"graph": "ring"},
            ["The players sit in a circle. You see only the numbers of your two neighbours."],
        ),
        (
            "information",
            0.5,
            {"graph": [[0, 1], [2, 3]]},
            [
                "You see only the numbers of your neighbours. These players are neighbours: "
                "Player 1, Player 2; Player 3, Player 4. " + OFTEN.format(50)
            ],
        ),
        # 0.5 * 3 = 1.5
        (
            "uncertainty",
            0.5,
            {"shocks": {"stock": 3}},
            [
                "The stock: there is also a random change after each period. Two times out of "
                "three, it is at most 1.5."
            ],
        ),
    ],
)
def test_a_layer_is_described_with_the_numbers_in_effect(name, s, options, sentences):
    assert told(name, s, **options) == sentences


def test_a_quantity_shown_to_everybody_is_named_by_its_meaning():
    sentences = told("information", game="gem_mining", show=["workers_at"])
    assert sentences == ["Workers at each mine: shown to everybody."]


def test_a_complete_graph_needs_no_sentence():
    sentences = told("information", 0.2, graph="complete", noise={"stock": 5})
    assert sentences == [ESTIMATED.format(1)]


def test_a_drift_is_described_as_a_share_of_the_start():
    [sentence] = told("uncertainty", 0.5, drift={"growth_rate": -0.1})
    assert sentence.endswith(": changes by \N{MINUS SIGN}5% of its starting value each period.")


def test_an_externality_is_described_by_its_factor_if_the_game_s_numbers_do_not_show_it():
    # 1 + 0.5 * (3 - 1) = 2
    commons = told("interaction", 0.5, externality=3)
    assert commons == [
        "The effect of a player's decision on the others, good or bad, is multiplied by 2."
    ]
    scaled = engine.make(
        "punishment_vote", layers={"interaction": {"intensity": 1, "externality": 2}}
    )
    sentences = told("interaction", game="punishment_vote", archetype="source", externality=2)
    assert (sentences == []) == (scaled.core != scaled.config.core)


def test_all_layers_are_described_in_one_order_before_time_and_payment():
    layers = {
        "uncertainty": {"intensity": 1, "shocks": {"stock": 1}},
        "incentives": {"intensity": 1, "fee": {"harvest": 1}},
        "interaction": {"intensity": 1, "share": 0.5},
        "temporal": {"intensity": 1, "reputation_window": 2},
        "hierarchy": {"intensity": 1, "groups": [0, 0, 1, 1]},
        "information": {"intensity": 1, "hide": ["wealth"]},
    }
    resolved = setup(layers=layers, agents=TWO_ROLES)
    assert list(parts(resolved))[:3] == ["Who is playing", "More rules", "Time"]
    starts = [line.split(":")[0].split(" ")[0] for line in parts(resolved)["More rules"]]
    assert starts == (
        ["Strong", "Weak", "You"]  # roles
        + ["Points"]  # information
        + ["Everybody"]  # temporal
        + ["Group", "Group", "You"]  # hierarchy
        + ["50%"]  # interaction
        + ["Harvest"]  # incentives
        + ["The"]  # uncertainty
    )


# -- roles -----------------------------------------------------------------------------------


def test_roles_are_described_with_their_players_and_limits():
    limits = {"weak": {"harvest": 4}}
    # 10 + 0.5 * (4 - 10) = 7
    assert told("power", 0.5, limits=limits, agents=TWO_ROLES) == [
        "Strong: Player 1, Player 3.",
        "Weak: Player 2, Player 4. Harvest requested: at most 7.",
        "You see your role on the play page.",
    ]
    assert told("power", 1.0, limits=limits, agents=TWO_ROLES)[1].endswith("at most 4.")


def test_a_limit_without_an_upper_end_is_described_unchanged():
    sentences = told("power", 1.0, limits={"weak": {"contribution": 3}}, agents=TWO_ROLES)
    assert sentences[1] == "Weak: Player 2, Player 4. Paid into the pool: at most 3."


def test_restrictions_of_a_role_on_actions_and_views_are_described():
    agents = {
        "roles": {"boss": {}, "clerk": {"acts": ["harvest"], "sees": ["wealth", "harvest"]}},
        "seats": ["boss", "clerk", "clerk", "clerk"],
    }
    boss, clerk, _ = told(agents=agents)
    assert boss == "Boss: Player 1."
    assert clerk.startswith("Clerk: Player 2, Player 3, Player 4. Cannot set: paid into the pool.")
    assert "Does not see: the stock." in clerk
    assert "Does not see: points each player has" not in clerk


def test_the_choices_of_a_role_are_described():
    guest = {"acts": {"action": ["up", "down", "left", "right", "noop"]}}
    agents = {"roles": {"citizen": {}, "guest": guest}, "seats": ["citizen", "citizen", "guest"]}
    sentences = told(game="punishment_vote", archetype="source", agents=agents)
    assert sentences[1] == "Guest: Player 3. Can only choose: up, down, left, right, noop."


def test_the_pay_of_a_role_is_described():
    roles = {
        "boss": {"rewards": {"own": 0, "worker": 0.5}},
        "worker": {"rewards": {"own": 1, "boss": -0.1}},
    }
    boss, worker, _ = told(agents={"roles": roles, "seats": ["boss", *["worker"] * 3]})
    assert boss == (
        "Boss: Player 1. Receives 0% of their own earnings. "
        "Receives 50% of the average earnings of players in the Worker role."
    )
    assert worker.endswith("Loses 10% of the average earnings of players in the Boss role.")


def test_the_weight_of_a_vote_is_described_with_its_intensity():
    agents = {"roles": {"elder": {}, "member": {}}, "seats": ["elder", "member", "member"]}
    sentences = told(
        "power", 0.5, "punishment_vote", archetype="source", agents=agents, weights={"elder": 4}
    )
    # 1 + 0.5 * (4 - 1) = 2.5
    assert sentences[:2] == [
        "Elder: Player 1. Voting weight: 2.5.",
        "Member: Player 2, Player 3. Voting weight: 1.",
    ]


def test_each_seat_reads_its_role_if_there_are_several():
    game = setup(agents=TWO_ROLES).game
    assert [rules.role_of(game, seat) for seat in range(4)] == ["strong", "weak"] * 2
    alone = setup(agents={"roles": {"fisher": {}}, "seats": ["fisher"] * 4}).game
    assert [rules.role_of(alone, seat) for seat in range(4)] == [""] * 4
    assert told(agents={"roles": {"fisher": {}}, "seats": ["fisher"] * 4}) == []


def test_a_limit_is_described_even_if_everybody_has_the_same_role():
    sentence = "For every player: Harvest requested: at most 4."
    assert told("power", limits={"member": {"harvest": 4}}) == [sentence]
    fishers = {"roles": {"fisher": {}}, "seats": ["fisher"] * 4}
    assert told("power", limits={"fisher": {"harvest": 4}}, agents=fishers) == [sentence]


def test_one_point_is_singular():
    [sentence] = told("incentives", 0.5, fee={"harvest": 2})
    assert sentence == "Harvest requested: each unit above 0 costs 1 point."


# -- order -----------------------------------------------------------------------------------

TOGETHER = "In each period, all players decide at the same time."
IN_TURN = (
    "In each period, the players decide one after the other. Players who decide later see the "
    "earlier decisions. The order is: {}."
)


@pytest.mark.parametrize(
    ("agents", "line", "order"),
    [
        ({}, TOGETHER, None),
        (
            {"timing": "sequential"},
            IN_TURN.format("Player 1, Player 2, Player 3, Player 4"),
            (0, 1, 2, 3),
        ),
        (
            {"timing": "sequential", "order": [2, 0, 1, 3]},
            IN_TURN.format("Player 3, Player 1, Player 2, Player 4"),
            (2, 0, 1, 3),
        ),
    ],
)
def test_the_order_comes_first_in_the_part_about_time(agents, line, order):
    resolved = setup(agents=agents)
    assert parts(resolved)["Time"][0] == line
    assert rules.order_of(resolved.game) == order


def test_by_the_clock_nothing_is_said_about_an_order():
    sentences = parts(setup(pace="clock", decision_seconds=2))["Time"]
    assert sentences[0].startswith("A turn lasts 2 seconds.")
    assert TOGETHER not in sentences
    assert instructions.questions(setup(pace="clock", decision_seconds=2)) == []


@pytest.mark.parametrize(
    ("agents", "right", "why"),
    [
        (
            {},
            "All at the same time",
            "Nobody knows what the other players are deciding in the same period.",
        ),
        (
            {"timing": "sequential"},
            "One after the other",
            "Players who decide later see the earlier decisions.",
        ),
    ],
)
def test_the_quiz_asks_when_the_players_decide(agents, right, why):
    [question] = instructions.questions(setup(agents=agents))
    assert (question["name"], question["text"]) == ("when", "When do the players decide?")
    assert question["options"] == ["All at the same time", "One after the other"]
    assert (question["right"], question["why"]) == (right, why)


@pytest.mark.parametrize("game", engine.game_ids())
def test_no_game_repeats_the_shared_question(game):
    resolved = setup(game)
    names = [question["name"] for question in guide_of(game).quiz(resolved.game, resolved.options)]
    assert "when" not in names
    assert len(set(names)) == len(names)


# -- leaving ---------------------------------------------------------------------------------


def test_the_consequences_of_leaving_are_described():
    replaced = " ".join(parts(setup(grace_seconds=40))["If somebody leaves"])
    assert "If you are away for more than 40 seconds, a stand-in decides for you" in replaced
    gone = " ".join(parts(setup(grace_seconds=40, dropout="reduced"))["If somebody leaves"])
    assert (
        "If you are away for more than 40 seconds, you are out of the game and cannot come back. "
        "You are paid for what you have earned by then." in gone
    )
    assert "stand-in" not in gone


COUNTS = "What the stand-in earns does not count towards your payment."


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (
            {"dropout": "bot"},
            [
                "If you are away for more than 40 seconds, a stand-in decides for you until you "
                f"come back. {COUNTS}"
            ],
        ),
        (
            {"dropout": "end"},
            [
                "If a player is away for more than 40 seconds, the game ends for the whole group. "
                "Everybody is paid for what they have earned by then."
            ],
        ),
        (
            {"dropout": "pause", "pause_seconds": 30.0},
            [
                "If a player is away for more than 40 seconds, the other players wait up to 30 "
                "more seconds.",
                "If you are not back by then, a stand-in decides for you until you come back. "
                f"{COUNTS}",
            ],
        ),
    ],
)
def test_the_consequences_of_an_absence_follow_the_rule_of_the_session(options, lines):
    assert instructions.absence(Options(grace_seconds=40.0, **options)) == lines


@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        ({"grace_seconds": 40, "people_per_group": 2}, 30),
        ({"grace_seconds": 20, "people_per_group": 2}, 20),
        ({"dropout": "end", "people_per_group": 2}, 90),
        ({"grace_seconds": 40}, 40),
    ],
)
def test_the_question_whether_people_are_ready_is_described_with_its_time(options, seconds):
    """Wait at most half a minute if other people are waiting and a bot can take the seat; otherwise
    wait for the grace period."""
    sentences = parts(setup(ready=True, **options))["If somebody leaves"]
    assert sentences[-1] == (
        "Before the game begins, you are asked whether you are ready. If you do not confirm within "
        f"{seconds} seconds, you are treated as away."
    )
    people = range(options.get("people_per_group", 1))
    opened = Table.open(setup(ready=True, **options), people, seed=1, now=0)
    assert opened.starts_ms == 1000 * seconds
    assert "ready" not in " ".join(parts(setup(**options))["If somebody leaves"])


# -- the play page ---------------------------------------------------------------------------


def fields(game: str, archetype: str, **options: Any) -> dict[str, tuple[str, bool, bool]]:
    return {
        entry["name"]: (entry["meaning"], entry["seats"], entry["single"])
        for entry in rules.besides(setup(game, archetype, **options).game)
    }


def test_a_page_knows_the_numbers_that_each_action_takes():
    assert rules.accepted(toy()) == {
        "door": {"kind": "choice", "step": 1},
        "count": {"kind": "whole", "step": 1},
        "push": {"kind": "real", "step": "any"},
    }
    with_grain = setup("commons_game", "lab").game
    grains = {field.name: field.grain for field in with_grain.declaration.actions}
    assert rules.accepted(with_grain) == {
        name: {"kind": "real", "step": "any", "grain": grain} for name, grain in grains.items()
    }
    assert all(grains.values())


def test_the_extra_values_of_the_unequal_commons():
    group = "group total: "
    assert fields("commons_game", "unequal") == {
        "group": ("own group", False, True),
        "group_wealth": (group + "points each player has", False, True),
        "group_harvest": (group + "taken by each player last period", False, True),
        "group_contribution": (group + "paid by each player last period", False, True),
        "group_reward": (group + "points from the last period", False, True),
        "age_stock": ("the stock", False, True),  # named after the quantity whose age it is
    }


def test_the_extra_values_of_the_other_layered_archetypes():
    each_seat = ("average cooperation of each player", True, False)
    assert fields("punishment_vote", "weighted_votes") == {"reputation": each_seat}
    assert fields("sanctions", "reputation") == {"mean_cooperation": each_seat}
    # 4 villages, 7 mines: these are numbers by mine, not by seat
    assert fields("gem_mining", "open_book") == {
        "shown_base_probabilities": ("chances with one worker", False, False),
        "shown_workers_at": ("workers at each mine", False, False),
    }


def test_in_turn_the_page_knows_earlier_decisions():
    prefix = "decided earlier in this period by players before you: "
    listed = fields("commons_game", "lab_0_7", agents={"timing": "sequential"})
    assert listed == {
        "earlier_harvest": (prefix + "harvest requested", True, False),
        "earlier_contribution": (prefix + "paid into the pool", True, False),
    }


def test_a_number_per_seat_that_everybody_sees_is_one_per_seat_on_the_page():
    layers = {"information": {"intensity": 1, "show": ["wealth", "stock"]}}
    listed = fields("commons_game", "local_view", layers=layers)
    assert listed["shown_wealth"][1:] == (True, False)
    assert listed["shown_stock"][1:] == (False, True)


def test_a_number_per_group_is_not_one_per_seat_even_with_as_many_groups_as_seats():
    layers = {
        "hierarchy": {"intensity": 1, "groups": [0, 1, 2, 3]},
        "information": {"intensity": 1, "show": ["group_points", "wealth"]},
    }
    listed = fields("commons_game", "lab_0_7", layers=layers)
    assert listed["shown_group_points"][1:] == (False, False)
    assert listed["shown_wealth"][1:] == (True, False)


@pytest.mark.parametrize("game", engine.game_ids())
def test_every_game_has_the_sentences_that_its_archetypes_need(game):
    for archetype in engine.find(game).archetypes:
        resolved = setup(game, archetype)
        config = resolved.config
        some = any(layer["intensity"] > 0 for layer in config["layers"].values())
        several = len(set(config["agents"]["seats"])) > 1
        assert ("More rules" in parts(resolved)) == (some or several)
        for line in (line for lines in parts(resolved).values() for line in lines):
            assert "{" not in line
            assert "nan" not in line


@pytest.mark.parametrize(
    ("rate", "points", "money"),
    [
        (0.12, 1, 0.12),
        (0.1, 1, 0.1),  # the smallest number that is written
        (0.09, 10, 0.9),
        (0.018, 10, 0.18),  # one would be 0.02
        (0.003, 100, 0.30),
        (0.0333, 100, 3.33),  # ten would be 0.33, a hundredth less than they earn
        (25.0, 1, 25.0),
        (0.0, 1, 0.0),
    ],
)
def test_the_unit_of_points_is_large_enough_for_a_readable_value(rate, points, money):
    assert worth(rate) == pytest.approx((points, money))
