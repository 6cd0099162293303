"""Each fault that is planted is found, or admitted; with the server's key each is found."""

from __future__ import annotations

import pytest

from tests.analysis.audit.catalogue import export
from tests.analysis.audit.verdicts import DOCUMENT, document, tried


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    return list(tried(export(folder), folder / "bad.zip"))


def test_no_fault_is_missed_that_the_list_does_not_admit(outcomes):
    assert [o.fault for o in outcomes if o.verdict == "missed"] == []
    names = {(o.fault.kind, o.fault.name) for o in outcomes}
    assert len(names) == len(outcomes) >= 84


def test_who_has_the_key_finds_every_fault(outcomes):
    assert [o.fault for o in outcomes if not o.by_key] == []


def test_most_is_found_without_the_key(outcomes):
    """Names of bots, what groups played and what people earned need none."""
    found = {(o.fault.kind, o.fault.name) for o in outcomes if o.verdict == "found"}
    kind = "bots and people"
    assert (kind, "greedy renamed sustainable in all tables") in found
    assert (kind, "a person given out as a bot") in found
    assert ("groups and sessions", "the first group left out") in found
    assert ("a value of outcomes", "payment") in found
    assert ("a value of decisions", "reward") in found


def test_the_document_is_what_its_command_writes(outcomes):
    assert DOCUMENT.read_text(encoding="utf-8") == document(outcomes)
