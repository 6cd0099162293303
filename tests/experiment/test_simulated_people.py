"""Tests that policies take people's places in the same way in show, power, preflight and
rehearsal."""

from __future__ import annotations

from collections import Counter

import pytest

from mixed_company.__main__ import main
from mixed_company.analysis.planned.checking import remarks
from mixed_company.engine.contract.errors import UnknownName
from mixed_company.experiment import showing, treatments
from mixed_company.experiment.showing_pay import described
from mixed_company.experiment.simulated_people import PLAYS, SimulatedGroup, SimulatedPeople
from mixed_company.table.ledger import Terms
from mixed_company.table.setup import Setup
from tests.experiment.planned import SMALL, config, plan
from tests.table.chosen import setup

MONEY = {"participation_fee": 2.0, "real_world_currency_per_point": 0.1}
LIMIT = {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 1.0}}}}


def limited(**changes: object) -> Setup:
    """Return a setup of 2 people who choose between no limit on harvests and a limit of 1."""
    free = {"meaning": "Everybody takes what he or she likes."}
    low = {"meaning": "Nobody takes more than 1.", "changes": {"layers": LIMIT}}
    return setup(rules={"open": free, "low": low}, bots="fixed:harvest=2", **changes)


def test_people_are_drawn_from_the_policies_and_bots_take_the_other_seats():
    people = SimulatedPeople.seated("greedy, steward", setup(people_per_group=3))
    assert people == SimulatedPeople(("greedy", "steward"), 3, ["steward"])
    assert str(people) == (
        "Simulated people: 3 per group, each drawn from greedy, steward (equal shares); "
        "bots: steward."
    )
    assert SimulatedPeople.seated(" , ", setup()) is None
    with pytest.raises(UnknownName, match="did you mean 'greedy'"):
        SimulatedPeople.seated("gredy", setup())


def test_a_policy_that_is_named_twice_has_two_shares():
    people = SimulatedPeople.seated("greedy,steward,greedy", setup(people_per_group=4))
    assert str(people) == (
        "Simulated people: 4 per group, each drawn from greedy (2 of 3), steward (1 of 3); no bots."
    )
    alone = SimulatedPeople.seated("greedy,greedy", setup(people_per_group=4))
    assert str(alone) == "Simulated people: 4 per group, each greedy; no bots."


def test_a_policy_that_is_named_twice_plays_twice_as_often():
    """Two thirds of 3,000 people are 2,000, with a standard error of 26."""
    people = SimulatedPeople(("greedy", "steward", "greedy"), 3, [])
    counts = Counter(spec for seed in range(1000) for spec in people.group(seed).people)
    assert abs(counts["greedy"] - 2000) < 4 * 25.8, counts


LISTED = ("greedy", "half_capacity", "noisy_person", "steward")


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_people_have_the_same_distribution_whatever_the_size_of_the_group(size):
    """Each of 4 policies gets a quarter of 4,000 people: 1,000, with a standard error of 27."""
    people = SimulatedPeople.seated(",".join(LISTED), setup(people_per_group=size))
    assert people is not None
    groups = [people.group(seed).people for seed in range(4000 // size)]
    counts = Counter(spec for group in groups for spec in group)
    assert {len(group) for group in groups} == {size}
    assert all(abs(counts[spec] - 1000) < 4 * 27.4 for spec in LISTED), counts


def test_people_of_larger_groups_are_those_of_smaller_ones_and_more():
    """The same seed draws the same people in every treatment."""
    groups = [SimulatedPeople(LISTED, size, []).group(7).people for size in (2, 3, 4)]
    assert groups[2][:3] == groups[1]
    assert groups[1][:2] == groups[0]


def test_pay_is_the_same_whether_plays_are_a_batch_or_played_alone():
    """Plays end early, after different numbers of periods."""
    played = setup(people_per_group=3, periods=7, collapse_stock=20.0)
    people = SimulatedPeople.seated("noisy_person,greedy,conditional_cooperator", played)
    assert people is not None
    points, periods = people._played(played)
    alone = [people._in_turn(played, seed) for seed in range(PLAYS)]
    assert points == [earned for earned, _ in alone]
    assert periods == [lasting for _, lasting in alone]
    assert len(set(periods)) > 2


# -- plans whose treatments differ in simulated people --------------------------------------------

APART = "(treatments.pool.people), so a difference between treatments can be due to this alone."


@pytest.mark.parametrize(
    ("key", "sentences"),
    [
        ("", []),
        ('people = "steward,greedy,steward,greedy"', []),
        ('people = "steward"', [f"Simulated people differ between treatments {APART}"]),
    ],
)
def test_a_plan_names_the_key_by_which_people_differ(key, sentences):
    pool = 'meaning = "a pool"'
    study = plan(**{pool: f"{pool}\n{key}"})
    assert study.people_apart == sentences
    assert study.simulated_by("noisy_person").people_apart == []
    series = treatments.shipped_series("commons_game", config(study))
    shown = list(showing.lines(study, series, {**config(study), **MONEY}))
    assert [line.strip() for line in shown if "differ between" in line] == sentences
    assert described(study, series)[2:] == sentences
    assert [
        remark.sentence for remark in remarks(study, ["commons_game"]) if "differ" in str(remark)
    ] == [f"people: {sentence}" for sentence in sentences]


def test_a_plan_names_the_key_by_which_people_differ_between_blocks():
    blocks = """
    [[blocks]]
    name = "one"
    meaning = "first"
    [[blocks]]
    name = "two"
    meaning = "second"
    people = "noisy_person"
    """
    assert plan(SMALL + blocks).people_apart == [
        "Simulated people differ between blocks (blocks.two.people), so a difference between "
        "blocks can be due to this alone."
    ]


def test_people_vote_as_their_policies_wish_even_if_bots_abstain():
    rich, level = "fixed:harvest=2", "fixed:harvest=1"
    policy = limited(rules_bots="policy")
    people = SimulatedGroup([rich], [level, rich])
    assert people.chosen(policy, 1) == ("open", ["open", "", "open"])
    people = SimulatedGroup([rich], [rich])
    assert people.chosen(limited(rules_bots="abstain"), 1) == ("open", ["open", ""])


def test_the_pay_of_people_is_shown_under_every_rule():
    """The fee is 2, and a point is worth 0.1. In 3 periods, taking 2 earns 6 or, under the limit,
    3.
    """
    limited_setup = limited()
    people = SimulatedPeople.seated("fixed:harvest=2", limited_setup)
    assert people is not None
    paid = people.paid(limited_setup, Terms.of(2.0, 0.1, limited_setup.options.model_dump()))
    assert (paid.least, paid.mean, paid.most) == pytest.approx((2.3, 2.6, 2.6))
    assert set(paid.chosen) == {"open"}


def test_a_plan_uses_the_named_people_everywhere():
    small = plan()
    other = small.simulated_by("greedy")
    assert {other.people_of(name) for name in other.treatments} == {"greedy"}
    assert small.simulated_by("") is small


@pytest.mark.long
@pytest.mark.parametrize("key", ["simulated", "people"])
def test_power_takes_people_of_all_treatments_or_of_one(capsys, key):
    """Accept the former key `people` too."""
    command = ["power", "commons_game", "--measure", "points", "--groups", "2", "--workers", "1"]
    command += ["--repetitions", "10", "--pool", "20", "--simulated", "noisy_person"]
    more = ["bots=steward", "archetype=lab", "periods=2"]
    first = ["--treatment", "first", *more]
    other = ["--treatment", "other", f"{key}=random,random", *more]
    assert main([*command, *first, *other]) == 0
    assert capsys.readouterr().err.splitlines()[-3:] == [
        "Treatment first. Simulated people: 1 per group, each noisy_person; "
        "bots: steward (3 seats).",
        "Treatment other. Simulated people: 2 per group, each random; bots: steward (2 seats).",
        "Simulated people differ between treatments (simulated= of first, simulated= of other), so "
        "a difference between treatments can be due to this alone.",
    ]


def test_groups_that_differ_only_in_size_are_described_once():
    population = SimulatedPeople(("greedy", "sustainable"), 3, [])
    assert population.in_groups_of([4, 3, 6]) == (
        "Simulated people: 3 to 6 per group, each drawn from greedy, sustainable (equal shares); "
        "no bots."
    )
    assert str(population) == population.in_groups_of([3])
