"""The file of an export from a running server: a link for the admin, and REST.

    /export_archive        who is logged in as admin, if the server asks for it
    /api/export_archive    with the header otree-rest-key, if the server asks for it

Both take `session_code`, once or several times; without it, all sessions. The server runs the
command (`mixed archive`) and answers with what it wrote. Meanwhile play goes on: oTree's
lock is not held. If the database is in memory (`otree devserver`), no other process can read it:
then the server itself makes the file, and everything else waits.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import IO

from otree import database, middleware
from otree.views import cbv
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from engine.contract.errors import EngineError
from server.archive import writing

__all__ = ["ROUTES"]

LOOK_SECONDS = 0.1
PART = 1 << 16
REFUSED = 2
"""The exit code of a command that was refused with a sentence."""

_one_at_a_time = asyncio.Lock()
_log = logging.getLogger(__name__)


class ExportArchive(cbv.AdminView):
    """What the link of the admin pages gives."""

    async def get(self, request: Request) -> Response:
        return await _answer(request)


class RESTExportArchive(HTTPEndpoint):
    """What REST gives."""

    async def get(self, request: Request) -> Response:
        forbidden: Response | None = cbv.validate_rest_key(request)
        return forbidden or await _answer(request)


async def _answer(request: Request) -> Response:
    """The file, or a sentence: 404 if there is no such session, 503 if another one is made."""
    if _one_at_a_time.locked():
        words = "another export is being made: ask again in a moment\n"
        return PlainTextResponse(words, status_code=503, headers={"Retry-After": "5"})
    codes = [code for code in request.query_params.getlist("session_code") if code]
    file = tempfile.TemporaryFile()  # noqa: SIM115  has no name, and is closed when it is sent
    try:
        async with _one_at_a_time:
            refusal = await _made(file, codes, request)
    except BaseException:
        file.close()
        raise
    if refusal is not None:
        file.close()
        return refusal
    return _sent(file, codes)


async def _made(file: IO[bytes], codes: Sequence[str], request: Request) -> Response | None:
    if not database.IN_MEMORY:
        return await _run(file, codes, request)
    async with middleware.lock2:
        try:
            writing.write(file, codes)
        except EngineError as error:
            return PlainTextResponse(f"{error}\n", status_code=404)
    return None


async def _run(file: IO[bytes], codes: Sequence[str], request: Request) -> Response | None:
    """Run the command; None if it wrote the file."""
    options = [f"--session={code.replace(chr(0), '?')}" for code in codes]
    command = [sys.executable, "-m", "mixed", "archive", "--output", "-", *options]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=file, stderr=errors)  # noqa: S603  our own
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
    return PlainTextResponse("the export failed; the log of the server says why\n", 500)


def _sent(file: IO[bytes], codes: Sequence[str]) -> Response:
    size = file.seek(0, 2)
    file.seek(0)
    alone = codes if len(codes) == 1 else []
    named = "-".join(["mixed-company", f"{datetime.now(UTC):%Y-%m-%d}", *alone])
    headers = {
        "Content-Length": str(size),
        "Content-Disposition": f'attachment; filename="{named}.zip"',
    }
    return StreamingResponse(_parts(file), headers=headers, media_type="application/zip")


async def _parts(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while part := file.read(PART):
            yield part
            await asyncio.sleep(0)  # oTree takes it all at once; let others have their turn


ROUTES = [
    Route("/export_archive", ExportArchive, name="ExportArchive"),
    Route("/api/export_archive", RESTExportArchive, name="RESTExportArchive"),
]
"""The addresses; `server.mends` hands them to oTree."""
