"""Keys that differ between the compared treatments of a plan."""

from __future__ import annotations

import pytest

from mixed_company.experiment import showing_design, treatments
from mixed_company.experiment.comparisons import cautions, differing, listed, of_series, unread
from tests.experiment.planned import config, plan

COMPANY = """
title = "Company, told or not"
session = "commons_small"
groups = 6
people = "greedy"

[treatments.zero]
meaning = "four people"
changes = { people_per_group = 4, disclosure = "possible" }

[treatments.silent]
meaning = "two people and two bots"
changes = { people_per_group = 2, disclosure = "none" }

[treatments.labelled]
meaning = "two people and two bots, with labels"
changes = { people_per_group = 2, disclosure = "labels" }

[treatments.spare]
meaning = "four people, and other bots for seats that none of them leaves"
changes = { people_per_group = 4, disclosure = "possible", bots = "greedy" }

[hypotheses.tested]
meaning = "They differ."
measure = "MEASURE"
of = "people"
test = "mann_whitney"
treatments = TREATMENTS
"""


def study_of(treatment_names: list[str], measure: str = "harvest", of: str = "people"):
    """Return a plan with a hypothesis on these treatments, and their rules."""
    text = COMPANY.replace("TREATMENTS", str(treatment_names)).replace("MEASURE", measure)
    study = plan(text.replace('of = "people"', f'of = "{of}"'))
    return study, of_series(treatments.shipped_series("commons_game", config(study)))


def compared(treatment_names: list[str], measure: str = "harvest", of: str = "people"):
    """Return the sentences about a hypothesis on these treatments, and the sentences about what
    people are told."""
    study, rules = study_of(treatment_names, measure, of)
    return list(differing(study, rules)), unread(study, rules)


def test_treatments_that_differ_only_in_what_people_are_told_are_named():
    sentences, of_simulated = compared(["silent", "labelled"])
    assert of_simulated == {
        "tested": "Treatments silent and labelled differ only in what people are told about "
        "bots, but policies cannot read this, so differences between simulated people "
        "are due to chance"
    }
    assert sentences == [f"hypotheses.tested: {of_simulated['tested']}"]
    assert f"    {of_simulated['tested']}." in list(
        showing_design.tests_shown(*study_of(["silent", "labelled"]))
    )


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("kruskal_wallis", "; the same is true of 1 other pair of these treatments"),
        ("jonckheere", "to one of these keys"),
    ],
)
def test_all_pairs_of_treatments_that_differ_in_several_keys_are_counted(test, words):
    """A trend test depends on neighbouring treatments in its order; other tests depend on all
    pairs."""
    text = COMPANY.replace("TREATMENTS", '["zero", "silent", "labelled"]').replace(
        "mann_whitney", test
    )
    study = plan(text.replace("MEASURE", "harvest"))
    rules = of_series(treatments.shipped_series("commons_game", config(study)))
    (line,) = (line for line in differing(study, rules) if "at once" in line)
    assert line.endswith(words)


SPILL = """
title = "A trace of a pool"
session = "commons_small"
groups = 6
people = "greedy"

[treatments.never]
meaning = "no pool"

[treatments.once]
meaning = "a pool before"
PEOPLE

[treatments.once.blocks.before.changes]
governance = "per_step"

[[blocks]]
name = "before"
meaning = "a pool or none"

[[blocks]]
name = "after"
meaning = "no pool"

[hypotheses.trace]
meaning = "They differ afterwards."
measure = "harvest"
test = "mann_whitney"
direction = "higher"
block = "after"
"""


@pytest.mark.parametrize("people", ["", 'people = "steward"'])
def test_treatments_alike_in_a_block_differ_only_by_chance_in_simulations(people):
    """Policies forget the block before. With other policies, simulated people differ after all."""
    study = plan(SPILL.replace("PEOPLE", people))
    rules = of_series(treatments.shipped_series("commons_game", config(study)))
    alike = (
        "Treatments never and once have the same rules in block after, and policies remember "
        "nothing from earlier blocks, so differences between simulated people are due to chance"
    )
    rate = "; power is then the false-positive rate in the expected direction"
    assert unread(study, rules) == ({} if people else {"trace": alike})
    with_power = unread(study, rules, with_power=True)
    assert with_power.get("trace", "").startswith("" if people else alike + rate)


def test_bots_that_have_no_seat_are_no_difference():
    assert compared(["zero", "spare"]) == ([], {})


def test_names_are_listed_in_words():
    assert [listed("abc"[:count]) for count in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_keys_that_change_together_between_compared_treatments_are_named():
    (telling, confounded, sizes), of_simulated = compared(["zero", "silent"])
    assert telling == f"hypotheses.tested: {of_simulated['tested']}"
    assert of_simulated["tested"] == (
        "Treatments zero and silent also differ in what people are told about bots, but "
        "policies cannot read this, so simulated people do not react to it"
    )
    assert confounded == (
        "hypotheses.tested: Treatments zero and silent differ in people_per_group and disclosure "
        "at once, so a difference between them cannot be attributed to one of these keys"
    )
    assert "over the people of a group, 4 in zero and 2 in silent: means over fewer" in sizes


@pytest.mark.parametrize(
    ("measure", "of", "count"), [("harvest", "group", 2), ("people_harvest", "group", 3)]
)
def test_only_measures_of_people_are_averages_over_people(measure, of, count):
    assert len(compared(["zero", "silent"], measure, of)[0]) == count


@pytest.mark.parametrize(
    ("measure", "of", "words"),
    [
        ("points", "people", "points also depend directly on what bots do"),
        ("people_points", "group", "points also depend directly on what bots do"),
        ("stock_share", "group", "this group measure includes bots"),
        ("harvest", "people", "the harvest also depends directly on what bots leave"),
        ("last_harvest", "people", "the harvest also depends directly on what bots leave"),
        ("harvest_share", "people", ""),
        ("punishment_assigned", "people", ""),
    ],
)
def test_results_that_follow_from_bots_are_cautioned(measure, of, words):
    text = COMPANY.replace("TREATMENTS", '["zero", "silent"]').replace("MEASURE", measure)
    study = plan(text.replace('of = "people"', f'of = "{of}"'))
    rules = of_series(treatments.shipped_series("commons_game", config(study)))
    sentences = cautions(study, rules)["tested"]
    assert any(words in line for line in sentences if "depend" in line or "includes" in line) == (
        bool(words)
    )
    assert any("at once" in line for line in sentences)
