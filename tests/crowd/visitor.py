"""Visitor who follows a session's link and loads pages over HTTP, without a browser or a library.

One process can run many visitors at the same time.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urljoin, urlsplit

from mixed_company.server.rehearse.participant import live_url

__all__ = ["Answer", "Visitor", "fetch"]

MOST_STEPS = 8
PATIENCE_SECONDS = 120.0
RETRY_SECONDS = 0.3


@dataclass(frozen=True)
class Answer:
    """Response from an address, after all redirects."""

    url: str
    status: int
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode(errors="replace")


async def fetch(
    url: str, form: Mapping[str, str] | None = None, cookies: dict[str, str] | None = None
) -> Answer:
    """Load a page, or submit a form; collect cookies in `cookies`, if given.

    Raise OSError or TimeoutError.
    """
    cookies = {} if cookies is None else cookies
    for _ in range(MOST_STEPS):
        once = _once(url, form, cookies)
        status, head, content = await asyncio.wait_for(once, PATIENCE_SECONDS)
        cookies.update(re.findall(r"(?im)^set-cookie: *([^=;\s]+)=([^;\s]*)", head))
        target = re.search(r"(?im)^location: *(\S+)", head)
        if target is None or status not in (301, 302, 303, 307, 308):
            return Answer(url, status, content)
        url, form = urljoin(url, target[1]), None
    raise ConnectionError(f"{url}: too many redirects")


async def _once(
    url: str, form: Mapping[str, str] | None, cookies: Mapping[str, str]
) -> tuple[int, str, bytes]:
    parts = urlsplit(url)
    body = b"" if form is None else urlencode(form).encode()
    method = "GET" if form is None else "POST"
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        writer.write(
            f"{method} {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\n"
            f"Cookie: {'; '.join(f'{name}={value}' for name, value in cookies.items())}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head, _, content = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    size = re.search(rb"(?im)^content-length: *(\d+)", head)
    if not head or (size is not None and len(content) < int(size[1])):
        raise ConnectionError(f"{url}: no answer, or an incomplete one")
    return int(head.split(b" ", 2)[1]), head.decode("latin-1"), content


class Visitor:
    """Participant with a browser; `page` is the current page.

    patient   whether to try again after an error or if there is no response
    """

    page: Answer

    def __init__(self, patient: bool = False) -> None:
        self.patient = patient
        self._cookies: dict[str, str] = {}

    async def follow(self, link: str) -> Visitor:
        """Open the link, and load the first page."""
        self.page = await self._fetched(link)
        return self

    async def next(self, **fields: str) -> None:
        """Submit the current page."""
        self.page = await self._fetched(self.page.url, fields)

    async def _fetched(self, url: str, form: Mapping[str, str] | None = None) -> Answer:
        while True:
            try:
                answer = await fetch(url, form, self._cookies)
            except (OSError, TimeoutError):
                if not self.patient:
                    raise
            else:
                if not self.patient or answer.status < 500:
                    return answer
            await asyncio.sleep(RETRY_SECONDS)

    async def walk_to(self, *names: str) -> None:
        """Submit page after page until one of these appears. Raise RuntimeError if that fails."""
        for _ in range(MOST_STEPS):
            if self.name in names:
                return
            await self.next()
        raise RuntimeError(f"stuck on {self.name}: {self.page.text[:2000]}")

    @property
    def code(self) -> str:
        """oTree's code of the participant."""
        return self.page.url.split("/p/")[1].split("/")[0]

    @property
    def name(self) -> str:
        """Page name: Instructions, Quiz, Lobby, Play or Results."""
        return self.page.url.split("/")[-2] if "/p/" in self.page.url else self.page.url

    def live_url(self) -> str:
        """Return the URL of the page's live channel."""
        return live_url(self.page.url, self.page.text)
