"""Texts that people read are compared with the options, and missing entries are reported."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import audited
from mixed_company.analysis.audit.options import check_disclosed
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.data import Data
from mixed_company.analysis.plays import as_exported
from mixed_company.experiment.digests import of_plan
from mixed_company.table.export.archive import code_hash, own_version
from tests.analysis.audit.rehearsed import EXPORT
from tests.analysis.audit.tables import exported, play, setup


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


@pytest.mark.parametrize(("key", "section"), [("seed", "identity"), ("seats", "core")])
def test_a_whole_number_of_the_configuration_is_written_as_one(key: str, section: str) -> None:
    """The engine reads 3.0 as 3, but other programs may not."""
    data = analysis.load(EXPORT)

    def other(text: str) -> str:
        config = json.loads(text)
        config[section][key] = float(config[section][key])
        return json.dumps(config)

    config = data.config.assign(config=data.config["config"].map(other))
    lines = [str(problem) for problem in audited(replace(data, config=config)).problems]
    assert any(f"{section}.{key} is not written as a server writes it" in line for line in lines)


def test_a_missing_option_is_named_if_this_release_made_the_export() -> None:
    settings = setup()
    data = exported(settings, [play(settings, 1, 1, 0.0)])
    software = {"mixed_company": own_version()}
    data = replace(data, manifest={**data.manifest, "software": software, "code": code_hash()})
    line = "lacks the options"
    assert not any(line in str(problem) for problem in audited(data).problems)
    options = json.loads(data.config["options"][0])
    del options["quiz"]
    data = replace(data, config=data.config.assign(options=json.dumps(options)))
    assert any(f"{line} quiz" in str(problem) for problem in audited(data).problems)
    data = replace(data, manifest={**data.manifest, "code": "0" * 64})
    notes = [str(problem) for problem in audited(data).problems if problem.kind == "unknown"]
    assert any("options: quiz are missing, so their defaults were used" in note for note in notes)


def test_the_keys_that_match_people_and_pay_blocks_must_be_in_the_plan() -> None:
    data = analysis.load(EXPORT)
    manifest = copy.deepcopy(dict(data.manifest))
    for session in manifest["sessions"].values():
        del session["plan"]["pay_blocks"]
        session["plan"]["digest"] = of_plan(session["plan"])
    manifest.pop("sealed")
    lines = [str(problem) for problem in audited(replace(data, manifest=manifest)).problems]
    assert any(line.endswith("plan: pay_blocks: is missing") for line in lines)


def test_people_read_the_sentence_before_the_first_block_of_each_game() -> None:
    """The rows of the first block are left out, as if that block had been a different game."""
    data = as_exported(analysis.load(EXPORT))
    frames = {"config": data.config, "outcomes": data.outcomes}
    tables = {
        name: Rows.of(name, frame[frame["block"] == "second"].reset_index(drop=True))
        for name, frame in frames.items()
    }
    findings = Findings(data.game_id)
    check_disclosed(tables, data.manifest, findings)
    lines = map(str, findings.problems)
    assert any("but the options say: disclosure = 'possible'" in line for line in lines)
