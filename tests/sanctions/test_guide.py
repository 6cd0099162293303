"""Tests of the texts of the sanctions game: every number comes from the session."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from tests.sanctions.plays import LISTS, MINUS, ODD, core
from tests.server.guides import asked_of, game_of, numbers, told

guide = guide_of("sanctions")


def rules(game_core: SanctionsCore, options: Options | None = None) -> str:
    return told(guide, game_core, options)


def questions(game_core: SanctionsCore) -> dict[str, Any]:
    return asked_of(guide, game_core)


# -- the instructions -----------------------------------------------------------------------

COMPARED = {"10", "2", "1", "0"}
"""Columns of the table of sanctions, which show differences from the reference value."""


def test_the_instructions_contain_exactly_the_numbers_of_the_session():
    # 0.32 * (1 + 0.5 * 0.25) = 36%. If all give 12, each has 30 - 12 + 0.45 * 60 = 45.
    # 2.1 tanh(0.8 x) at 10, 2 and 1: 2.1, 1.94, 1.39
    expected = {"5", "37", "30", "12", "0.45", "45", "8", "70", "2.1", "1.9", "1.4", "36", "22"}
    assert numbers(rules(core(**ODD))) == expected | COMPARED


def test_the_instructions_put_the_numbers_where_they_belong():
    text = rules(core(**ODD))
    for words in (
        "one of 5 players.",
        "The game has 37 periods, whatever the players contribute.",
        "Points per player in every period: 30.",
        "Expected contribution: 12.",
        "For each point in the pool, every player gets 0.45 points. This includes the player who "
        "contributed it.",
        "If each of the 5 players contributes 12, each ends up with 45 points.",
        "average contribution over the last 8 periods, including the current one, is compared",
        "Trust is 70% at the start.",
        "loses 36% of the others' trust.",
        "closes 22% of the gap to full trust.",
        f"at the starting level of trust {MINUS}10: {MINUS}2.1 {MINUS}2: {MINUS}1.9 {MINUS}1: "
        f"{MINUS}1.4 0: 0 +1: +1.4 +2: +1.9 +10: +2.1",
    ):
        assert words in text


def test_the_numbers_of_the_source_are_shown():
    # Production of 0, 10, 25, 50, 100: 20 ln(1 + a) = 0, 47.96, 65.16, 78.64, 92.30. One other at
    # trust 0.5: 1.8 * 0.5 * 1.35 * 0.6 * 0.35^1.5 = 0.1509, times tanh(1.6) and tanh(0.8).
    expected = {"6", "200", "100", "40", "25", "50", "48", "65.2", "78.6", "92.3", "0.65", "16.67"}
    expected |= {"0.35", "0.151", "0.139", "0.100", "35.25"}  # 0.3 * 1.175
    text = rules(core("source"))
    assert numbers(text) == expected | COMPARED
    assert "Points this produces for you: 0 48 65.2 78.6 92.3" in text
    assert (
        "These are 0.65 times the geometric mean of the contributions. The players share them "
        "(16.67% each)."
    ) in text
    assert (
        "how much of your trust counts. All players depend on each other to the same degree: 0.35."
        in text
    )


def test_the_sums_of_the_lab_are_shown():
    # 20 - 10 + 0.4 * 40; 3.354 from each at the start (see the docstring of the game)
    text = rules(core("lab_0_7"))
    expected = {"4", "20", "0.4", "26", "50", "3.4", "3.1", "2.2", "2.35"}  # 0.02 * 1.175
    assert numbers(text) == expected | COMPARED
    assert "If each of the 4 players contributes 10, each ends up with 26 points." in text
    for words in ("geometric", "how much you depend", "shared", "You also get"):
        assert words not in text


def test_impossible_contributions_are_not_in_the_table_of_sanctions():
    # 470 * 0.5 * 1.35 * 0.124238 = 39.41 from each, times tanh(1), tanh(0.2) and tanh(0.1)
    text = rules(core("graduated"))
    assert f"{MINUS}100: {MINUS}30.0 {MINUS}20: {MINUS}7.8 {MINUS}10: {MINUS}3.9 0: 0" in text
    assert "+10" not in text
    assert "It never changes." in text


def test_lists_are_shown_player_by_player():
    text = rules(core(**LISTS))
    for words in (
        "every period: 20 for Player 1, 31.5 for Player 2, 80 for Player 3.",
        "Expected contribution: 11 for Player 1, 13 for Player 2, 17 for Player 3.",
        "(0.15 for Player 1, 0.25 for Player 2, 0.6 for Player 3)",
        # 10 ln(1 + a): 21.97, 30.45, 37.14, 43.94
        "You contribute: 0 8 20 40 80",
        "Points this produces for you: 0 22 30.4 37.1 43.9",
    ):
        assert words in text
    assert (
        "This is how much each player depends on each of the players, in the order of their "
        "numbers: "
        "Player 1: 0, 0.1, 0.2; Player 2: 0.3, 0, 0.4; Player 3: 0.5, 0.6, 0."
    ) in text
    # 1.8 (1 + D) 0.6 D^1.5 at trust 0.5: 0.01878 at D = 0.1 and 0.40156 at 0.6
    assert f"{MINUS}10: {MINUS}0.019 ... {MINUS}0.402" in text
    assert "+10: +0.019 ... +0.402" in text


def test_common_values_are_not_shown_if_players_differ():
    for changes in ({"endowment": [20, 30, 40, 15]}, {"baseline": [10, 12, 0, 7]}):
        game_core = core("lab_0_7", **changes)
        assert "each ends up" not in rules(game_core)
        assert "good" not in questions(game_core)


@pytest.mark.parametrize(
    ("archetype", "changes", "present", "absent"),
    [
        ("source", {}, "Your contribution produces points for you", "every player gets"),
        ("source", {"production": "power", "beta": 0.5},
         "Points this produces for you: 0 3.2 5 7.1 10", "48"),  # sqrt of 0, 10, 25, 50, 100
        ("source", {"synergy": 0}, "Points this produces", "geometric"),
        ("lab_0_7", {"synergy": 3.3}, "every player gets 0.4 points", "geometric"),
        ("source", {}, "You also get a share of what every other player earns",
         "shared equally"),
        ("source", {"reward": "private"}, "Points this produces", "You also get"),
        ("source", {"reward": "cooperative"},
         "Then everyone's points are added up and shared equally.", "every point"),
        ("coopetition_gym", {}, "Each point of sanction or reward changes what a player earns in "
         "the period by 1%.", "From the second period on"),  # 1 / 100
        ("lab_0_7", {"form": "multiplier"}, "changes what a player earns in the period by 5%.",
         "other players lose"),
        ("lab_0_7", {"form": "multiplier", "endowment": [10, 20, 40, 10]},
         "changes what a player earns in the period by 5%.", "by 10%"),  # of the mean, 20
    ],
)  # fmt: skip
def test_each_variant_is_explained_as_it_is_played(archetype, changes, present, absent):
    text = rules(core(archetype, **changes))
    assert present in text
    assert absent not in text


SANCTIONED = {
    ("baseline", "inclusive"): "Each player's average contribution over the last 7 "
    "periods, including the current one, is compared with the expected contribution.",
    ("baseline", "prior"): "From the second period on, each player's average "
    "contribution over the previous 7 periods is compared with the expected contribution.",
    ("baseline", "peer"): "Each player's average contribution covers the last 7 periods. The "
    "current period is included, but the very first is not. In the first period, the average "
    "counts as 0. This average is compared with the expected contribution.",
    ("deviation", "inclusive"): "Each player's own average covers the last 7 periods, including "
    "the current one. The player's contribution is compared with this average.",
    ("deviation", "prior"): "Each player's own average covers the previous 7 periods. From the "
    "second period on, the player's contribution is compared with this average.",
    ("deviation", "peer"): "Each player's own average covers the last 7 periods. The current "
    "period is included, but the very first is not. In the first period, the average counts as 0. "
    "The player's contribution is compared with this average.",
    ("baseline", "full"): "Each player's average contribution covers the last 7 periods, including "
    "the current one. Periods before the first count as if the player had made the expected "
    "contribution. This average is compared with the expected contribution.",
    ("deviation", "full"): "Each player's own average covers the last 7 periods, including the "
    "current one. Periods before the first count as if the player had made the expected "
    "contribution. The player's contribution is compared with this average.",
}
REACTION = {
    "deviator": "If it is lower, the player gets a sanction from each of the other players and "
    "loses points. If it is higher, the player gets a reward from each of them and "
    "gains points.",
    "observer": "If it is lower, all other players lose points because of this player. If it "
    "is higher, they gain points.",
}
BY_ITSELF = (
    "This happens automatically, without anyone deciding it. Nobody gets the points that are lost, "
    "and nobody pays for the points that are gained."
)
TRUSTING = {
    "deviator": "The more another player trusts you, the more points you lose or gain because "
    "of that player.",
    "observer": "The more you trust another player, the more points you lose or gain because "
    "of that player.",
}
ASKED = {
    "baseline": "A player's average is below the expected contribution. Who loses points?",
    "deviation": "A player contributes less than their own average. Who loses points?",
}
FACTOR = {
    "additive": [],
    "multiplier": [
        "Each point of sanction or reward changes what a player earns in the period by 4%."
    ],  # 1 / 25
}


@pytest.mark.parametrize("form", FACTOR)
@pytest.mark.parametrize("falls_on", REACTION)
@pytest.mark.parametrize(("signal", "window"), SANCTIONED)
def test_the_sentences_on_sanctions(signal, window, falls_on, form):
    chosen = {"signal": signal, "window": window, "falls_on": falls_on, "form": form}
    game_core = core("lab_0_7", memory=7, endowment=25, **chosen)
    part = guide.sections(game_of(game_core), Options())[2]
    assert part["lines"] == [
        SANCTIONED[signal, window],
        REACTION[falls_on],
        BY_ITSELF,
        *FACTOR[form],
    ]
    assert trust_lines(game_core)[0] == TRUSTING[falls_on]
    assert questions(game_core)["whose"]["text"] == ASKED[signal]
    giver, others = "This player", "All other players"
    assert (
        questions(game_core)["whose"]["right"] == {"deviator": giver, "observer": others}[falls_on]
    )


@pytest.mark.parametrize(("falls_on", "loser"), [("deviator", 0), ("observer", 1)])
def test_less_is_lost_with_less_trust(falls_on, loser):
    """Let seat 0 give nothing twice, so that it is trusted less the second time."""
    changes = {"falls_on": falls_on, "lambda_minus": 0.3, "memory": 1}
    episode = engine.Episode(engine.make("sanctions", archetype="lab_0_7", **changes), seed=1)
    first, second = (
        episode.step({"contribution": [0, 10, 10, 10]}).components["sanctions"][loser]
        for _ in range(2)
    )
    assert first < second < -0.5


# -- the table of sanctions, one row per distance ---------------------------------------------

UPRIGHT = {
    "head": "Lower/higher by",
    "cells": ["points because of one other player, at the starting level of trust"],
}


def sanction_table(game_core: SanctionsCore) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = guide.sections(game_of(game_core), Options())[2]["table"]
    return table


def test_the_table_has_one_row_per_distance():
    far = [f"{MINUS}10", f"{MINUS}2", f"{MINUS}1", "0", "+1", "+2", "+10"]
    cells = [f"{MINUS}3.4", f"{MINUS}3.1", f"{MINUS}2.2", "0", "+2.2", "+3.1", "+3.4"]
    assert sanction_table(core("lab_0_7")) == [
        UPRIGHT,
        *({"head": head, "cells": [cell]} for head, cell in zip(far, cells, strict=True)),
    ]


def test_the_table_shows_ranges_if_pairs_differ():
    # 1.8 (1 + D) 0.6 D^1.5 at trust 0.5: 0.01878 at D = 0.1 and 0.40155 at 0.6; tanh(1.6) and
    # tanh(0.8) of it are 0.01731 and 0.37010, 0.01247 and 0.26665
    ranges = ["0.019 ... {}0.402", "0.017 ... {}0.370", "0.012 ... {}0.267"]
    less = [MINUS + text.format(MINUS) for text in ranges]
    more = ["+" + text.format("+") for text in reversed(ranges)]
    cells = [row["cells"] for row in sanction_table(core(**LISTS))[1:]]
    assert cells == [[cell] for cell in (*less, "0", *more)]


def test_the_ranges_match_the_rules():
    """Give 2 more than the baseline in the first period, with trust that does not grow."""
    game = engine.make("sanctions", **LISTS, lambda_plus=0)
    episode = engine.Episode(game, seed=1)
    episode.step({"contribution": [13, 15, 19]})
    effects = episode.state_record()["reciprocity_effects"]
    pairs = [abs(x) for i, row in enumerate(effects) for j, x in enumerate(row) if i != j]
    cells_by_head = {row["head"]: row["cells"] for row in sanction_table(game.core)}
    assert cells_by_head["+2"] == [f"+{min(pairs):.3f} ... +{max(pairs):.3f}"]


def test_the_table_mentions_pairs_that_do_not_depend_on_each_other():
    # 40 * 0.5 * 1.25 * 0.6 * 0.125 = 1.875 at D = 0.25
    game_core = core("lab_0_7", seats=2, mpcr=0.6, dependence=[[0, 0], [0.25, 0]])
    cells = [row["cells"][0] for row in sanction_table(game_core)[1:]]
    assert cells[0] == f"0 ... {MINUS}1.9"
    assert cells[3] == "0"
    assert cells[6] == "0 ... +1.9"


@pytest.mark.parametrize("changes", [{"lambda_R": 0}, {"dependence": 0}, {"initial_trust": 0}])
def test_there_is_no_table_if_nothing_is_taken(changes):
    assert sanction_table(core("lab_0_7", **changes)) == []


# -- trust ------------------------------------------------------------------------------------


def trust_lines(game_core: SanctionsCore) -> list[str]:
    lines: list[str] = guide.sections(game_of(game_core), Options())[3]["lines"]
    return lines


@pytest.mark.parametrize(
    ("archetype", "changes", "lost", "built"),
    [
        ("source", {}, "35.25", "10"),  # 0.3 (1 + 0.5 * 0.35) = 35.25%
        ("tr4", {}, "35.25", "10"),
        ("lab_0_7", {}, "2.35", "10"),  # 0.02 (1 + 0.5 * 0.35)
        ("lab_0_7", {"xi": 0}, "2", "10"),
        ("lab_0_7", {"lambda_minus": 0.4, "xi": 0.2, "dependence": 0.25}, "42", "10"),  # 0.4 * 1.05
        ("lab_0_7", {"lambda_minus": 1}, "100", "10"),  # 1.175, capped at everything
        ("lab_0_7", {"lambda_minus": 0.25, "xi": 0, "lambda_plus": 0.125}, "25", "12.5"),
        # a mean of 0.35, without the diagonal
        (None, LISTS, "35.25", "10"),
        ("lab_0_7", {"seats": 2, "mpcr": 0.6, "dependence": [[0, 0.2], [0.6, 0]], "xi": 1}, "2.8",
         "10"),  # 0.02 * 1.4
    ],
)  # fmt: skip
def test_the_loss_of_trust_is_right_by_hand(archetype, changes, lost, built):
    assert trust_lines(core(archetype, **changes))[2:] == [
        f"A player who contributes well below expectations loses {lost}% of the others' trust.",
        f"A player who contributes well above expectations closes {built}% of the gap to full "
        "trust.",
        "A player who contributes too little also gets a worse reputation. From then on, this "
        "limits how much the others can trust that player.",
    ]


@pytest.mark.parametrize(
    ("archetype", "changes"),
    [
        ("source", {}),
        ("lab_0_7", {}),
        ("lab_0_7", {"lambda_minus": 1}),
        ("lab_0_7", {"xi": 3, "lambda_plus": 0.7, "initial_trust": 0.23}),
        ("tr4", {"dependence": 0.8}),
    ],
)
def test_the_loss_of_trust_matches_the_rules(archetype, changes):
    """Let seat 0 give nothing and seat 1 everything; check the others' trust in them."""
    game = engine.make("sanctions", archetype=archetype, **changes)
    game_core, n = game.core, game.seats
    episode = engine.Episode(game, seed=1)
    rest = [game_core.baseline] * (n - 2)
    episode.step({"contribution": [0, game_core.endowment, *rest]})
    record = episode.state_record()
    less, more = record["trust"][2 % n][0], record["trust"][2 % n][1]
    matches = [re.search(r"(\S+)%", line) for line in trust_lines(game_core)[1:]]
    start, lost, built = (float(match[1]) / 100 for match in matches if match)
    assert start == game_core.initial_trust
    assert less == pytest.approx(start * (1 - lost), abs=0.0005)
    assert more == pytest.approx(start + built * (1 - start), abs=0.0005)
    damage = record["reputation"][2 % n]
    assert (damage[0] > 0) is (game_core.mu_R > 0)
    assert damage[1] == 0


def test_the_text_does_not_claim_that_an_immune_reputation_is_damaged():
    assert "damages a player's reputation" not in rules(core("lab_0_7", mu_R=0))


def test_the_text_does_not_claim_that_constant_trust_changes():
    assert "loses 2" not in rules(core("lab_0_7", kappa_T=0))


def test_a_factor_is_shown_as_a_readable_number():
    text = rules(core("lab_0_7", form="multiplier", endowment=30))
    assert max(len(number) for number in numbers(text)) <= 5


@pytest.mark.parametrize("signal", ["baseline", "deviation"])
def test_the_text_explains_sanctions_in_a_first_period_that_is_left_out(signal):
    game = engine.make("sanctions", archetype="lab_0_7", window="peer", signal=signal)
    effects = engine.Episode(game, seed=1).step({"contribution": [10] * 4})
    assert abs(effects.components["sanctions"]).min() > 9
    assert "first period" in rules(game.core)


VARIANTS = [
    {"signal": signal, "window": window, "falls_on": falls_on, "form": form, "reward": reward}
    for signal in ("baseline", "deviation")
    for window in ("inclusive", "prior", "peer", "full")
    for falls_on in ("deviator", "observer")
    for form in ("additive", "multiplier")
    for reward in ("integrated", "private", "cooperative")
]


@pytest.mark.few(2)
@pytest.mark.parametrize("archetype", SanctionsGame.archetypes)
def test_no_sentence_has_an_unfilled_gap_in_any_variant(archetype):
    for changes in VARIANTS:
        game_core = core(archetype, **changes)
        parts = guide.sections(game_of(game_core), Options())
        assert [part["title"] for part in parts if not part["lines"]] == [], changes
        assert not set("{}[]()") & set(re.sub(r"\([^()]*\)", "", rules(game_core))), changes
        widths = [{len(row["cells"]) for row in part["table"]} for part in parts if part["table"]]
        assert all(len(width) == 1 for width in widths), changes


def test_without_a_time_limit_the_text_does_not_mention_missing_choices():
    assert "If you do nothing or your time runs out, you contribute nothing." in rules(
        core("lab_0_7")
    )
    assert "time runs out" not in rules(core("lab_0_7"), Options(decision_seconds=0))
    assert SanctionsGame.resolve("lab_0_7").core.endowment == 20
    assert engine.Episode(engine.make("sanctions"), 0).allowed(0).default == {"contribution": 0.0}


def test_the_table_of_sanctions_matches_the_rules():
    """Give 11 with a baseline of 10, in one period of two, with a memory of this period only."""
    changes = {"seats": 2, "mpcr": 0.6, "lambda_plus": 0}
    play = engine.Episode(engine.make("sanctions", archetype="lab_0_7", **changes), seed=1)
    effect = play.step({"contribution": [11, 10]}).components["sanctions"].tolist()
    match = re.search(r" \+1: (\S+)", rules(core("lab_0_7", **changes)))
    assert match
    assert match[1] == f"+{effect[0]:.1f}" == "+2.2"
    assert effect[1] == 0


@pytest.mark.parametrize("reward", ["integrated", "cooperative"])
def test_earnings_are_not_stated_without_the_share_from_others(reward):
    """Let everyone give 10: each earns pi = 26, plus 0.5 * 0.35 of the 26 of each of 3 others:
    39.65.
    """
    game = engine.make("sanctions", archetype="lab_0_7", reward=reward)
    play = engine.Episode(game, seed=1)
    earned = play.step({"contribution": [10] * 4}).rewards.tolist()
    assert earned == pytest.approx([39.65] * 4)
    assert "each ends up with 26 points" not in rules(game.core)


def test_a_session_without_sanctions_says_so():
    text = rules(core("lab_0_7", lambda_R=0))
    assert "There are none." in text
    assert "loses points" not in text
    assert "the more points you lose or gain" not in text
    assert set(questions(core("lab_0_7", lambda_R=0))) == {"good", "end"}


def test_a_session_without_sanctions_mentions_neither_memory_nor_trust():
    """Neither is explained in the instructions or shown on the play page."""
    plain_good = core("unsanctioned")
    items = questions(plain_good).values()
    texts = [rules(plain_good), guide.texts(plain_good)["all_expected"]]
    texts += [text for item in items for text in (item["text"], item["why"], *item["options"])]
    assert "After every period, you see how much each player contributed." in texts[0]
    whole = " ".join(texts).replace("Sanctions and rewards", "")
    for word in ("remembered", "trust", "sanction", "expected"):
        assert word not in whole, word
    assert "You see who trusts whom." in rules(core("lab"))
    assert "not counting sanctions" in questions(core("lab"))["good"]["text"]


@pytest.mark.parametrize("changes", [{"rho_0": 0}, {"dependence": 0}, {"kappa": 0}])
def test_a_session_without_sanctions_does_not_mention_them(changes):
    game_core = core("lab_0_7", **changes)
    assert "loses points" not in rules(game_core)
    assert questions(game_core).get("whose", {"right": "Nobody"})["right"] == "Nobody"


def test_linear_production_is_not_called_curved():
    assert "a little less" not in rules(core("source", production="power", beta=1))


def test_differing_dependences_are_not_shown_as_one_symbol():
    assert "(D)" not in rules(core(**LISTS))
