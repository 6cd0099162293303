"""Every planted fault is found or admitted; with the server's key, every one is found."""

from __future__ import annotations

import pytest

from docs.dating import undated
from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, UNKNOWN
from tests.analysis.audit import replaying
from tests.analysis.audit.catalogue import catalogue
from tests.analysis.audit.forged import FORGERIES
from tests.analysis.audit.planting import KEY, Fault
from tests.analysis.audit.verdicts import DOCUMENT, Outcome, document, tried

WHOLE = (
    replaying.KIND,
    *(f"two blocks: {kind}" for kind in ("names", "words", "sessions", "quiz and questions")),
)
"""Kinds whose faults `make test` plants, unless UNKNOWN lists them; other files plant many of the
others."""
ALONE = " exchanged in "
CHECKED_ALONE = ("decisions", "config", "answers", "participants")
"""Tables whose names are checked by separate code, so names are also swapped in each one alone."""


def chosen(planted: list[Fault]) -> list[Fault]:
    """Return all faults of the kinds in WHOLE, and the first fault of every other kind. For the
    other kinds, values in all tables count as one kind."""
    some, kinds = [], set()
    for fault in planted:
        kind = without_table(fault.kind)
        if fault.kind in WHOLE:
            listed = fault.about in UNKNOWN  # so `mixed check` may miss it
            alone = ALONE in fault.name and fault.name.split()[-2] not in CHECKED_ALONE
            if not (listed or alone):
                some.append(fault)
        elif kind not in kinds:
            some.append(fault)
        kinds.add(kind)
    return some


def without_table(kind: str) -> str:
    return kind.partition("a value in ")[0] if "a value in " in kind else kind


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return catalogue(tmp_path_factory.mktemp("good"))


@pytest.fixture(scope="module")
def outcomes(planted, tmp_path_factory) -> list[Outcome]:
    bad = tmp_path_factory.mktemp("bad") / "bad.zip"
    return [outcome for good, faults in planted for outcome in tried(good, bad, chosen(faults))]


@pytest.fixture(scope="module")
def every(planted, tmp_path_factory) -> list[Outcome]:
    bad = tmp_path_factory.mktemp("every") / "bad.zip"
    return [outcome for good, faults in planted for outcome in tried(good, bad, faults)]


def missed(outcomes: list[Outcome]) -> list[Fault]:
    return [o.fault for o in outcomes if o.verdict == "missed" or not o.by_key]


def test_the_exports_themselves_have_no_fault(planted):
    for good, _ in planted:
        problems = analysis.check(good, key=KEY)
        assert [str(problem) for problem in problems if problem.kind not in NOTES] == []


def test_faults_of_every_kind_are_found_or_admitted_and_all_with_the_key(planted, outcomes):
    assert missed(outcomes) == []
    kinds = {without_table(fault.kind) for _, faults in planted for fault in faults}
    assert {without_table(o.fault.kind) for o in outcomes} == kinds


def test_what_a_review_found_missed_is_found(outcomes):
    """Plant a wrong plan digest, another person's message, a missing answer, and swapped
    treatments."""
    verdicts = {(o.fault.kind, o.fault.name): o.verdict for o in outcomes}
    names = {name: verdict for (kind, name), verdict in verdicts.items() if "words" in kind}
    assert set(names.values()) == {"found"}
    assert len(names) == 5
    assert verdicts["two blocks: names", "two treatments exchanged"] == "found"


@pytest.mark.long
def test_forgeries_by_a_careful_hand_are_found_except_those_without_a_trace(every):
    kinds = {f"two blocks: {kind}" for kind, _ in FORGERIES}
    forged = {o.fault.name: o.verdict for o in every if o.fault.kind in kinds}
    assert len(forged) > 30
    assert {name for name, verdict in forged.items() if verdict != "found"} == {
        "an invented person with the next slot",
        "an invented person with a higher slot before the lower ones",
        "20 minutes in the lobby before the link was opened",
        "10 minutes in the lobby during the block before",
        "arrived after the play",
        "told about bots a day after the play",
        "the quiz a day before the link was opened",
        "failed attempts at the quiz left out",
        "a different right answer to a question of the quiz for everybody",
        "a question of the quiz left out for everybody",
        "a question of the quiz renamed for everybody",
        "the practice left out",
        "the page after the second block left out",
    }


@pytest.mark.long
def test_no_fault_of_the_catalogue_is_missed(every):
    assert missed(every) == []
    names = {(o.fault.kind, o.fault.name) for o in every}
    assert len(names) == len(every) >= 800


@pytest.mark.long
def test_the_document_matches_its_command(every):
    assert undated(DOCUMENT.read_text(encoding="utf-8")) == document(every)
