"""Clocks of sessions, answers to pages without a socket, and plays that continue."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import live, play_clock
from mixed_company.server.open import going_on
from mixed_company.server.play_clock import LAST_MS, Stretch, clock_of
from mixed_company.table.protocol import Message
from tests.server.inside import Session, inside

__all__ = ["inside"]  # a fixture


def test_the_clock_of_a_session_continues_where_it_was(monkeypatch):
    """Read the clock's current time, because it may have run since it was last saved."""
    past = {1: [Stretch(0, 500, 0), Stretch(500, 9_000, 70_000)], 2: []}
    monkeypatch.setattr(play_clock, "_clocks", {})
    monkeypatch.setattr(play_clock, "stretches", past.__getitem__)
    first, fresh = clock_of(1), clock_of(2)
    assert first.now_ms() - (9_000 + LAST_MS) in range(60_000)
    assert fresh.now_ms() in range(60_000)
    assert clock_of(1) is first


@pytest.mark.parametrize("way", ["play", "lobby", "practice"])
def test_a_person_without_a_socket_is_answered_by_number_in_the_group(monkeypatch, way):
    done: list[Any] = []

    def exchanged(seat: int, message: Any) -> Any:
        done.append((seat, message))
        replies = [(seat, {"kind": kind}) for kind in ("ack", "note", "view")]
        return replies if message.kind == "sync" else []

    table = SimpleNamespace(people=[0, 2, 5])
    opened = SimpleNamespace(exchanged=exchanged, table=table)
    alone = SimpleNamespace(exchanged=exchanged, table=SimpleNamespace(people=[5]))
    monkeypatch.setattr(live.tables, "of", lambda _player: opened)
    monkeypatch.setattr(live.tables, "settled", lambda who: done.append(("settled", who)))
    monkeypatch.setattr(live.practices, "of", lambda _player: alone)
    monkeypatch.setattr(live.lobbies, "admit", lambda who: done.append(("admitted", who)))
    player, method = SimpleNamespace(seat=5, id_in_group=3), getattr(live, way)
    [(place, refused)] = method(player, {"kind": "nuke"}).items()
    assert (place, refused["kind"], done) == (3, "refused", [])
    replies = method(player, {"kind": "sync"})
    quiet = method(player, {"kind": "alive"})
    messages = [Message("sync"), Message("alive")]
    if way == "lobby":
        assert (replies, quiet, done) == ({}, {}, [("admitted", player)] * 2)
    else:
        assert (replies, quiet) == ({3: {"kind": "view"}}, {})
        settled = [("settled", player)] if way == "play" else []
        assert done == [(5, messages[0]), *settled, (5, messages[1]), *settled]


def test_a_lobby_without_a_socket_refuses_an_invalid_message(inside):
    [ann] = Session("commons_two_people", 1, quiz=False).people
    player = ann.come().send().player()
    for nonsense in ("nonsense", {"kind": "act", "id": "a", "period": 0, "action": {}}):
        [(who, answer)] = live.lobby(player, nonsense).items()
        assert (who, answer["kind"]) == (player.id_in_group, "refused")
    assert answer["id"] == "a"
    assert live.lobby(player, {"kind": "sync"}) == {}
    assert ann.player().status == "waiting"


def test_after_a_start_only_plays_and_lobbies_with_somebody_continue(inside):
    """Restart one of each group and of each lobby."""
    alone = Session("commons", 3, quiz=False, periods=2)
    for person in alone.people[:2]:
        person.come().send()
    done = alone.people[1]
    done.play()
    done.send()
    together = Session("commons_two_people", 3, quiz=False)
    for person in together.people[:1]:
        live.lobby(person.come().send().player(), {"kind": "sync"})
    assert [player.participant.code for player in going_on.unfinished()] == [alone.people[0].code]
    assert [player.participant.code for player in going_on._waiting()] == [together.people[0].code]
