"""The order in which waiting requests are served."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from mixed_company.server.gate import Gate, Limits
from mixed_company.server.gate.limits import Turns
from tests.server.gate.asking import Behind, ask, gate_before, in_loop, settled


@in_loop
async def test_clients_take_turns_whoever_came_first():
    turns, order = Turns(inside=1), list[str]()
    begun = turns.ask("flood")
    assert begun.done()

    async def wait(name: str, number: str = "") -> None:
        turn = turns.ask(name)
        await turn
        order.append(name + number)
        turns.leave(name, turn)

    waiting = [asyncio.create_task(wait("flood", str(number))) for number in range(5)]
    await settled()
    waiting += [asyncio.create_task(wait(name)) for name in ("anna", "ben", "anna")]
    await settled()
    turns.leave("flood", begun)
    await asyncio.gather(*waiting)
    # the flood came first; then clients take turns
    assert order[:6] == ["flood0", "anna", "ben", "flood1", "anna", "flood2"]


@in_loop
async def test_an_abandoned_turn_goes_to_nobody():
    turns = Turns(inside=1)
    inside, given_up, next_one = (turns.ask("anna") for _ in range(3))
    assert turns.waiting("anna") == 2
    turns.leave("anna", given_up)
    assert turns.waiting("anna") == 1
    turns.leave("anna", inside)
    assert next_one.done()
    turns.leave("anna", next_one)
    assert turns.ask("ben").done()


@in_loop
async def test_a_flood_of_one_participant_delays_another_by_only_one_of_its_requests():
    behind = Behind()
    behind.answers.clear()
    gate = gate_before(behind, requests_inside=1)
    flood = [asyncio.create_task(ask(gate, "/p/bad/x")) for _ in range(21)]
    await settled()
    calm = asyncio.create_task(ask(gate, "/p/good/x"))
    await settled()
    too_many = await ask(gate, "/p/bad/x")
    assert (too_many.status, too_many.headers["retry-after"]) == (429, "1")
    behind.answers.set()
    statuses = Counter([(await request).status for request in flood])
    assert (await calm).status == 200
    assert statuses == {200: 21}  # one inside, and twenty waiting
    assert behind.paths.index("/p/good/x") <= 2


@in_loop
async def test_three_hundred_people_behind_one_address_start_in_the_same_second():
    behind = Behind()
    gate = gate_before(behind)

    async def start(number: int) -> list[int]:
        paths = ["/join/abc", f"/InitializeParticipant/{number}", f"/p/{number}/x"]
        answers = [await ask(gate, path, client="192.0.2.1") for path in paths]
        files = [ask(gate, f"/static/{name}.js", client="192.0.2.1") for name in range(6)]
        return [answer.status for answer in [*answers, *await asyncio.gather(*files)]]

    statuses = await asyncio.gather(*(start(number) for number in range(300)))
    assert Counter(status for person_statuses in statuses for status in person_statuses) == {
        200: 300 * 9
    }


@in_loop
async def test_a_client_that_reloads_a_page_waits_only_for_the_last_request():
    behind = Behind()
    behind.answers.clear()
    gate = gate_before(behind, requests_inside=1)
    first = asyncio.create_task(ask(gate, "/p/a/first"))
    await settled()
    for _ in range(100):  # a browser gives up the previous request
        gone = asyncio.Event()
        reload = asyncio.create_task(ask(gate, "/p/a/again", gone=gone))
        await settled()
        gone.set()
        assert (await reload).status == 0
    last = asyncio.create_task(ask(gate, "/p/a/last"))
    await settled()
    behind.answers.set()
    assert [(await request).status for request in (first, last)] == [200, 200]
    assert behind.paths == ["/p/a/first", "/p/a/last"]


@in_loop
async def test_requests_without_a_lock_take_no_turn():
    behind = Behind()
    behind.answers.clear()
    gate = Gate(behind, Limits(requests_inside=1), lockless=lambda: {"/api/export_"})
    long = asyncio.create_task(ask(gate, "/api/export_archive"))
    await settled()
    other = asyncio.create_task(ask(gate, "/demo"))
    await settled()
    assert behind.paths == ["/api/export_archive", "/demo"]
    behind.answers.set()
    assert [(await request).status for request in (long, other)] == [200, 200]


@in_loop
async def test_a_client_that_asks_too_often_waits_and_abandoned_requests_do_not_count():
    behind = Behind()
    gate = gate_before(behind, pages_at_once=2, pages_per_second=20)
    assert [(await ask(gate, "/p/a/x")).status for _ in range(2)] == [200, 200]
    for _ in range(1000):
        gone = asyncio.Event()
        gone.set()
        await ask(gate, "/p/a/again", gone=gone)
    began = asyncio.get_running_loop().time()
    assert (await ask(gate, "/p/a/last")).status == 200
    # fifty seconds if all of them had counted
    assert asyncio.get_running_loop().time() - began == pytest.approx(1 / 20)
    assert behind.paths == ["/p/a/x", "/p/a/x", "/p/a/last"]


@in_loop
async def test_long_visits_take_no_more_than_their_share():
    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(1.0)
        await Behind()(scope, receive, send)

    gate = gate_before(slow, visits_at_once=1, visits_per_second=1000, visits_share=0.25)
    loop = asyncio.get_running_loop()
    began, answered = loop.time(), []
    for _ in range(6):
        assert (await ask(gate, "/demo")).status == 200
        answered.append(loop.time() - began)
    # each took a second, and nobody was admitted for the next three
    assert answered == pytest.approx([1, 5, 9, 13, 17, 21])
    for _ in range(6):  # a participant's requests count as one, however long they take
        assert (await ask(gate, "/p/a/x")).status == 200
    assert gate._pages._due["participant a"] <= loop.time() + 6 / Limits().pages_per_second


@in_loop
async def test_requests_that_take_no_turn_are_slowed_down_too():
    """Guard against a thousand requests a second from a client that does not wait its turn."""
    behind = Behind()
    limits = Limits(looks_at_once=3, looks_per_second=0.1, requests_of_address=2)
    gate = Gate(behind, limits, lockless=lambda: {"/session_board/"})
    path = "/session_board/x"
    asking = [asyncio.create_task(ask(gate, path)) for _ in range(6)]
    await settled()
    assert len(behind.paths) == 3
    assert [task.result().status for task in asking if task.done()] == [200] * 3 + [429]
    assert (await ask(gate, path, client="10.0.0.2")).status == 200
    assert (await ask(gate, "/demo")).status == 200  # it is counted separately
    for task in asking:
        task.cancel()
