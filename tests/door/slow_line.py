"""A slow connection to a server: every byte is delayed, and the connection can be cut.

with SlowLine(server.port, seconds=0.2) as line:
    line.url(link)          the same link over the slow line
    line.cut()              end all connections; new ones work
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Any

from tests.door.harness import free_port


class SlowLine:
    """Proxy on 127.0.0.1 that delays data by `seconds` in both directions."""

    def __init__(self, target: int, seconds: float) -> None:
        self.target, self.seconds, self.port = target, seconds, free_port()
        self.loop = asyncio.new_event_loop()
        self.writers: set[asyncio.StreamWriter] = set()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.ready = threading.Event()

    def __enter__(self) -> SlowLine:
        self.thread.start()
        assert self.ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self.loop)
        self.thread.join(10)

    def url(self, link: str) -> str:
        return link.replace(f":{self.target}/", f":{self.port}/")

    def cut(self) -> None:
        def close() -> None:
            for writer in self.writers:
                writer.transport.abort()

        self.loop.call_soon_threadsafe(close)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        listening = asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.server = self.loop.run_until_complete(listening)
        self.ready.set()
        self.loop.run_forever()

    async def _end(self) -> None:
        """Accept no more connections, end all existing ones, and stop."""
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*tasks, return_exceptions=True)
        self.loop.stop()

    async def _serve(self, reader: Any, writer: Any) -> None:
        upstream, downstream = await asyncio.open_connection("127.0.0.1", self.target)
        self.writers |= {writer, downstream}
        await asyncio.gather(self._pass_on(reader, downstream), self._pass_on(upstream, writer))
        self.writers -= {writer, downstream}

    async def _pass_on(self, reader: Any, writer: Any) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                self.loop.call_later(self.seconds, self._write, writer, data)
        self.loop.call_later(self.seconds, writer.close)

    def _write(self, writer: Any, data: bytes) -> None:
        if not writer.is_closing():
            writer.write(data)
