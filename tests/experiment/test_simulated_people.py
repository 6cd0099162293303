"""Tests that policies take people's places in the same way for show, power, preflight and
rehearsal."""

from __future__ import annotations

import pytest

from mixed_company.__main__ import main
from mixed_company.engine.contract.errors import UnknownName
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.table.ledger import Terms
from mixed_company.table.setup import Setup
from tests.experiment.planned import plan
from tests.table.chosen import setup

LIMIT = {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 1.0}}}}


def limited(**changes: object) -> Setup:
    """Return a setup of 2 people who choose between no limit on harvests and a limit of 1."""
    free = {"meaning": "Everybody takes what he or she likes."}
    low = {"meaning": "Nobody takes more than 1.", "changes": {"layers": LIMIT}}
    return setup(rules={"open": free, "low": low}, bots="fixed:harvest=2", **changes)


def test_policies_take_the_places_of_people_in_turn_and_bots_the_others() -> None:
    people = SimulatedPeople.seated("greedy, steward", setup(people_per_group=3))
    assert people == SimulatedPeople(["greedy", "steward", "greedy"], ["steward"])
    assert str(people) == "Simulated people: greedy (2 seats), steward; bots: steward."
    assert SimulatedPeople.seated(" , ", setup()) is None
    with pytest.raises(UnknownName, match="did you mean 'greedy'"):
        SimulatedPeople.seated("gredy", setup())


def test_bots_stand_in_for_people_if_none_are_named() -> None:
    people = SimulatedPeople.as_bots(setup(bots="greedy,steward"))
    assert str(people) == "Simulated people: greedy (2 seats), steward (2 seats); no bots."


def test_people_vote_as_their_policies_wish_even_if_bots_abstain() -> None:
    rich, level = "fixed:harvest=2", "fixed:harvest=1"
    policy = limited(rules_bots="policy")
    people = SimulatedPeople([rich], [level, rich])
    assert people.chosen(policy, 1) == ("open", ["open", "", "open"])
    people = SimulatedPeople([rich], [rich])
    assert people.chosen(limited(rules_bots="abstain"), 1) == ("open", ["open", ""])


def test_the_pay_of_people_is_shown_under_every_rule() -> None:
    """Expect a fee of 2 and 0.1 a point: in 3 periods, taking 2 earns 6 or, under the limit, 3."""
    limited_setup = limited()
    people = SimulatedPeople.seated("fixed:harvest=2", limited_setup)
    assert people is not None
    paid = people.paid(limited_setup, Terms.of(2.0, 0.1, limited_setup.options.model_dump()))
    assert (paid.least, paid.mean, paid.most) == pytest.approx((2.3, 2.6, 2.6))
    assert set(paid.chosen) == {"open"}


def test_a_plan_uses_the_named_people_everywhere() -> None:
    small = plan()
    other = small.simulated_by("greedy")
    assert {other.people_of(name) for name in other.treatments} == {"greedy"}
    assert small.simulated_by("") is small


@pytest.mark.few(1)
@pytest.mark.parametrize("key", ["simulated", "people"])
def test_power_takes_people_of_all_treatments_or_of_one(
    capsys: pytest.CaptureFixture[str], key: str
) -> None:
    """Accept `people`, the former key, too."""
    command = ["power", "commons_game", "--measure", "points", "--groups", "2", "--workers", "1"]
    command += ["--repetitions", "10", "--pool", "20", "--simulated", "noisy_person"]
    more = ["bots=steward", "archetype=lab", "periods=2"]
    first = ["--treatment", "first", *more]
    other = ["--treatment", "other", f"{key}=random,random", *more]
    assert main([*command, *first, *other]) == 0
    assert capsys.readouterr().err.splitlines()[-2:] == [
        "Treatment first. Simulated people: noisy_person; bots: steward (3 seats).",
        "Treatment other. Simulated people: random (2 seats); bots: steward (2 seats).",
    ]
