"""The client to which a request belongs, and limits on login attempts."""

from __future__ import annotations

import asyncio

import pytest

from mixed_company.server import clock
from mixed_company.server.gate import Gate, Limits
from mixed_company.server.gate.request import address_of, participant_of
from mixed_company.server.lateness import Lateness
from tests.server.gate.asking import FORM, Behind, ask, in_loop, run, settled
from tests.server.test_clock import machine

__all__ = ["machine"]  # a fixture


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),  # a client controls the rest of the address
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_belongs_to_one_client(host, address):
    assert address_of({"client": (host, 1)}) == address
    assert address_of({"client": None}) == "unknown"


@pytest.mark.parametrize(
    ("kind", "path", "query", "code"),
    [
        ("http", "/p/abc/commons_game/Play/3", b"", "abc"),
        ("http", "/InitializeParticipant/abc", b"", "abc"),
        ("http", "/join/abc", b"", None),
        ("http", "/demo", b"participant_code=abc", None),
        ("websocket", "/live", b"participant_code=abc&page_name=Play", "abc"),
        ("websocket", "/live", b"", None),
    ],
)
def test_the_address_contains_the_participant(kind, path, query, code):
    assert participant_of({"type": kind, "path": path, "query_string": query}) == code


@in_loop
async def test_clients_that_fail_to_log_in_are_slowed_down():
    behind = Behind()
    gate = Gate(behind, Limits(logins_at_once=3, logins_per_second=0.5))

    async def try_to(status: int, client: str = "10.0.0.1") -> int:
        behind.status = status
        return (await ask(gate, "/login", FORM, method="POST", client=client)).status

    assert [await try_to(302) for _ in range(10)] == [
        302
    ] * 10  # a successful login is not slowed down
    assert [await try_to(200) for _ in range(3)] == [200] * 3
    answer = await ask(gate, "/login", FORM, method="POST")
    assert (answer.status, answer.headers["retry-after"]) == (429, "2")
    assert answer.text == "too many login attempts: wait 2 s\n"
    for _ in range(9):  # a rejected request does not lengthen the wait
        answer = await ask(gate, "/login", FORM, method="POST")
        assert answer.headers["retry-after"] == "2"
    assert (await ask(gate, "/login")).status == 200  # the page itself
    assert await try_to(200, client="10.0.0.2") == 200
    assert behind.paths == ["/login"] * 15


@in_loop
async def test_requests_for_files_do_not_reach_the_application():
    behind, files = Behind(), Behind()
    gate = Gate(behind, Limits(), static=files)
    await ask(gate, "/static/mixed/play.js")
    await ask(gate, "/demo")
    assert (files.paths, behind.paths) == (["/static/mixed/play.js"], ["/demo"])


def test_a_client_that_is_refused_repeatedly_gets_later_answers(monkeypatch):
    waits: list[float] = []

    async def waited(seconds: float) -> None:
        waits.append(round(seconds, 1))

    async def test() -> None:
        gate = Gate(Behind(), Limits(refusals_at_once=2, refusals_per_second=2))
        monkeypatch.setattr("mixed_company.server.gate.gate.asyncio.sleep", waited)
        answers = [await ask(gate, "/../x") for _ in range(5)]
        assert [answer.status for answer in answers] == [404] * 5
        assert (await ask(gate, "/../x", client="10.0.0.2")).status == 404
        for _ in range(100):
            await ask(gate, "/../x")
        # requests that wait for the maximum time do not count
        now = asyncio.get_running_loop().time()
        assert gate._refusals.wait("10.0.0.1", now) == pytest.approx(10.5)

    run(test)
    assert waits[:6] == [0, 0, 0.5, 1.0, 1.5, 0]
    assert max(waits) == 10.0


@in_loop
async def test_the_wait_of_a_participant_for_a_page_is_known(machine):
    behind, late = Behind(), Lateness()
    behind.answers.clear()
    gate = Gate(behind, Limits(requests_inside=1), lateness=late)
    inside = asyncio.create_task(ask(gate, "/p/ann/x"))
    away = asyncio.Event()
    waits = asyncio.create_task(ask(gate, "/p/ben/x", gone=away))
    await settled()
    machine.passes(4.0)
    requests = [asyncio.create_task(ask(gate, f"/p/ben/{n}")) for n in range(9)]
    nobody = asyncio.create_task(ask(gate, "/demo"))  # the manager's
    await settled()
    machine.passes(3.0)
    assert late.page_ms(clock.now_ms()) == 7000
    away.set()  # a client that goes away has waited too
    await waits
    machine.passes(50.0)
    behind.answers.set()
    await asyncio.gather(inside, nobody, *requests)
    assert late.page_ms(clock.now_ms()) == 57_000  # ann's
    machine.passes(60.5)
    assert late.page_ms(clock.now_ms()) == 0


@in_loop
async def test_newcomers_behind_one_address_are_all_timed(machine):
    behind, late = Behind(), Lateness()
    behind.answers.clear()
    gate = Gate(behind, Limits(requests_inside=1), lateness=late)
    first = asyncio.create_task(ask(gate, "/join/abc"))
    others = [asyncio.create_task(ask(gate, "/room/lab")) for _ in range(9)]
    demo = asyncio.create_task(ask(gate, "/demo"))
    await settled()
    assert len(late._requested_ms) == 10
    machine.passes(6.0)
    assert late.page_ms(clock.now_ms()) == 6000
    behind.answers.set()
    await asyncio.gather(first, demo, *others)
    assert not late._requested_ms


@in_loop
async def test_newcomers_who_are_admitted_gradually_are_timed_from_the_beginning(machine):
    behind, late = Behind(), Lateness()
    behind.answers.clear()
    gate = Gate(behind, Limits(visits_at_once=1, visits_per_second=50.0), lateness=late)
    demo = asyncio.create_task(ask(gate, "/demo"))
    early = asyncio.create_task(ask(gate, "/join/abc"))
    await settled()
    machine.passes(6.0)
    await asyncio.sleep(1)
    assert late.page_ms(clock.now_ms()) == 6000
    behind.answers.set()
    await asyncio.gather(demo, early)


@in_loop
async def test_a_client_that_requests_many_pages_waits_for_its_own():
    behind, late = Behind(), Lateness()
    behind.answers.clear()
    gate = Gate(behind, Limits(requests_inside=1), lateness=late)
    requests = [asyncio.create_task(ask(gate, "/p/ann/x")) for _ in range(9)]
    await settled()
    assert len(late._requested_ms) == 2  # the one inside, and the first one waiting
    behind.answers.set()
    await asyncio.gather(*requests)
    assert not late._requested_ms


def test_a_socket_that_cannot_start_is_closed_and_logged(caplog):
    sent: list[dict[str, object]] = []

    async def behind(scope: object, receive: object, send: object) -> None:
        raise KeyError("code")

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def test() -> None:
        gate = Gate(behind, Limits())
        await gate._connected({"path": "/live"}, send, send)

    run(test)
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert "no socket at /live: KeyError('code')" in caplog.text
