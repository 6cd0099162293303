"""A request with an incomplete body does not delay anybody else."""

from __future__ import annotations

import asyncio

from tests.server.gate.asking import FORM, NEVER, Behind, ask, gate_before, in_loop, settled


@in_loop
async def test_half_a_request_delays_nobody_and_ends():
    behind = Behind()
    gate = gate_before(behind, body_seconds=0.2)
    half = asyncio.create_task(ask(gate, "/x", FORM, method="POST", body=NEVER))
    await settled()
    assert (await ask(gate)).status == 200
    answer = await half
    assert (answer.status, answer.text) == (408, "the request was not complete within 0.2 s\n")
    assert behind.paths == ["/demo"]


@in_loop
async def test_a_body_reaches_the_application_whole():
    behind = Behind()
    await ask(gate_before(behind), "/x", FORM, method="POST", body=[b"a=", b"1&b", b"=2"])
    assert behind.bodies == [b"a=1&b=2"]


@in_loop
async def test_a_long_body_is_refused_by_its_header_or_once_it_is_too_long():
    behind = Behind()
    gate = gate_before(behind, body_bytes=100)
    length = (b"content-length", b"101")
    answer = await ask(gate, "/x", FORM, length, method="POST", body=NEVER)
    assert (answer.status, answer.text) == (
        413,
        "the request has 101 bytes; at most 100 are allowed\n",
    )
    parts = [b"a" * 60] * 1000
    answer = await ask(gate, "/x", FORM, method="POST", body=parts)
    assert (answer.status, answer.text) == (
        413,
        "the request has 120 bytes; at most 100 are allowed\n",
    )
    assert (await ask(gate, "/x", FORM, method="POST", body=[b"a" * 100])).status == 200
    assert behind.paths == ["/x"]


@in_loop
async def test_the_total_of_all_bodies_is_limited_and_released():
    behind = Behind()
    behind.answers.clear()
    gate = gate_before(behind, bodies_bytes=250)

    def sent() -> asyncio.Task[object]:
        return asyncio.create_task(ask(gate, "/x", FORM, method="POST", body=[b"a" * 100]))

    first, second = sent(), sent()
    await settled()
    third = await ask(gate, "/x", FORM, method="POST", body=[b"a" * 100])
    assert (third.status, third.headers["retry-after"]) == (503, "5")
    behind.answers.set()
    assert [(await request).status for request in (first, second, sent())] == [200, 200, 200]
    assert gate._bodies.held == 0


@in_loop
async def test_a_client_that_leaves_in_the_middle_is_forgotten():
    behind, gone = Behind(), asyncio.Event()
    gate = gate_before(behind)
    half = asyncio.create_task(ask(gate, "/x", FORM, method="POST", body=NEVER, gone=gone))
    await settled()
    gone.set()
    assert (await half).status == 0
    assert (behind.paths, gate._bodies.held) == ([], 0)
