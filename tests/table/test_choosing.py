"""Votes are counted by the session's rule, and invalid choices of rules are rejected."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mixed_company import engine
from mixed_company.engine.contract.errors import EngineError
from mixed_company.table import choosing, leanings
from mixed_company.table.choosing import ABSTAINED, counts, leaders, winner
from mixed_company.table.options import Options
from mixed_company.table.setup import setup_from
from tests.table.chosen import RULES, setup

NAMES = ["open", "pool", "quota"]
VOTES = st.lists(st.sampled_from([*NAMES, ABSTAINED]), max_size=9)
SEEDS = st.integers(0, 2**53)


@given(VOTES, st.sampled_from(["first", "drawn"]), SEEDS)
def test_no_rule_has_more_votes_than_the_chosen_one(votes, tie, seed):
    counted = counts(NAMES, votes)
    assert sum(counted.values()) == len(votes) - votes.count(ABSTAINED)
    assert counted[winner(NAMES, votes, tie, seed)] == max(counted.values())


@given(VOTES, SEEDS, st.randoms())
def test_the_order_of_votes_changes_nothing(votes, seed, order):
    shuffled = list(votes)
    order.shuffle(shuffled)
    for tie in ("first", "drawn"):
        assert winner(NAMES, votes, tie, seed) == winner(NAMES, shuffled, tie, seed)


@given(VOTES, SEEDS)
def test_a_tie_is_won_by_the_first_rule_or_by_one_drawn_from_the_seed(votes, seed):
    first = leaders(counts(NAMES, votes))
    assert winner(NAMES, votes, "first", seed) == first[0]
    assert winner(NAMES, votes, "drawn", seed) in first


def test_each_of_the_tied_rules_is_drawn_by_some_seed():
    drawn = [winner(NAMES, ["open", "quota"], "drawn", seed) for seed in range(400)]
    # 400 fair draws: a count this far from 200 has a probability below 1e-9
    assert set(drawn) == {"open", "quota"}
    assert 130 < drawn.count("open") < 270


def test_without_any_vote_all_rules_are_tied():
    assert winner(NAMES, [], "first", 1) == "open"
    assert {winner(NAMES, [ABSTAINED], "drawn", seed) for seed in range(60)} == set(NAMES)


# -- refusals ----------------------------------------------------------------------------------


def changed(**changes: Any) -> dict[str, Any]:
    return {"open": RULES["open"], "pool": {"meaning": "Other.", "changes": changes}}


REFUSED = [
    ({"open": RULES["open"]}, "should list 2 to 9 rules, or none"),
    (changed(), "rules = 'pool': the same as 'open'; change its `changes`"),
    (changed(seats=5), "rules = 'pool': seats = 5: should be as in the session, 4"),
    (changed(periods=9), "rules = 'pool': periods = 9: should be as in the session, 3"),
    (changed(bots="greedy"), "bots = 'greedy': should be a parameter of the game, `layers` or"),
    (changed(governence="none"), "did you mean 'governance'?"),
    (changed(growth_rate=-4), "rules = 'pool': core.growth_rate = -4: should be greater than"),
    (changed(layers={"powr": 1}), "layers.powr = 1: unknown key; did you mean 'power'?"),
    ({"open": RULES["open"], "pool": RULES["open"]}, "pool: same meaning as open"),
    ({"open": RULES["open"], "the pool": RULES["pool"]}, "should begin with a letter"),
    ({"open": RULES["open"], "pool": {"changes": {}}}, "rules.pool.meaning: is missing"),
    ({"open": RULES["open"], "pool": {"mening": "x"}}, "did you mean 'meaning'?"),
    ("{not json", "not JSON"),
]


@pytest.mark.parametrize(("rules", "words"), REFUSED, ids=[words[:40] for _, words in REFUSED])
def test_unsuitable_rules_are_refused_by_name(rules, words):
    with pytest.raises(EngineError) as refused:
        setup(rules=rules)
    assert words in str(refused.value)


def test_each_line_about_a_mistake_in_a_rule_names_the_rule():
    with pytest.raises(EngineError) as refused:
        setup(rules=changed(growth_rate=-4, capacity=-1))
    lines = str(refused.value).split("\n")
    assert len(lines) == 2
    assert all(line.startswith("rules = 'pool': core.") for line in lines)


def test_a_rule_that_changes_what_a_seat_decides_is_refused():
    base = engine.make("commons_game", archetype="lab")
    other = engine.make("sanctions", archetype="lab", seats=base.seats)
    with pytest.raises(EngineError, match=r"actions = .*should be as in the session"):
        choosing._check_alike(base, other)


def test_a_rule_that_tells_an_untold_number_of_periods_is_refused():
    base, other = (
        engine.make("sanctions", archetype="unsanctioned", periods_told=flag)
        for flag in (False, True)
    )
    with pytest.raises(EngineError, match="periods_told = True: should be as in the session"):
        choosing._check_alike(base, other)
    assert choosing._check_alike(base, base) is None


def test_rules_are_read_from_the_text_of_a_form_and_kept_with_the_setup():
    settings = setup(rules=json.dumps(RULES))
    assert settings.rules == setup(rules=RULES).rules
    assert settings.rules["open"] == settings.config
    pool = settings.chosen("pool")
    assert pool.game.core.governance == "per_step"
    assert (pool.rule, settings.rule) == ("pool", "")
    assert pool.config["identity"]["seed"] == settings.config["identity"]["seed"]
    again = setup_from(settings.model_dump_json())
    assert again.chosen("pool").model_dump() == pool.model_dump()


def test_without_rules_nothing_is_chosen():
    assert Options().rules == {}
    assert setup(rules="").rules == {}


# -- votes of bots -----------------------------------------------------------------------------


LIMIT = {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 1.0}}}}


def poorer(**more: Any) -> Any:
    """Return a setup in which a fixed harvest of 2 earns 2 per period under one rule. Under the
    other, with limited power, it earns 1."""
    rules = changed(layers=LIMIT)
    return setup(rules=rules, rules_bots="policy", bots="fixed:harvest=2", **more)


def test_a_policy_votes_for_the_rule_under_which_its_group_earns_most():
    settings = poorer()
    assert leanings.vote(settings, "fixed:harvest=2", seed=1, seat=0) == "open"
    # 1 per period is within the limit, so both rules pay the same and the bot abstains
    assert leanings.vote(settings, "fixed:harvest=1", seed=1, seat=0) == ABSTAINED


def test_the_vote_of_a_bot_is_computed_when_the_session_is_created(monkeypatch):
    prepared = leanings.prepared(poorer())
    assert prepared.leanings == {"fixed:harvest=2": "open"}
    monkeypatch.setattr(leanings, "leaning", None)
    again = setup_from(prepared.model_dump_json())
    assert leanings.vote(again, "fixed:harvest=2", seed=1, seat=0) == "open"


def test_bots_abstain_if_the_session_says_so():
    settings = setup(rules_bots="abstain", bots="random")
    assert leanings.prepared(settings) is settings
    assert {leanings.vote(settings, "random", seed, 1) for seed in range(20)} == {ABSTAINED}


def test_the_policy_random_votes_by_the_seed_of_the_play_and_by_seat():
    settings = leanings.prepared(setup(rules_bots="policy", bots="random"))
    assert settings.leanings == {}
    votes = [
        [leanings.vote(settings, "random", seed, seat) for seat in (0, 1)] for seed in range(200)
    ]
    assert votes == [
        [leanings.vote(settings, "random", seed, seat) for seat in (0, 1)] for seed in range(200)
    ]
    pairs = {tuple(pair) for pair in votes}
    assert pairs == {("open", "open"), ("open", "pool"), ("pool", "open"), ("pool", "pool")}
