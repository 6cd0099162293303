"""A plan with everything that a session can have between plays: a vote on the rule, talk, paid
beliefs and a questionnaire. People play it to the end, and then the commands export, audit and
report it."""

from __future__ import annotations

import json
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import settings
from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis.audit import NOTES, audited
from mixed_company.server import clock, live
from mixed_company.server.archive import writing
from mixed_company.server.open.tables import tables
from mixed_company.table.protocol import Message, parse
from tests.analysis.report.made import undrawn
from tests.server.blocks.planned import ABA, BELIEF, Blocks, BlockVisitor, config_of
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture

NAME = "blocks_of_a_test"
VOTED = """changes.talk = "free"
changes.talk_when = "before"
changes.talk_seconds = 30.0
changes.rules.none = { meaning = "Nobody is sanctioned.", changes = { lambda_R = 0.0 } }
changes.rules.sanctions = { meaning = "Who gives less than expected is sanctioned." }
"""
ASKED = """
[[blocks.changes.questions]]
name = "age"
text = "How old are you?"
when = "end"
type = "number"
least = 0
most = 120
"""
HYPOTHESIS = """
[hypotheses.more]
meaning = "Groups that vote give more than before."
measure = "contribution"
test = "wilcoxon"
blocks = ["first", "with"]
"""
TEXT = ABA.replace('instruction = "Now', VOTED + 'instruction = "Now')
TEXT = TEXT.replace('[[blocks]]\nname = "again"', f'{BELIEF}\n[[blocks]]\nname = "again"')
# the defaults of sessions in tests, which a sealed plan must have as well
OF_TESTS = 'people_per_group = 2, bot_delay = "instant", practice_periods = 0, ready = false'
TEXT = TEXT.replace("people_per_group = 2", OF_TESTS)
TEXT = TEXT.replace("changes = { lambda_R = 0.0 }", "changes.lambda_R = 0.0") + ASKED + HYPOTHESIS


def taken(blocks: Blocks, visitor: BlockVisitor, **message: Any) -> None:
    """Send a person's message and let time pass until the table acknowledges it."""
    sent = parse({"id": f"{message['kind']} {visitor.code}", **message})
    assert isinstance(sent, Message)
    for _ in range(20):
        player = visitor.player()
        replies = tables.of(player).exchanged(player.seat, sent)
        tables.settled(player)
        if (player.seat, "ack") in [(seat, reply["kind"]) for seat, reply in replies]:
            return
        clock.put_on(4000)
        for other in blocks.people:
            live.play(other.player(), {"kind": "alive"})
    raise AssertionError(replies)


def played(blocks: Blocks) -> None:
    """Let two people play three blocks. In the second they vote and talk, and one of them states a
    belief.
    """
    first = blocks.people[0]
    for number in (1, 2, 3):
        for visitor in blocks.people if number > 1 else ():
            visitor.send()
        blocks.meet()
        for visitor in blocks.people if number == 2 else ():
            taken(blocks, visitor, kind="choose", rule="none" if visitor is first else "sanctions")
        for visitor in blocks.people if number == 2 else ():
            taken(blocks, visitor, kind="say", text="We all give 10.", to=None)
        if number == 2:
            taken(blocks, first, kind="answer", period=0, question="others", value=10)
        blocks.play()
    for visitor in blocks.people:
        assert visitor.page == "Questionnaire"
        visitor.send(handed_answers=json.dumps({"age": [40, 1000]}))
        assert visitor.page == "Results"


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder with the plan, whose session config is added to those of the project."""
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / f"{NAME}.toml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "settings.py").touch()
    configs = [*settings.SESSION_CONFIGS, config_of(TEXT, NAME)]
    monkeypatch.setattr(settings, "SESSION_CONFIGS", configs)
    return tmp_path


@pytest.mark.long
def test_a_vote_talk_beliefs_and_a_questionnaire_in_blocks_go_through_all_commands(
    inside, project, monkeypatch
):
    with chdir(project):
        for action in ("check", "show", "seal"):
            assert main(["plan", action, NAME]) == 0
    blocks = Blocks(TEXT, 2, monkeypatch)
    played(blocks)
    with (project / "out.zip").open("wb") as file:
        writing.write(file, [blocks.code])
    assert [
        problem for problem in analysis.check(project / "out.zip") if problem.kind not in NOTES
    ] == []
    data = analysis.load(project / "out.zip")
    check_told(data)
    check_paid(data)
    with undrawn(), chdir(project):
        assert main(["plan", "report", NAME, "out.zip", "--output", "report"]) == 0
    page = (project / "report" / "report.html").read_text("utf-8")
    assert "Sanctions and none, one after the other" in page
    assert "The hypotheses below are confirmatory" in page
    [tested] = pd.read_csv(project / "report/tables/hypotheses.csv").to_dict("records")
    assert (tested["hypothesis"], tested["status"]) == ("more", "confirmatory")


def check_told(data: Any) -> None:
    """Check that votes, messages and answers are recorded with the block to which they belong."""
    rules = data.config.set_index("block")["rule"].to_dict()
    assert rules == {
        "first": "",
        "with": "none",
        "again": "",
    }  # a tie goes to the rule listed first
    assert data.messages.groupby("block").size().to_dict() == {"with": 2}
    answers = data.answers.groupby(["block", "question"]).size().to_dict()
    assert answers == {("with", "others"): 4, ("again", "age"): 2}


def check_paid(data: Any) -> None:
    """Check that winnings from a belief are part of the pay, and that any other sum is reported as
    a problem.
    """
    won = data.outcomes["pay_questions"]
    assert (won > 0).sum() == 1
    assert data.outcomes.loc[won > 0, "block"].item() == "with"
    columns = [name for name in data.outcomes if name.startswith("pay_")]
    parts = [name for name in columns if name != "pay_elsewhere"]
    whole = data.outcomes.groupby("participant")[parts].sum().sum(axis=1)
    paid = data.outcomes.groupby("participant")["payment"].first()
    assert whole.to_dict() == pytest.approx(paid.to_dict())
    outcomes = data.outcomes.copy()
    outcomes.loc[won > 0, ["pay_questions", "payment"]] += 1.0
    faults = [str(problem) for problem in audited(replace(data, outcomes=outcomes)).problems]
    assert any("pay_questions" in line for line in faults), faults
