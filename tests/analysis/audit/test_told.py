"""The sentence about bots is compared with the options and with other people's sentences."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import audited
from mixed_company.analysis.data import Data
from tests.analysis.audit.rehearsed import EXPORT


@pytest.fixture(scope="module")
def earlier() -> Data:
    """Return an export that claims to be from a release without digests."""
    data = analysis.load(EXPORT)
    manifest = copy.deepcopy(data.manifest)
    manifest["software"]["mixed_company"] = "0.8.0"
    for session in manifest["sessions"].values():
        session["plan"] = {key: session["plan"][key] for key in ("name", "digest", "assignment")}
    return replace(data, config=data.config.drop(columns="digest"), manifest=manifest)


def problems(data: Data, column: str, value: str) -> list[str]:
    outcomes = data.outcomes.copy()
    outcomes.loc[0, column] = value
    lines = map(str, audited(replace(data, outcomes=outcomes)).problems)
    return [line for line in lines if f", {column}: " in line]


def test_people_of_an_earlier_release_are_compared_with_their_options(earlier: Data) -> None:
    assert problems(earlier, "comments", "") == []
    assert problems(earlier, "disclosure", "All other players are people.")
    assert problems(earlier, "consented", "yes")


def test_a_note_says_what_was_not_compared_without_digests(earlier: Data) -> None:
    notes = [str(problem) for problem in audited(earlier).problems if problem.kind == "unknown"]
    assert any(note.startswith("manifest.json: treatments have no digests") for note in notes)
