"""Every planted fault is found or admitted; with the server's key, every one is found."""

from __future__ import annotations

import re

import pytest

from docs.dating import undated
from tests.analysis.audit.catalogue import Fault, export, faults
from tests.analysis.audit.verdicts import DOCUMENT, Outcome, document, tried

WHOLE = ("bots and people", "treatments", "groups and sessions", "the clock", "the manifest")
"""Kinds whose faults are all planted here; `test_faults.py` plants many of the others."""


def chosen(good) -> list[Fault]:
    """Return all faults of the kinds in WHOLE, all faults in times and talk, and the first of every
    other kind.
    """
    planted, kinds = [], set()
    for fault in faults(good):
        untimed = not re.search("_ms|_time|messages", f"{fault.kind} {fault.name}")
        if fault.kind in WHOLE or not untimed or fault.kind not in kinds:
            planted.append(fault)
        kinds.add(fault.kind)
    return planted


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    return export(tmp_path_factory.mktemp("good"))


@pytest.fixture(scope="module")
def outcomes(good, tmp_path_factory) -> list[Outcome]:
    return list(tried(good, tmp_path_factory.mktemp("bad") / "bad.zip", chosen(good)))


@pytest.fixture(scope="module")
def every(good, tmp_path_factory) -> list[Outcome]:
    return list(tried(good, tmp_path_factory.mktemp("every") / "bad.zip", faults(good)))


def missed(outcomes: list[Outcome]) -> list[Fault]:
    return [o.fault for o in outcomes if o.verdict == "missed" or not o.by_key]


def test_faults_of_every_kind_are_found_or_admitted_and_all_with_the_key(good, outcomes):
    assert missed(outcomes) == []
    kinds = {fault.kind for fault in faults(good)}
    assert {o.fault.kind for o in outcomes} == kinds


def test_the_document_admits_the_faults_that_are_not_found(outcomes):
    """Bot names, what groups played and what people earned are checked without a key."""
    listed = re.findall(r"^- (.*?): (.*)$", DOCUMENT.read_text(encoding="utf-8"), flags=re.M)
    admitted = {(kind, name) for kind, names in listed for name in names.split(", ")}
    planted = {(o.fault.kind, o.fault.name): o.verdict for o in outcomes}
    not_found = {fault for fault, verdict in planted.items() if verdict == "admitted"}
    assert not_found == {*planted} & admitted
    assert len(not_found) > 10


@pytest.mark.long
def test_no_fault_of_the_catalogue_is_missed(every):
    assert missed(every) == []
    names = {(o.fault.kind, o.fault.name) for o in every}
    assert len(names) == len(every) >= 84


@pytest.mark.long
def test_the_document_matches_its_command(every):
    assert undated(DOCUMENT.read_text(encoding="utf-8")) == document(every)
