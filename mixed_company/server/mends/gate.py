"""The gate in front of oTree, and changes to oTree 6.0.15 for it.

* oTree's server accepts requests of any size and at any speed, and holds its only lock while
  reading them. Here it is behind `server.gate`, and files under /static/ are served without the
  lock or the database.
* It starts even with the published secret key. Here that works only on the local machine.
* Scripts in its templates cannot be distinguished from injected scripts. Here they carry a
  placeholder for a nonce.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import otree
from otree import middleware, settings
from otree.cli import prodserver1of2
from otree.templating.template import Template
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount
from uvicorn.main import Config, Server

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server import memory, rest_key, secret_key
from mixed_company.server.gate import Gate, Refused, limits
from mixed_company.server.gate.faults import AWAY, AWAY_SECONDS, FAILED, Tell
from mixed_company.server.gate.files import Files
from mixed_company.server.gate.headers import NONCE_MARK
from mixed_company.server.gate.origins import origins
from mixed_company.server.gate.wire import protocols
from mixed_company.server.keeping.away import away
from mixed_company.server.lateness import lateness
from mixed_company.server.mends import database
from mixed_company.server.open.tables import NotSaved, tables
from mixed_company.server.outside.keys import keys
from mixed_company.server.pages import notice

MOST_FILES = 10_000  # enough, and below every system's maximum
COLLECTIONS = (700, 100, 10)
"""Thresholds of Python's garbage collector. The middle generation is collected ten times more
rarely than by default, and so are all objects.

Every decision replaces objects that last for a period, such as views. They need no collector, but a
collection of the middle generation scans those of all tables. With a thousand people, it stops
everything for 50 ms or more, and used to do so every seven seconds. A full collection scans all
open tables.
"""

_address = prodserver1of2.get_addr_port
_template = Template.__init__
TROUBLE_SECONDS = 0.5
"""Time for which the writer can fail to save before pages report the failure."""
_FAULTS_OF_OURS = ("no such", "near ", "too many SQL variables")
"""Prefixes of SQLite's messages about invalid statements, which raise the same type of error."""
_HANDLER = re.compile(r'\son[a-z]+="([^"{]*)"')


def install() -> None:
    """Change what oTree's server serves, when it may start, and its templates."""
    prodserver1of2.get_addr_port = _checked_address
    prodserver1of2.run_uvicorn = _serve
    Template.__init__ = _marked


def gate(is_devserver: bool = True) -> Gate:
    """Return oTree with the gate in front of it; the development server shows tracebacks."""
    from otree.asgi import app
    from otree.common2 import static_files_app

    mount = Mount("/static", app=static_files_app)

    async def static(scope: Any, receive: Any, send: Any) -> None:
        try:
            await mount(scope, receive, send)
        except OSError:  # the name is too long, or a part of it is a file
            raise Refused(404, "there is nothing at this address") from None

    app.add_exception_handler(500, _failed)
    if not is_devserver:
        app.debug = False
    lockless = middleware._get_paths_without_lock
    tell = Tell(notice.failure, _is_away, _trouble)
    return Gate(app, limits(), Files(static), handlers(), lockless, origins(), tell, lateness)


def absence(error: BaseException | None) -> BaseException | None:
    """Return the error in this chain of errors that shows that the database is not answering, or
    None."""
    while error is not None:
        if isinstance(error, NotSaved):
            return error
        if isinstance(error, OperationalError | InterfaceError):
            return None if str(error.orig).startswith(_FAULTS_OF_OURS) else error
        error = error.__cause__
    return None


def _is_away(error: BaseException) -> bool:
    """Return whether this error means that the database is not answering. If so, stop querying it
    until it answers.
    """
    absent = absence(error)
    if isinstance(absent, DBAPIError):
        away.failed(absent)
    return absent is not None


def _trouble() -> str:
    trouble = tables.trouble
    if trouble is None:
        return ""
    seconds = time.monotonic() - trouble.since
    if away.trouble is None and seconds < TROUBLE_SECONDS:
        return ""
    return f"the database has not answered for {seconds:.0f} s; nothing is lost, please try again"


async def _failed(_request: Request, error: Exception) -> Response:
    """Respond to an error inside oTree's transaction, which rolls back the page's changes."""
    if _is_away(error):
        return PlainTextResponse(AWAY, 503, {"retry-after": str(AWAY_SECONDS)})
    return PlainTextResponse(FAILED, 500)


def handlers() -> set[str]:
    """Return the event handlers (onclick and the like) in oTree's templates."""
    folder = Path(otree.__file__).parent / "templates"
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.html"))
    return {handler for text in texts for handler in _HANDLER.findall(text)}


def _checked_address(wanted: str | None, is_devserver: bool = False) -> tuple[str, str]:
    """Return the address that oTree will listen on; exit if the server must not start."""
    address, port = _address(wanted, is_devserver=is_devserver)
    try:
        limits()
        origins()
        keys()
        rest_key.check()
        secret_key.check(settings.SECRET_KEY, settings.AUTH_LEVEL, address)
    except ConfigError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    return address, port


def _serve(address: str, port: str, *, is_devserver: bool) -> None:
    """Run the server as oTree does, but behind the gate."""
    http, ws = protocols(limits())
    _open_more_files()
    config = Config(
        gate(is_devserver),
        host=address,
        port=int(port),
        log_level="warning" if is_devserver else "info",
        log_config=None,
        workers=1,
        http=http,
        ws=ws,
        interface="asgi3",
    )
    database.be_brief()
    gc.collect()
    gc.freeze()  # loaded modules stay, and scanning them in every collection would delay plays
    gc.set_threshold(*COLLECTIONS)
    memory.begin()
    Server(config=config).run()


def _open_more_files() -> None:
    """Allow MOST_FILES connections (which count as open files), or as many as the system
    permits."""
    if os.name == "posix":
        import resource

        now, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if maximum == resource.RLIM_INFINITY else min(maximum, MOST_FILES)
        if now != resource.RLIM_INFINITY and now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, maximum))


def _marked(template: Any, text: str, *arguments: Any, **more: Any) -> None:
    text = text.replace("<script", f'<script nonce="{NONCE_MARK}"')
    _template(template, text, *arguments, **more)
