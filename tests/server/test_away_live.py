"""Server downtime and changes to the machine's clock count neither as absence nor as lost time."""

from __future__ import annotations

from typing import Any

from mixed_company.analysis.notes import LEAST_MS
from mixed_company.server import clock
from mixed_company.server.open.open_table import PORTION
from tests.door.audit import table, wrong_numbers
from tests.door.harness import seated, synced
from tests.server.wire import Person, Server, server

__all__ = ["server"]  # a fixture

AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}


def test_downtime_counts_as_nobody_s_absence_and_the_machine_s_clock_changes_nothing(server):
    """Take the server down for 1,000 s three times, then with the clock 1,060 s back, then a day
    ahead. A person waiting in a lobby does not count as having left, either."""
    options = {"grace_seconds": 200.0, "decision_seconds": 300.0, "periods": 5}
    session = server.session("commons_two_people", 2, **AT_ONCE, **options)
    waits = in_a_lobby(server)
    places = seated(server, session, 2)
    people, lives = [person for person, _ in places], [live for _, live in places]
    set_by = [0, 1000, -60, 86_400]
    for period, by in enumerate(set_by):
        if by:
            should_be = by - 1000.0 * period  # total downtime so far
            server.crash(away_seconds=1000.0, set_by=should_be - server.machine.set_by)
            for person in people:
                person.reload()
                assert person.page_name == "Play"
            lives = [person.live() for person in people]
        if by == 1000:
            released(server, *waits)
        views = [synced(live) for live in lives]
        assert [view["period"] for view in views] == [period] * 2
        assert [view["standin"] for view in views] == [False] * 2
        assert all(200_000 < view["remaining_ms"] <= 300_000 for view in views)
        for live, name in zip(lives, "ab", strict=True):
            answer = live.act(period, f"{name}{period}", harvest=1, contribution=0)
            assert answer["kind"] == "ack"
    assert table(server, "seats", session)["reason"].tolist() == ["seated"] * 4
    assert wrong_numbers(server, session) == []
    ahead = table(server, "periods", session).eval("wall_ms - settled_ms").tolist()
    for shown, by in zip(ahead, set_by, strict=True):
        assert -LEAST_MS <= shown - 1000 * by < 200_000


def in_a_lobby(server: Server) -> tuple[Person, dict[str, Any]]:
    """Return a person who waits alone in a lobby, and the session."""
    promise = {"lobby_seconds": 300.0, "lobby_outcome": "release"}
    session = server.session("commons_two_people", 2, **AT_ONCE, **promise)
    person = server.join(session)
    person.walk_to("Lobby")
    assert person.live().ask({"kind": "sync"}, "view")["phase"] == "waiting"
    return person, session


def released(server: Server, person: Person, session: dict[str, Any]) -> None:
    """Check that a person whose promised wait ended during the downtime is released with pay and
    does not count as having left."""
    person.reload()
    person.next(timeout_happened="True")  # as oTree's own script, or its worker, used to do at once
    assert person.page_name == "Lobby"
    live = person.live()
    while live.ask({"kind": "sync"}, "view")["phase"] == "waiting":
        server.turn(1.0)
    person.next()
    assert person.page_name == "Results"
    outcome = table(server, "outcomes", session).set_index("participant").loc[person.code]
    assert (outcome["status"], outcome["payment"]) == ("released", 2.0)


def test_a_play_that_everybody_left_ends_automatically(server):
    """Also check the release if the server was killed in the meantime and people never came
    back."""
    options = {"periods": 2, "decision_seconds": 2.0, "grace_seconds": 10.0}
    first = left(server, **AT_ONCE, **options)
    server.turn(3.0)
    assert table(server, "outcomes", first)["status"].tolist() == ["seated"]
    server.turn(2.0)
    ended(server, first)
    second = left(server, **AT_ONCE, **options)
    server.crash()
    server.turn(20.0)
    ended(server, second)
    assert "pages connected: 0" in server.get("/live_state").text


def test_one_message_settles_a_portion_of_what_is_due_and_the_table_settles_the_rest(server):
    """Guard against settling more than a portion at a time, because all other plays would have to
    wait."""
    periods = 2 * PORTION
    options = {"periods": periods, "pace": "clock", "decision_seconds": 1.0}
    session = server.session("commons", 1, **AT_ONCE, **options)
    [(_, live)] = seated(server, session)
    assert synced(live)["period"] == 0
    clock.put_on(10_000 * periods)
    live.send({"kind": "sync"})
    first, *rest = [message for message in live.heard() if message["kind"] == "view"]
    assert (first["period"], first["phase"], first["remaining_ms"]) == (PORTION, "decide", 0)
    assert [view["period"] for view in rest] == list(range(PORTION + 1, periods + 1))
    assert rest[-1]["phase"] == "over"
    assert len(table(server, "periods", session)) == periods


def left(server: Server, **options: Any) -> dict[str, Any]:
    """Start a session whose only person has closed the page."""
    session = server.session("commons", 1, **options)
    [(_, live)] = seated(server, session)
    live.close()
    return session


def ended(server: Server, session: dict[str, Any]) -> None:
    """Check that the play is over, that it is paid, and that its journal records this."""
    assert table(server, "outcomes", session)["status"].tolist() == ["finished"]
    assert len(table(server, "periods", session)) == 2
    assert wrong_numbers(server, session) == []
