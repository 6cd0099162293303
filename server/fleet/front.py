"""One address before several servers: what comes in goes to the server that owns its session.

    front = Front([8001, 8002])
    await front.open("127.0.0.1", 8000)

A server that is being started again is waited for, with the page or the socket that wants it. What
was handed in when a server ended is not handed in twice: the page is asked for again, and shows
where the participant is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

import aiohttp
from aiohttp import web
from multidict import CIMultiDict
from yarl import URL

from server.fleet.addresses import server_of
from server.fleet.caddyfile import RESTART_SECONDS
from server.fleet.pumps import pump

__all__ = ["MOST_BYTES", "PROXIES", "STATE", "TRUSTED", "Front"]

MOST_BYTES = 8 * 1024 * 1024
"""Of what is handed in at once."""

BODY_SECONDS = 30.0
"""How long handing it in may take."""

SOCKET_BYTES = 1024 * 1024
"""Of a live message; a server refuses much shorter ones, with a sentence."""

HEARTBEAT_SECONDS = 20.0
KEPT_SECONDS = 2.0
"""How long a connection to a server is kept for the next page; a server closes it after 5 s."""

AGAIN_SECONDS = 0.1
END_SECONDS = 0.5
STATE = "/live_state"

_ONE_HOP = (
    *("Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection"),
    *("TE", "Trailer", "Transfer-Encoding", "Upgrade", "Expect"),
)
_OF_THE_BODY = ("Content-Length", "Content-Encoding")
_HANDSHAKE = ("Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions")
PROXIES = "FORWARDED_ALLOW_IPS"
"""Variable: the addresses of the proxies before us, in place of TRUSTED."""

TRUSTED = "127.0.0.1,::1"
"""What stands before us here, to have a certificate, say, knows who has sent a request."""

_NOT_THERE = "<meta http-equiv=refresh content=2><p>The server is starting again; please wait."

Answer = TypeVar("Answer")


class Front:
    """Servers on this machine, by their ports, in the order of their numbers.

    trusted   addresses of proxies that are believed about who has asked, with commas; `*`: all
    """

    def __init__(
        self, ports: Sequence[int], patience: float = RESTART_SECONDS, trusted: str = TRUSTED
    ) -> None:
        self._ports = tuple(ports)
        self._trusted = {address.strip() for address in trusted.split(",")}
        self._patience = patience
        self._runner: web.AppRunner | None = None

    async def open(self, host: str, port: int) -> None:
        """Listen. Raises OSError where the port is taken."""
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEPT_SECONDS)
        self._client = aiohttp.ClientSession(
            connector=connector,
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
            timeout=aiohttp.ClientTimeout(total=None),
        )
        application = web.Application(client_max_size=MOST_BYTES)
        application.router.add_get(STATE, self._state)
        application.router.add_route("*", "/{anything:.*}", self._answer)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=END_SECONDS)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()

    async def close(self) -> None:
        """Listen no more, and end all connections."""
        if self._runner is not None:
            await self._runner.cleanup()
            await self._client.close()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if not request.raw_path.startswith("/"):
            return web.Response(status=400, text="an address here starts with /\n")
        server = server_of(request.raw_path, len(self._ports))
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._socket(request, self._url(server, request))
        return await self._page(request, self._url(server, request))

    def _url(self, server: int, request: web.Request) -> URL:
        return URL(f"http://127.0.0.1:{self._ports[server]}{request.raw_path}", encoded=True)

    # -- pages --------------------------------------------------------------------------------

    async def _page(self, request: web.Request, url: URL) -> web.StreamResponse:
        try:
            body = await asyncio.wait_for(request.read(), BODY_SECONDS)
        except TimeoutError:
            return web.Response(status=408, text="what was handed in took too long\n")

        async def ask() -> aiohttp.ClientResponse:
            headers = _without(self._passed_on(request), _OF_THE_BODY)
            return await self._client.request(
                request.method, url, headers=headers, data=body or None, allow_redirects=False
            )

        try:
            answer = await self._when_there(ask)
        except aiohttp.ClientConnectorError:
            return _later()
        except aiohttp.ClientError:
            # It ended meanwhile: what it has done nobody knows, so ask where the participant is.
            if _is_page(request):
                raise web.HTTPSeeOther(request.raw_path) from None
            return _later()
        async with answer:
            return await _handed_on(request, answer)

    async def _when_there(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Ask until somebody listens. Raises ClientConnectorError if nobody does for long."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._patience
        while True:
            try:
                return await ask()
            except aiohttp.ClientConnectorError:
                if loop.time() > end:
                    raise
                await asyncio.sleep(AGAIN_SECONDS)

    # -- sockets ------------------------------------------------------------------------------

    async def _socket(self, request: web.Request, url: URL) -> web.StreamResponse:
        async def ask() -> aiohttp.ClientWebSocketResponse:
            headers = _without(self._passed_on(request), _HANDSHAKE)
            return await self._client.ws_connect(url, headers=headers, max_msg_size=0)

        try:
            server = await self._when_there(ask)
        except aiohttp.ClientError:
            return _later()
        async with server:
            page = web.WebSocketResponse(
                heartbeat=HEARTBEAT_SECONDS, max_msg_size=SOCKET_BYTES, compress=False
            )
            await page.prepare(request)
            await pump(page, server)
            return page

    # -- how all of them stand ----------------------------------------------------------------

    async def _state(self, request: web.Request) -> web.StreamResponse:
        """What every server says of itself, for whoever may ask the first."""
        headers = self._passed_on(request)
        texts = []
        for number in range(len(self._ports)):
            url = self._url(number, request)
            try:
                question = self._client.get(url, headers=headers, allow_redirects=False)
                async with question as answer:
                    if answer.status != web.HTTPOk.status_code:
                        return await _handed_on(request, answer)
                    texts.append(f"server {number + 1}\n{await answer.text()}")
            except aiohttp.ClientError:
                texts.append(f"server {number + 1}\nis starting\n")
        return web.Response(text="\n".join(texts))

    def _passed_on(self, request: web.Request) -> CIMultiDict[str]:
        """The headers of a request, for a server, with who has sent it: only we know."""
        headers = _without(CIMultiDict(request.headers), _ONE_HOP)
        believed = "*" in self._trusted or request.remote in self._trusted
        if not believed or "X-Forwarded-For" not in headers:
            headers["X-Forwarded-For"] = request.remote or ""
            headers["X-Forwarded-Proto"] = request.scheme
        return headers


def _without(headers: CIMultiDict[str], names: Iterable[str]) -> CIMultiDict[str]:
    for name in names:
        headers.popall(name, None)
    return headers


async def _handed_on(request: web.Request, answer: aiohttp.ClientResponse) -> web.StreamResponse:
    """The answer of a server, part by part as it comes."""
    response = web.StreamResponse(
        status=answer.status,
        reason=answer.reason,
        headers=_without(CIMultiDict(answer.headers), _ONE_HOP),
    )
    await response.prepare(request)
    async for part in answer.content.iter_any():
        await response.write(part)
    await response.write_eof()
    return response


def _is_page(request: web.Request) -> bool:
    return request.path.startswith("/p/")


def _later() -> web.Response:
    headers = {"Retry-After": "2"}
    return web.Response(status=503, text=_NOT_THERE, content_type="text/html", headers=headers)
