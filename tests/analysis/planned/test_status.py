"""A plan's tests are confirmatory unless there is a reason why not, and the report states it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mixed_company.analysis.audit.wording import UNCHECKED, Original
from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import planned as part
from mixed_company.experiment.digests import of_plan as of_plan_digest
from mixed_company.experiment.digests import parts_of
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal
from tests.analysis.planned.made import TEXT, content, export, sealed
from tests.experiment.planned import plan

UNKNOWN = "The data do not say when every participant was assigned to a treatment"


def status(data: Data, study: Plan, original: Original = UNCHECKED) -> tuple[set[str], str]:
    """Return the status of a sealed plan's tests, and the first sentence about it."""
    whole = of_plan(data, "small", study)
    planned = part.of_plan(whole, study, content(study), sealed(study), original=original)
    return set(planned.tables[0].frame["status"]), planned.words[0]


def test_sessions_of_the_sealed_plan_are_confirmatory() -> None:
    statuses, sentence = status(export(), plan(TEXT))
    assert statuses == {"confirmatory"}
    assert ", before the first participant was assigned to a treatment (" in sentence


def test_hypotheses_of_another_seal_are_exploratory() -> None:
    other = plan(TEXT.replace('test = "welch"', 'test = "welch"\ndirection = "lower"'))
    statuses, sentence = status(export(), other)
    assert statuses == {"exploratory"}
    assert sentence == (
        "Session plan1 was not made from the sealed plan: everything in this report is exploratory."
    )


def test_hypotheses_of_a_seal_with_another_order_of_treatments_are_exploratory() -> None:
    """The direction of a test follows from the order, and the digest of the text does not cover the
    order."""
    treatments = TEXT[TEXT.index("[treatments.open]") : TEXT.index("[hypotheses.harvest]")]
    first, second = treatments.split("[treatments.pool]")
    other = plan(TEXT.replace(treatments, f"[treatments.pool]{second}\n{first}"))
    statuses, sentence = status(export(), other)
    assert statuses == {"exploratory"}
    assert sentence.startswith("Session plan1 was not made from the sealed plan")


def test_a_key_that_a_session_changed_is_a_deviation_only() -> None:
    assert status(export(periods=2), plan(TEXT))[0] == {"confirmatory"}


def test_a_session_without_a_digest_of_its_plan_is_exploratory() -> None:
    data = export()
    entry = {**data.manifest["sessions"]["plan1"]}
    entry["plan"] = {"name": "small"}
    data = replace(data, manifest={**data.manifest, "sessions": {"plan1": entry}})
    assert status(data, plan(TEXT))[0] == {"exploratory"}


@pytest.mark.parametrize("rows", [slice(None), slice(0, 1)], ids=["everybody", "a participant"])
def test_without_times_of_assignment_nothing_is_confirmatory(rows: slice) -> None:
    data = export()
    people = data.outcomes.copy()
    people.loc[people.index[rows], "assigned_ms"] = None
    statuses, sentence = status(replace(data, outcomes=people), plan(TEXT))
    assert statuses == {"exploratory"}
    assert sentence == f"{UNKNOWN}: everything in this report is exploratory."


def test_people_who_were_never_assigned_need_no_time() -> None:
    data = export()
    people = data.outcomes.copy()
    alone = people["participant"] == "alone"
    people.loc[alone, ["assigned_ms", "slot"]] = None
    assert status(replace(data, outcomes=people), plan(TEXT))[0] == {"confirmatory"}


def test_any_fault_of_the_export_makes_its_tests_exploratory() -> None:
    """A value changed together with all hashes is not a fault of files or seals."""
    faults = Original(1, ("periods.csv, line 2, after_stock: 66.0 should be 26.0",))
    statuses, sentence = status(export(), plan(TEXT), faults)
    assert statuses == {"exploratory"}
    assert sentence == (
        "The export does not pass mixed check: everything in this report is exploratory."
    )


def test_a_group_marked_as_rehearsed_or_an_empty_entry_makes_a_rehearsal() -> None:
    data = export()
    marks = [True, *[False] * (len(data.config) - 1)]
    marked = replace(data, config=data.config.assign(rehearsed=marks))
    emptied = replace(data, manifest={**data.manifest, "rehearsed": {}})
    for rehearsal in (marked, emptied):
        statuses, sentence = status(rehearsal, plan(TEXT))
        assert statuses == {"rehearsal"}
        assert sentence.startswith("A rehearsal: policies played in place of people")


DIRECTED = TEXT.replace('test = "mann_whitney"', 'test = "mann_whitney"\ndirection = "lower"')


def turned(treatments: dict[str, Any]) -> dict[str, Any]:
    """Return the treatments in reverse order."""
    return dict(reversed(treatments.items()))


@pytest.mark.parametrize("is_turned", [True, False])
def test_a_direction_that_no_seal_fixes_is_not_confirmatory(is_turned: bool) -> None:
    """`harvest` expects lower values in the last treatment of the plan; `points` names its
    treatments. A seal from an earlier release does not include the order, so its digest stays the
    same if someone reverses the plan's treatments."""
    study = plan(DIRECTED)
    held = content(study)
    parts = {**parts_of(held), "order": []}
    seal = Seal(
        plan="small",
        sealed="1970-01-01T00:00:00+00:00",
        digest=of_plan_digest(parts),
        treatments=parts["digests"],
        content=held,
    )
    data = export()
    [entry] = data.manifest["sessions"].values()
    del entry["plan"]["order"]
    entry["plan"] |= {"plan": parts["plan"], "digest": seal.digest}
    if is_turned:
        text = {**held["plan"], "treatments": turned(held["plan"]["treatments"])}
        seal = seal.model_copy(update={"content": {**held, "plan": text}})
    assert seal.is_whole
    whole = of_plan(data, "small", study)
    planned = part.of_plan(whole, study, held, seal)
    table = planned.tables[0].frame
    assert list(table["status"]) == ["exploratory", "confirmatory"]
    assert "confirmatory, except harvest; everything" in planned.words[0]
    named = " ".join(planned.tables[-1].frame["what"])
    sentence = "its plan has the treatments in the order pool, open, but the manifest's entry for "
    assert (f"{sentence}session plan1, open, pool" in named) == is_turned


def test_the_export_and_the_verdict_on_its_seals_follow_the_status() -> None:
    study, source = plan(TEXT), Original(digest="ab12", seals="not sealed")
    whole = of_plan(export(), "small", study)
    for seal in (sealed(study), None):
        planned = part.of_plan(whole, study, content(study), seal, original=source)
        assert planned.words[1] == "Export: sha256 ab12; not sealed."


def test_a_play_that_began_before_the_seal_makes_its_tests_exploratory() -> None:
    """All times of assignment are after the seal, as if someone had changed them, or as if the
    machine's clock had been set back between assignment and play."""
    data = export()
    people = data.outcomes.assign(assigned_ms=10**13)
    late = replace(data, outcomes=people, seats=data.seats.assign(wall_ms=5))
    study = plan(TEXT)
    seal = sealed(study, "1970-01-01T01:00:00+00:00")
    planned = part.of_plan(of_plan(late, "small", study), study, content(study), seal)
    assert set(planned.tables[0].frame["status"]) == {"exploratory"}
    assert planned.words[0] == (
        "A play has a time before the seal although people were assigned after it, because the "
        "machine's clock was set back or a time was changed: everything in this report is "
        "exploratory."
    )
    late = replace(late, outcomes=people.assign(assigned_ms=5))
    planned = part.of_plan(of_plan(late, "small", study), study, content(study), seal)
    assert planned.words[0].startswith("The plan was sealed only after participants were assigned")
