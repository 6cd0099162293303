"""Downloads of the export file from a running server, through a link for the admin or over REST.

    /export_archive        for a logged-in admin, if the server requires a login
    /api/export_archive    with the otree-rest-key header, if the server requires it

Both addresses accept `session_code`, once or several times; by default, they export all sessions.
`anonymous` is 1 or 0; by default, the link omits personal data, but REST includes it, because
scripts expect it. With `texts=1`, an anonymous file still contains the texts that people wrote.

The server runs the command (`mixed archive`) and sends its output. Play goes on in the meantime,
because oTree's lock is not held. If the database is in memory (`otree devserver`), no other process
can read it. The server then writes the file itself, and everything else has to wait.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO

from otree import database, middleware
from otree.views import cbv
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from mixed_company.engine.contract.errors import EngineError, short
from mixed_company.server.archive import codes, writing

LOOK_SECONDS = 0.1
PART = 1 << 16
REFUSED = 2
"""Exit code of a command that rejects its arguments and prints the reason."""

_one_at_a_time = asyncio.Lock()
_log = logging.getLogger(__name__)


class ExportArchive(cbv.AdminView):
    """Download of the export file through the link on the admin pages."""

    async def get(self, request: Request) -> Response:
        return await _answer(request, "1")


class RESTExportArchive(HTTPEndpoint):
    """Download of the export file over REST."""

    async def get(self, request: Request) -> Response:
        forbidden: Response | None = cbv.validate_rest_key(request)
        return forbidden or await _answer(request, "0")


@dataclass(frozen=True)
class _Wanted:
    """Parameters of an export request."""

    sessions: Sequence[str]
    anonymous: bool
    texts: bool

    @property
    def options(self) -> list[str]:
        """Command-line options for these parameters."""
        ways = {"--anonymous": self.anonymous, "--texts": self.texts}
        sessions = [f"--session={code.replace(chr(0), '?')}" for code in self.sessions]
        return [*sessions, *(option for option, chosen in ways.items() if chosen)]


def _wanted(request: Request, anonymous: str) -> _Wanted | str:
    """Return the parameters of a request, or an error message. `anonymous` is the default of the
    parameter with this name."""
    query = request.query_params
    ways = {"anonymous": query.get("anonymous", anonymous), "texts": query.get("texts", "0")}
    for name, value in ways.items():
        if value not in ("0", "1"):
            return f"{name} = {short(value)}: should be 1 or 0"
    if ways == {"anonymous": "0", "texts": "1"}:
        return "texts = 1: requires anonymous = 1; other exports include the texts anyway"
    sessions = [code for code in query.getlist("session_code") if code]
    return _Wanted(sessions, ways["anonymous"] == "1", ways["texts"] == "1")


async def _answer(request: Request, anonymous: str) -> Response:
    """Return the file or an error: 404 for an unknown session, 503 during another export."""
    wanted = _wanted(request, anonymous)
    if isinstance(wanted, str):
        return PlainTextResponse(f"{wanted}\n", status_code=400)
    if _one_at_a_time.locked():
        words = "another export is running: try again in a moment\n"
        return PlainTextResponse(words, status_code=503, headers={"Retry-After": "5"})
    file = tempfile.TemporaryFile()  # noqa: SIM115  unnamed, and closed after sending
    try:
        async with _one_at_a_time:
            refusal = await _made(file, wanted, request)
    except BaseException:
        file.close()
        raise
    if refusal is not None:
        file.close()
        return refusal
    return _sent(file, wanted)


async def _made(file: IO[bytes], wanted: _Wanted, request: Request) -> Response | None:
    if not database.IN_MEMORY:
        return await _run(file, wanted, request)
    way = codes.of_server(wanted.texts) if wanted.anonymous else None
    async with middleware.lock2:
        try:
            writing.write(file, wanted.sessions, way)
        except EngineError as error:
            return PlainTextResponse(f"{error}\n", status_code=404)
    return None


async def _run(file: IO[bytes], wanted: _Wanted, request: Request) -> Response | None:
    """Run the command; return None if it wrote the file, else an error response."""
    command = [sys.executable, "-m", "mixed_company", "archive", "--output", "-", *wanted.options]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=file, stderr=errors)  # noqa: S603  a fixed command
        try:
            while process.poll() is None:
                if await request.is_disconnected():
                    return Response(status_code=499)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        errors.seek(0)
        words = errors.read().decode(errors="replace")
    if process.returncode == 0:
        return None
    if process.returncode == REFUSED:
        return PlainTextResponse(words.strip().split("\n")[-1] + "\n", status_code=404)
    _log.error("export failed:\n%s", words)
    return PlainTextResponse("the export failed; see the server's log\n", 500)


def _sent(file: IO[bytes], wanted: _Wanted) -> Response:
    size = file.seek(0, 2)
    file.seek(0)
    alone = wanted.sessions if len(wanted.sessions) == 1 else []
    way = ["anonymous"] if wanted.anonymous else []
    named = "-".join(["mixed-company", f"{datetime.now(UTC):%Y-%m-%d}", *alone, *way])
    headers = {
        "Content-Length": str(size),
        "Content-Disposition": f'attachment; filename="{named}.zip"',
    }
    return StreamingResponse(_parts(file), headers=headers, media_type="application/zip")


async def _parts(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while part := file.read(PART):
            yield part
            await asyncio.sleep(0)  # sending never waits, so let other tasks run


ROUTES = [
    Route("/export_archive", ExportArchive, name="ExportArchive"),
    Route("/api/export_archive", RESTExportArchive, name="RESTExportArchive"),
]
"""Routes that `server.mends` adds to oTree."""
