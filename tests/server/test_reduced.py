"""Records, pages and exports for seats that stay empty after their people left."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server import data_page, played
from mixed_company.server.keeping import storage
from mixed_company.server.keeping.writer import Outcome
from mixed_company.server.open.group import outcomes
from mixed_company.server.pages import results
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.export import columns
from mixed_company.table.table import Table
from tests.table.layered import IN_TURN, LATER, begun, left, reduced, stay
from tests.table.plays import SECOND, act


def paid(news: list[Outcome]) -> dict[int, tuple[str, float, float]]:
    """Return the ending, points and paid points of each player by id."""
    return {outcome.player_id: (outcome.status, outcome.points, outcome.paid) for outcome in news}


def test_a_person_who_left_is_recorded_immediately_and_the_others_at_the_end():
    opened = reduced([0, 2], core={"periods": 2}, pay_floor=3.0, pay_cap=7.0)
    paid_before: dict[int, tuple[float, float]] = {}
    act(opened, 2, 1 * SECOND, harvest=2)
    stay(opened, [0], 0, 20)
    assert paid(outcomes(opened, {0: 10, 2: 12}, paid_before)) == {12: ("left", 0.0, 3.0)}
    for now in (20, 21):
        act(opened, 0, now * SECOND, harvest=4)
    assert opened.episode.done
    ended = {10: ("finished", 8.0, 7.0), 12: ("left", 2.0, 3.0)}
    assert paid(outcomes(opened, {0: 10, 2: 12}, paid_before)) == ended
    assert outcomes(opened, {0: 10, 2: 12}, paid_before) == []


def test_payments_after_somebody_has_left_are_recorded_too():
    opened, paid_before = reduced([0, 2], layers=LATER), {}
    act(opened, 2, 1 * SECOND, harvest=4)
    act(opened, 0, 1 * SECOND, harvest=1)
    stay(opened, [0], 5, 20)
    assert paid(outcomes(opened, {2: 12}, paid_before)) == {12: ("left", 2.0, 2.0)}
    act(opened, 0, 20 * SECOND, harvest=1)  # the period in which it is out is over: 2 were owed
    assert paid(outcomes(opened, {2: 12}, paid_before)) == {12: ("left", 4.0, 4.0)}


def test_a_period_without_earnings_is_recorded_too():
    """Record the absence, because the fee can depend on the share of periods that the person
    played."""
    opened, paid_before = reduced([0, 2], core={"periods": 4}), {}
    act(opened, 2, 1 * SECOND, harvest=0)
    act(opened, 0, 1 * SECOND, harvest=1)
    act(opened, 2, 2 * SECOND, harvest=0)
    stay(opened, [0], 5, 20)
    [first] = outcomes(opened, {2: 12}, paid_before)
    act(opened, 0, 20 * SECOND, harvest=1)  # now the period is over
    [then] = outcomes(opened, {2: 12}, paid_before)
    assert (first.points, then.points) == (0.0, 0.0)
    assert then.played_share == first.played_share + 0.25


def test_a_person_who_is_replaced_by_a_bot_has_not_left():
    opened = begun([0, 2], core={"periods": 1}, decision_seconds=0, grace_seconds=15)
    stay(opened, [0], 0, 20)
    act(opened, 0, 20 * SECOND)
    people = paid(outcomes(opened, {0: 10, 2: 12}, {}))
    assert people[10][0] == "finished"
    assert people[12][1] == 0.0


# -- the results page ------------------------------------------------------------------------


@pytest.mark.parametrize("game", engine.game_ids())
@pytest.mark.parametrize("periods", [0, 2])
def test_there_are_results_for_a_person_who_has_left(game, periods):
    opened = left(game, periods, layers=LATER, decision_seconds=0)
    opened.advance(10**9)
    assert opened.episode.done
    log = json.loads(json.dumps(opened.rows))
    guide = guide_of(game)
    summary = guide.summary(opened, log, 1)
    assert all(isinstance(sentence, str) and "{" not in sentence for sentence in summary)
    json.dumps(guide.details(opened, log, 1), allow_nan=False)
    json.dumps(guide.picture(opened, log, 1), allow_nan=False)


def test_the_parts_of_the_points_add_up_to_the_points():
    opened = left("sanctions", 2, layers=LATER, decision_seconds=0)
    parts = results.parts(list(opened.rows), 1, guide_of("sanctions").texts(opened.game.core), 2)
    total = sum(float(part["sum"].replace("\N{MINUS SIGN}", "-")) for part in parts)
    assert total == pytest.approx(opened.seats[1].points, abs=0.02)


def test_the_chart_of_points_ends_at_the_points():
    opened = left("sanctions", 2, layers=LATER, decision_seconds=0)
    log = list(opened.rows)
    course = results.course(log, 1, {"others": True, "best": None})
    assert course["person"][-1] == pytest.approx(opened.seats[1].points)
    rewards = [row["rewards"] for row in log if row["kind"] == "period"]
    others = sum(sum(row) - row[1] for row in rewards) / (len(rewards[0]) - 1)
    assert course["others"][-1] == pytest.approx(others)
    assert results.course(log, 1, {})["others"] is None


def test_no_stand_in_is_mentioned_if_a_seat_stays_empty():
    opened = left("commons_game", 2, decision_seconds=0)
    assert results.notes(opened, list(opened.rows), 1) == []


def test_a_stand_in_is_counted_if_there_was_one():
    opened = begun([0, 1], decision_seconds=0, grace_seconds=15)
    act(opened, 1, 1 * SECOND)
    act(opened, 0, 1 * SECOND)
    stay(opened, [0], 5, 20)
    act(opened, 0, 20 * SECOND)
    notes = results.notes(opened, list(opened.rows), 1)
    assert notes == [
        "A stand-in decided for you in 1 of 2 periods. What the stand-in earned does not count."
    ]


# -- the export ------------------------------------------------------------------------------


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return `rows_of(name, table)`, which gives a table of the export as dicts, without a
    database.
    """

    def rows_of(name: str, opened: Table) -> list[dict[str, Any]]:
        monkeypatch.setattr(storage, "logs_of", lambda _log, _ids, _kinds: {0: opened.rows})
        monkeypatch.setattr(played, "stretches", lambda _session: [])
        group = SimpleNamespace(
            id_in_subsession=1,
            get_folder_name=lambda: opened.game.id,
            setup=opened.setup.model_dump_json(),
            table="",
            shift_ms=0.0,
            treatment="",
            plan="",
        )
        terms = {"participation_fee": 2.0, "real_world_currency_per_point": 0.1}
        config = {"name": "test", "app_sequence": [opened.game.id], **terms}
        session = SimpleNamespace(id=1, code="abc", config=config)
        people = []
        for chair in opened.seats:
            if not chair.owner:
                continue
            participant = SimpleNamespace(code=f"person{chair.seat}", label=None, payoff=0.0)
            person = SimpleNamespace(seat=chair.seat, group_id=0, group=group, session=session)
            person.status, person.quiz_attempts, person.quiz_log = "seated", 0, "[]"
            person.treatment, person.slot, person.assigned_ms = "", -1, 0.0
            person.points, person.payoff, person.participant = 0.0, 0.0, participant
            person.managed, person.subsession, person.subsession_id = "[]", group, 1
            person.waited_ms = person.played_share = person.question_points = 0.0
            person.practised_periods, person.practice_log = 0, "[]"
            person.consented_ms = person.disclosed_ms = 0.0
            person.consented = person.disclosure = person.comments = person.attention = ""
            person.parameters = "{}"
            person.get_folder_name = lambda: opened.game.id
            people.append(person)
        ended = paid(outcomes(opened, {person.seat: person.seat for person in people}, {}))
        for person in people:
            person.status = ended.get(person.seat, (person.status,))[0]
        header, *body = data_page.table(name, people, None, opened.game.id)
        assert set(header) >= {
            "session",
            *({"decided_by", "after_seat_reason"} if name == "decisions" else ()),
        }
        return [dict(zip(header, row, strict=True)) for row in body]

    return rows_of


@pytest.mark.parametrize("agents", [None, IN_TURN])
def test_the_exported_rows_say_which_seats_were_out(exported, agents):
    opened = reduced([0, 2], layers=LATER, agents=agents, core={"periods": 3})
    act(opened, 2, 1 * SECOND, harvest=4)
    act(opened, 0, 1 * SECOND, harvest=1)
    stay(opened, [0], 5, 20)
    act(opened, 0, 20 * SECOND, harvest=1)
    act(opened, 0, 21 * SECOND, harvest=1)
    assert opened.episode.done
    rows = [row for row in exported("decisions", opened) if row["seat"] == 2]
    assert [row["occupant"] for row in rows] == ["person", "nobody", "nobody"]
    assert [row["decided_by"] for row in rows] == ["person", "absent", "absent"]
    assert [row["participant"] for row in rows] == ["person2"] * 3
    assert [row["policy_id"] for row in rows] == ["", "", ""]
    assert [row["used_harvest"] for row in rows] == [4.0, 0.0, 0.0]
    assert [row["after_seat_reason"] for row in rows] == [0, 1, 1]
    # 4 fish: 2 now, 2 in the period in which it leaves
    assert [row["reward"] for row in rows] == [2.0, 2.0, 0.0]
    assert [row["reward_delayed"] for row in rows] == [-2.0, 2.0, 0.0]
    timeline = [row for row in exported("seats", opened) if row["seat"] == 2]
    stretches = [
        (row["occupant"], row["since_period"], row["until_period"], row["reason"])
        for row in timeline
    ]
    assert stretches == [("person", 0, 0, "seated"), ("nobody", 1, 2, "dropout")]
    assert [row["event"] for row in exported("events", opened)] == ["left", "ending"]
    [outcome] = [row for row in exported("outcomes", opened) if row["seat"] == 2]
    assert (outcome["status"], outcome["points"], outcome["paid_points"]) == ("left", 4.0, 4.0)
    assert (outcome["seat_points"], outcome["bot_share"]) == (4.0, 0.0)
    assert outcome["disconnections"] == 1


def test_a_game_that_nobody_can_leave_has_no_column_for_it():
    opened = begun([0])
    names = [column.name for column in columns("decisions", opened.game)]
    assert "after_seat_reason" not in names
