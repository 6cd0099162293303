"""A restarted server continues unfinished plays and lobbies, whether people return or not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mixed_company.server.open import going_on
from mixed_company.server.rehearse.participant import Live, Participant
from tests.server.threaded import Server, threaded

pytestmark = pytest.mark.door


def session(running: Server, config: str, **changes: Any) -> str:
    """Return the code of a session in which one person has reached the lobby or the play."""
    options = {"quiz": False, "bot_delay": "instant", "grace_seconds": 600.0}
    options |= {"practice_periods": 0, "ready": False, **changes}
    answer = running.create(config, 2, **options)
    assert answer.status_code == 200, answer.text
    person = Participant(answer.json()["session_wide_url"])
    person.next()
    live = Live(person.live_url())
    live.send({"kind": "sync"})
    live.receive("view")
    live.close()
    return str(answer.json()["code"])


def test_one_play_and_one_lobby_of_each_kind_continue(tmp_path):
    with threaded(tmp_path / "one") as running:
        before = len(going_on._found())
        playing = session(running, "commons", periods=50, decision_seconds=0.0)
        session(running, "commons_two_people", lobby_seconds=600.0)
    unfinished = going_on._found()
    assert len(unfinished) == before + 2
    seated = [player for player in going_on.unfinished() if player.session.code == playing]
    assert [player.status for player in seated] == ["seated"]


def test_a_lock_that_one_server_waited_for_works_in_the_next(tmp_path):
    """Check that a new server replaces the lock. The lock belongs to the loop that first waited for
    it, which may have ended."""

    async def waited_for() -> bool:
        from otree.middleware import lock2

        async with lock2:
            waiting = asyncio.create_task(lock2.acquire())
            await asyncio.sleep(0)
        return bool(await waiting)  # and held forever

    for name in ("one", "two"):
        with threaded(tmp_path / name) as running:
            assert running.run(waited_for())
