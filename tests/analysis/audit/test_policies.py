"""The audit asks the policies again. This reveals wrong names, wrong numbers, and bots recorded as
people.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, Audit, audited, wording
from mixed_company.analysis.audit.asked import NOT_INSTALLED
from mixed_company.experiment.digests import of_treatment, played_rules
from mixed_company.policies.policy import Policy
from mixed_company.table.export.archive import own_version
from tests.analysis.audit.faults import contents_of, edited, planted, written
from tests.analysis.audit.planting import records
from tests.analysis.audit.tables import exported, play, setup

BEFORE = Path(__file__).with_name("export_draws_before.zip")
"""Export in which version 1 of `random`, which drew different numbers, plays with
`best_response`."""


def renamed(good: Path, bad: Path, old: str, new: str) -> Path:
    """Write the export with a policy renamed in all tables and in the manifest."""

    def change(rows):
        rows[1:] = [[value.replace(old, new) for value in row] for row in rows[1:]]
        for row, line in zip(records(rows), rows[1:], strict=True):
            if "digest" in row:  # as if the policy had always had this name
                digest = of_treatment(row["treatment"], row["block"], played_rules(row))
                line[rows[0].index("digest")] = digest

    path = good
    for table in _tables(good):
        path = planted(path, bad, table, change, remade=True)
    return bad


def _tables(export: Path) -> list[str]:
    """Return the tables that name policies."""
    names = ("decisions", "seats", "events", "config", "messages", "journal")
    listed = {Path(path).stem for path in contents_of(export)}
    return [name for name in names if name in listed]


def wrong(path: Path) -> list[str]:
    return [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES]


def served(folder: Path, game: str = "commons_game", **options) -> Path:
    settings = setup(game, grace_seconds=10.0, decision_seconds=5.0, periods=6, **options)
    analysis.save(exported(settings, [play(settings, 2, number, 0.1) for number in (1, 2)]), folder)
    return folder


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    path = served(tmp_path_factory.mktemp("good") / "export.zip", bots="steward,greedy")
    assert wrong(path) == []
    return path


@pytest.mark.parametrize(("old", "new"), [("steward", "random"), ("greedy", "sustainable")])
def test_a_policy_that_is_renamed_in_all_tables_is_found(good, tmp_path, old, new):
    problems = wrong(renamed(good, tmp_path / "bad.zip", old, new))
    assert any(f"as {new} decides" in problem for problem in problems)


def test_a_number_that_a_policy_did_not_send_is_found(good, tmp_path):
    """A larger request is cut to the same harvest, so only asking the policy reveals the change."""
    frame = analysis.load(good).decisions
    row = 1 + frame["decided_by"].tolist().index("policy")
    bad = planted(
        good, tmp_path / "bad.zip", "decisions", edited(row, "sent_harvest", "9999.0"), remade=True
    )
    assert any("sent_harvest: " in problem and "9999" in problem for problem in wrong(bad))


def test_every_decision_of_a_policy_is_asked_for_again(good):
    data = analysis.load(good)
    audit = audited(data)
    assert audit.recomputed == (data.decisions["decided_by"] == "policy").sum() > 10
    assert (audit.unasked, audit.otherwise) == ({}, {})


def test_policies_that_are_not_installed_are_admitted_in_one_line(good, tmp_path):
    bad = renamed(good, tmp_path / "bad.zip", "steward", "my_own")
    audit = audited(analysis.load(bad))
    assert wording.wrong(audit) == []
    assert list(audit.unasked) == [NOT_INSTALLED]
    [line] = [line for line in wording.lines(audit, 0) if NOT_INSTALLED in line]
    assert line.startswith(
        f"{audit.unasked[NOT_INSTALLED]} of the bots' decisions, votes or messages"
    )


def under(code: Path, bad: Path, version: str) -> Audit:
    """Return the audit of an export in which a policy has a different name and the version's code
    differs."""
    files = contents_of(renamed(code, bad, "greedy", "sustainable"))
    software = {"mixed_company": version}
    manifest = {**json.loads(files["manifest.json"]), "code": "f" * 64, "software": software}
    files["manifest.json"] = json.dumps(manifest).encode()
    return audited(analysis.load(written(bad, files)))


def test_decisions_that_differ_under_other_code_of_this_release_are_a_fault(good, tmp_path):
    [fault] = wording.wrong(under(good, tmp_path / "bad.zip", own_version()))
    assert re.fullmatch(
        r"commons_game/decisions\.csv: sustainable, version \d+: \d+ of its values differ from "
        r"those compute"
        r"d here, although this release made the export: either its code was "
        r"different, or somebody changed the data",
        str(fault),
    )


def test_decisions_that_differ_under_another_release_are_reported_but_no_fault(good, tmp_path):
    audit = under(good, tmp_path / "bad.zip", "0.1.0")
    assert wording.wrong(audit) == []
    assert list(audit.otherwise) == ["sustainable, version 2"]
    assert any(
        line.startswith("with this code, bots decide differently: ")
        for line in wording.lines(audit, 0)
    )


def test_an_earlier_export_without_a_journal_is_checked_by_its_decisions():
    audit = audited(analysis.load(BEFORE))
    assert wording.wrong(audit) == []
    assert (audit.recomputed, audit.without_journal) == (0, audit.groups)
    _, code, journal = wording.lines(audit, 0)
    assert code.endswith("): it produces the same numbers")
    assert journal.startswith("1 group has no journal here, so only its decisions ")


def test_the_default_for_a_policy_that_failed_is_admitted(tmp_path, monkeypatch):
    """The policy returns nonsense in period 1, so the play is replayed but not simulated again."""
    data = analysis.simulated(
        "commons_game", people=["random"], bots=["steward"], groups=1, seed=1, archetype="lab"
    )
    assert audited(data).without_journal == 0
    acted = Policy.act_within

    def broken(self, allowed, seen, memory, rng):
        if int(seen["period"]) == 1 and self.id == "steward":
            raise ValueError("no")
        return acted(self, allowed, seen, memory, rng)

    with monkeypatch.context() as patched:
        patched.setattr(Policy, "act_within", broken)
        failed = analysis.simulated(
            "commons_game", people=["random"], bots=["steward"], groups=1, seed=1, archetype="lab"
        )
    audit = audited(failed)
    assert wording.wrong(audit) == []
    assert (audit.without_journal, audit.recomputed) == (1, 0)


def test_in_turn_a_policy_sees_earlier_decisions(tmp_path):
    turns = {"agents": {"timing": "sequential"}}
    good, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    options = {"people": ["random"], "bots": ["conditional_cooperator"], "groups": 2, "seed": 3}
    analysis.save(
        analysis.simulated("sanctions", archetype="lab", periods=4, **options, **turns), good
    )
    assert wrong(good) == []
    assert audited(analysis.load(good)).recomputed == 2 * 4 * 4
    assert wrong(renamed(good, bad, "conditional_cooperator", "random"))


def test_a_policy_that_hears_messages_is_asked_with_them(tmp_path):
    options = {"talk": "free", "talk_seconds": 60.0, "bots": "promises_and_keeps"}
    path = served(tmp_path / "talk.zip", **options)
    audit = audited(analysis.load(path))
    assert wording.wrong(audit) == []
    assert audit.recomputed > 0
    bad = renamed(path, tmp_path / "bad.zip", "promises_and_keeps", "promises_and_breaks")
    assert any("as promises_and_breaks decides" in problem for problem in wrong(bad))


def test_the_journal_begins_with_the_seed_of_the_group(good, tmp_path):
    """The play does not draw random numbers, so only the seed itself is wrong."""

    def change(rows):
        start = next(row for row in rows if "start" in row)
        entry = json.loads(start[rows[0].index("entry")])
        start[rows[0].index("entry")] = json.dumps({**entry, "seed": 7})

    problems = wrong(planted(good, tmp_path / "bad.zip", "journal", change, remade=True))
    assert len(problems) == 1
    assert ": seed of the start: 7 should be " in problems[0]
    assert "as in config" in problems[0]
