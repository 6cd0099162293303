"""Pages without scripts: forms that take a participant from the link to the results."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from mixed_company.server import clock
from mixed_company.server.pages import wording
from tests.server.inside import Session, Visitor, inside

__all__ = ["inside"]  # a fixture

SHORT: dict[str, Any] = {"periods": 2, "seed": "3", "scriptless": True, "consent": "May we?"}
PLAIN = "?plain=1"


def hidden(visitor: Visitor) -> dict[str, str]:
    """Return the hidden fields of the page."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([\w.]*)">', visitor.text))


def to_the_play(visitor: Visitor) -> Visitor:
    """Go from consent to the play with the fields of each page's form."""
    visitor.come(PLAIN).send(consented="yes").send()
    assert visitor.page == "Quiz"
    rightly: dict[str, str] = json.loads(visitor.rightly())
    names = set(re.findall(r'<div id="id_(\w+)" role="radiogroup"', visitor.text))
    assert names == set(rightly)
    return visitor.send(**rightly)


def test_forms_lead_from_the_link_to_the_results_without_scripts(inside):
    session = Session("commons", 1, **SHORT)
    [ann] = session.people
    to_the_play(ann)
    assert ann.page == "Play"
    for period in range(2):
        assert "<script" not in ann.text
        assert 'id="id_harvest"' in ann.text
        assert "id_contribution" not in ann.text  # this archetype has no pool
        assert hidden(ann)["decision_period"] == str(period)
        ann.send(harvest="3", **hidden(ann))
        clock.put_on(3000)
        ann.come()
    assert ann.page == "Results"
    assert (ann.player().points, ann.player().status) == (6.0, "finished")


def test_a_decision_is_checked_and_counts_once(inside):
    [ann] = Session("commons", 1, **SHORT).people
    to_the_play(ann)
    first = hidden(ann)
    for wrong in ({"harvest": "many"}, {"harvest": "NaN"}, {}):
        ann.send(**{**hidden(ann), **wrong})
        assert "otree-form-errors" in ann.text
        assert hidden(ann)["decision_period"] == "0"
    right = {"harvest": "4"}
    ann.send(**right, **hidden(ann))
    clock.put_on(3000)
    ann.come()
    assert hidden(ann)["decision_period"] == "1"
    ann.send(**{**first, **right})  # a form of the period before
    assert "otree-form-errors" in ann.text
    assert hidden(ann)["decision_period"] == "1"


def test_only_a_link_in_a_session_with_such_pages_leaves_scripts_out(inside):
    for changes, query in (({}, PLAIN), ({"scriptless": True}, "")):
        [ann] = Session("commons", 1, **{**SHORT, "scriptless": False, **changes}).people
        ann.come(query).send(consented="yes")
        assert "<script" in ann.text
        assert json.loads(ann.player().parameters) == {}


def test_people_without_scripts_meet_in_the_lobby_and_wait_for_each_other(inside):
    session = Session("commons", 2, **SHORT, people_per_group=2)
    ann, bob = session.people
    to_the_play(ann)
    assert ann.page == "Lobby"
    assert "otree-wait-page__body" in ann.text
    assert '<meta http-equiv="refresh"' in ann.text
    to_the_play(bob)
    clock.put_on(20_000)
    for visitor in (ann, bob):
        visitor.come()
        assert visitor.page == "Play"
    ann.come().send(harvest="2", **hidden(ann))
    assert wording.lobby()["title"] in ann.text
    assert "otree-wait-page__body" in ann.text
    bob.send(harvest="2", **hidden(bob))
    clock.put_on(3000)
    assert hidden(ann.come())["decision_period"] == "1"


def test_a_quiz_page_takes_its_fields_if_no_script_runs(inside):
    [ann] = Session("commons", 1, **{**SHORT, "scriptless": False}).people
    ann.come().send(consented="yes").send()
    rightly: dict[str, str] = json.loads(ann.rightly())
    wrong = {**rightly, next(iter(rightly)): "nonsense"}
    assert ann.send(**wrong).page == "Quiz"
    assert ann.send(**rightly).page == "Play"


@pytest.mark.parametrize(
    "changes", [{"talk": "free"}, {"questions": "questions/questionnaire.toml"}]
)
def test_sessions_whose_pages_need_scripts_are_refused(inside, changes):
    with pytest.raises(AssertionError, match="pages without scripts have no talk"):
        Session("commons", 1, **SHORT, **changes)


def test_values_that_are_lists_are_entered_as_json(inside):
    """Points for other players are a list with an entry for each player."""
    changes = {"peer": "punishment", "consent": "", "quiz": False}
    [ann] = Session("sanctions", 1, **{**SHORT, **changes}).people
    ann.come(PLAIN).send()
    assert ann.page == "Play"
    ann.send(contribution="3", **hidden(ann))
    clock.put_on(3000)
    ann.come()
    (name,) = re.findall(r'<input id="id_(\w+)"', ann.text)
    seat = ann.player().seat
    points = [0 if player == seat else 1 for player in range(4)]
    ann.send(**{**hidden(ann), name: json.dumps(points)})
    clock.put_on(3000)
    assert hidden(ann.come())["decision_period"] == "1"
