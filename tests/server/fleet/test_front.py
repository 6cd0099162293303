"""One address before several servers; the servers here are small ones that say who they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from server.fleet.front import MOST_BYTES, TRUSTED, Front
from server.rehearse.server import free_port
from tests.loops import complete

FIRST, SECOND = "/p/aaaaaaaa/x/Y/1", "/p/aaaaaaab/x/Y/1"


class Small:
    """A server that says its name, what it was sent, and talks back."""

    def __init__(self, name: str) -> None:
        self.name, self.port = name, free_port()
        self.runner: web.AppRunner | None = None
        self.fails = 0

    async def start(self) -> None:
        application = web.Application()
        application.router.add_get("/live", self.talk)
        application.router.add_get("/live_state", self.state)
        application.router.add_get("/elsewhere", self.redirect)
        application.router.add_route("*", "/{anything:.*}", self.echo)
        self.runner = web.AppRunner(application, shutdown_timeout=0.1)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", self.port).start()

    async def stop(self) -> None:
        if self.runner is not None:
            await self.runner.cleanup()

    async def echo(self, request: web.Request) -> web.Response:
        if self.fails:
            self.fails -= 1
            assert request.transport is not None
            request.transport.abort()  # as a process that is killed
        body = await request.read()
        wanted = ("Host", "Cookie", "X-Forwarded-For", "X-Forwarded-Proto", "X-Own")
        answer = web.json_response(
            {
                "server": self.name,
                "method": request.method,
                "path": request.raw_path,
                "body": len(body),
                **{name: request.headers.get(name) for name in wanted},
            }
        )
        answer.headers.add("Set-Cookie", "one=1; Path=/")
        answer.headers.add("Set-Cookie", "two=2; Path=/")
        return answer

    async def redirect(self, _request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": "/somewhere"})

    async def state(self, _request: web.Request) -> web.Response:
        return web.Response(text=f"{self.name} is well\n")

    async def talk(self, request: web.Request) -> web.WebSocketResponse:
        page = web.WebSocketResponse()
        await page.prepare(request)
        async for message in page:
            if message.data == "leave":
                await page.close(code=4001)
            elif message.type is aiohttp.WSMsgType.BINARY:
                await page.send_bytes(message.data)
            else:
                await page.send_str(
                    f"{self.name} {request.query['participant_code']} {message.data}"
                )
        return page


class Street:
    """Two small servers, the front before them, and somebody who asks."""

    def __init__(self, client: aiohttp.ClientSession, servers: list[Small], url: str) -> None:
        self.client, self.servers, self.url = client, servers, url

    async def ask(self, path: str, method: str = "GET", **more: object) -> dict[str, object]:
        url = URL(f"{self.url}{path}", encoded=True)
        async with self.client.request(method, url, **more) as answer:  # type: ignore[arg-type]
            return {**(await answer.json()), "status": answer.status, "headers": answer.headers}


@asynccontextmanager
async def street(patience: float, trusted: str) -> AsyncIterator[Street]:
    servers, port = [Small("one"), Small("two")], free_port()
    front = Front([server.port for server in servers], patience, trusted)
    for server in servers:
        await server.start()
    await front.open("127.0.0.1", port)
    async with aiohttp.ClientSession() as client:
        yield Street(client, servers, f"http://127.0.0.1:{port}")
    await front.close()
    for server in servers:
        await server.stop()


def walk(
    steps: Callable[[Street], Awaitable[None]], patience: float = 30.0, trusted: str = TRUSTED
) -> None:
    async def whole() -> None:
        async with street(patience, trusted) as there:
            await asyncio.wait_for(steps(there), 60)

    complete(whole())


def test_an_address_is_answered_by_the_owner_with_all_that_was_said_on_both_ways():
    async def steps(there: Street) -> None:
        answer = await there.ask(
            SECOND + "?x=%20%2F", "POST", data=b"abc", headers={"X-Own": "1", "Cookie": "c=2"}
        )
        assert answer["server"] == "two"
        assert (answer["method"], answer["body"]) == ("POST", 3)
        assert answer["path"] == SECOND + "?x=%20%2F"
        assert (answer["X-Own"], answer["Cookie"]) == ("1", "c=2")
        assert f"http://{answer['Host']}" == there.url  # the address that people see
        assert (answer["X-Forwarded-For"], answer["X-Forwarded-Proto"]) == ("127.0.0.1", "http")
        assert answer["headers"].getall("Set-Cookie") == ["one=1; Path=/", "two=2; Path=/"]
        assert (await there.ask(FIRST))["server"] == "one"
        assert (await there.ask("/sessions"))["server"] == "one"

    walk(steps)


@pytest.mark.parametrize(
    ("trusted", "believed"),
    [(TRUSTED, True), ("192.0.2.1", False), ("192.0.2.1, 127.0.0.1", True), ("*", True)],
)
def test_who_is_trusted_before_the_front_is_believed_about_who_has_asked(trusted, believed):
    async def steps(there: Street) -> None:
        headers = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
        answer = await there.ask(FIRST, headers=headers)
        said = (answer["X-Forwarded-For"], answer["X-Forwarded-Proto"])
        assert said == (("192.0.2.7", "https") if believed else ("127.0.0.1", "http"))

    walk(steps, trusted=trusted)


def test_a_redirection_is_left_to_the_browser():
    async def steps(there: Street) -> None:
        url = f"{there.url}/elsewhere"
        async with there.client.get(url, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (302, "/somewhere")

    walk(steps)


def test_more_than_anybody_hands_in_is_refused():
    async def steps(there: Street) -> None:
        body = b"x" * (MOST_BYTES + 1)
        async with there.client.post(f"{there.url}{FIRST}", data=body) as answer:
            assert answer.status == 413

    walk(steps)


def test_a_socket_talks_to_the_owner_both_ways_and_ends_for_the_same_reason():
    async def steps(there: Street) -> None:
        async with there.client.ws_connect(f"{there.url}/live?participant_code=aaaaaaab") as page:
            await page.send_str("hello")
            assert await page.receive_str() == "two aaaaaaab hello"
            await page.send_bytes(b"\x00")
            assert await page.receive_bytes() == b"\x00"
            await page.send_str("leave")
            last = await page.receive()
            assert (last.type, last.data) == (aiohttp.WSMsgType.CLOSE, 4001)

    walk(steps)


def test_a_socket_ends_when_its_server_does_and_the_next_one_waits_until_it_is_back():
    async def steps(there: Street) -> None:
        first, url = there.servers[0], f"{there.url}/live?participant_code=aaaaaaaa"
        async with there.client.ws_connect(url) as page:
            await page.send_str("hello")
            await page.receive_str()
            await first.stop()
            assert (await page.receive()).type is aiohttp.WSMsgType.CLOSE
        waiting = asyncio.create_task(there.client.ws_connect(url))
        other = f"{there.url}/live?participant_code=aaaaaaab"
        async with there.client.ws_connect(other) as beside:  # nobody else waits for it
            await beside.send_str("hello")
            assert await beside.receive_str() == "two aaaaaaab hello"
        assert not waiting.done()
        await first.start()
        async with await waiting as again:
            await again.send_str("hello")
            assert await again.receive_str() == "one aaaaaaaa hello"

    walk(steps)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_waits_for_a_server_that_is_being_started_again(method):
    async def steps(there: Street) -> None:
        await there.servers[1].stop()
        waiting = asyncio.create_task(there.ask(SECOND, method, data=b"abc"))
        assert (await there.ask(FIRST))["server"] == "one"
        assert not waiting.done()
        await there.servers[1].start()
        answer = await waiting
        assert (answer["server"], answer["method"], answer["body"]) == ("two", method, 3)

    walk(steps)


def test_a_server_that_does_not_come_back_is_said_with_a_page_that_tries_again():
    async def steps(there: Street) -> None:
        await there.servers[1].stop()
        async with there.client.get(f"{there.url}{SECOND}") as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
            assert "http-equiv=refresh" in await answer.text()

    walk(steps, patience=0.0)


def test_what_was_handed_in_when_a_server_ended_is_asked_for_again_and_not_handed_in_twice():
    async def steps(there: Street) -> None:
        there.servers[1].fails = 1
        answer = await there.ask(SECOND, "POST", data=b"abc")
        assert (answer["server"], answer["method"], answer["body"]) == ("two", "GET", 0)
        there.servers[0].fails = 1
        async with there.client.post(f"{there.url}/api/sessions", data=b"abc") as other:
            assert other.status == 503

    walk(steps)


def test_what_all_servers_say_of_themselves_is_one_page():
    async def steps(there: Street) -> None:
        async with there.client.get(f"{there.url}/live_state") as answer:
            assert await answer.text() == "server 1\none is well\n\nserver 2\ntwo is well\n"
        await there.servers[1].stop()
        async with there.client.get(f"{there.url}/live_state") as answer:
            assert await answer.text() == "server 1\none is well\n\nserver 2\nis starting\n"

    walk(steps)


def test_an_address_that_is_no_path_is_refused():
    async def steps(there: Street) -> None:
        host, port = there.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET http://elsewhere/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 400")
        assert answer.endswith(b"an address here starts with /\n")

    walk(steps)
