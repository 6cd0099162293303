"""Perform everything that the administrator and REST can do, while people play.

The form, the demo page and REST create valid sessions and reject invalid ones. The drill reads the
Data tab, the monitor, payments and all exports of sessions in play. It writes their properties and
participant variables, and archives sessions. It advances and deletes only sessions that it created,
because participants who have been advanced do not play on. These actions happen one at a time, in
random order. It is a fault if a response reports a failure, or if there is no response within
PATIENCE_SECONDS.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import requests
import websocket

from mixed_company import engine
from tests.crowd.places import DATABASES, config_of, running
from tests.door.harness import Person, Server
from tests.drills.drill import Report
from tests.drills.wave import Size, struck
from tests.loops import complete

__all__ = ["ACTS", "configure", "on", "run"]

PATIENCE_SECONDS = 60
READ = (
    "sessions",
    "demo",
    "rooms",
    "create_session",
    "session_form/commons",
    "server_check",
    "live_state",
    "ExportIndex",
    "ExportWide",
    "ExportPageTimes",
    "ExportChat",
    "api/otree_version",
    "api/session_configs",
    "api/rooms",
    "api/sessions",
    "api/apps",
    "api/export_wide",
    "api/export_page_times",
    "api/export_chat",
)
"""Addresses of pages about all sessions."""

READ_OF_SESSION = (
    "SessionData",
    "session_data",
    "SessionMonitor",
    "presence_icons",
    "SessionPayments",
    "SessionDescription",
    "SessionStartLinks",
    "SessionEditProperties",
    "api/get_session",
)
"""Addresses that end with a session's code."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--acts", type=int, default=300, help="acts by the administrator")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    with running(chosen.database) as server:
        return on(server, chosen.acts, chosen.seed)


def on(server: Server, acts: int, seed: int, size: Size | None = None) -> Report:
    """Perform this many actions while people play."""
    admin = Admin(server, random.Random(seed))

    async def blow() -> None:
        await asyncio.to_thread(admin.act)

    size = replace(size or Size(groups=1), pause=(0.0, 0.2))
    report = complete(struck(server, blow, acts, size, seed))
    figures = {**report.figures, "requests": admin.request_count, "errors": len(admin.errors)}
    return Report(figures, [*report.faults, *admin.errors])


@dataclass
class Admin:
    """Administrator who does all this; `errors` collects responses that report a failure."""

    server: Server
    draw: random.Random
    created_sessions: list[dict[str, Any]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    request_count: int = 0
    _left: list[Callable[[Admin], None]] = field(default_factory=list)
    _http: requests.Session = field(default_factory=requests.Session)

    def act(self) -> None:
        """Perform the next action. Every action happens once before any is repeated."""
        if not self._left:
            self._left = self.draw.sample(ACTS, len(ACTS))
        act = self._left.pop()
        try:
            act(self)
        except (requests.RequestException, websocket.WebSocketException, OSError) as error:
            self.errors.append(f"{act.__name__}: {type(error).__name__}: {error}")

    def get(self, path: str, **query: Any) -> requests.Response:
        """Request an address."""
        return self._request("get", path, params=query)

    def post(self, path: str, **content: Any) -> requests.Response:
        """Post a form (`data`) or JSON (`json`) to an address."""
        return self._request("post", path, **content)

    def _request(self, how: str, path: str, **content: Any) -> requests.Response:
        self.request_count += 1
        address = f"{self.server.url}/{path}"
        answer = self._http.request(how, address, timeout=PATIENCE_SECONDS, **content)
        if answer.status_code >= 400:
            self.errors.append(f"{how} {path}: {answer.status_code} {answer.text[:200]}")
        return answer

    def submit(self, page: str, address: str, **form: Any) -> None:
        """Submit a form on one of the administrator's pages."""
        token = re.search(r'name="csrftoken" value="(\d+)"', self.get(page).text)
        self.post(address, data={**form, "csrftoken": token.group(1) if token else ""})

    def told(self, path: str, message: Any) -> Any:
        """Return the final message on a socket of the administrator's pages."""
        self.request_count += 1
        address = f"ws://127.0.0.1:{self.server.port}/{path}"
        socket = websocket.create_connection(address, timeout=PATIENCE_SECONDS)
        try:
            if message is not None:
                socket.send(json.dumps(message))
            answer = json.loads(socket.recv())
            while isinstance(answer, dict) and "progress" in answer:
                answer = json.loads(socket.recv())
            return answer
        finally:
            socket.close()

    def played(self) -> dict[str, Any]:
        """Return one of the sessions in play."""
        created = {session["code"] for session in self.created_sessions}
        listed = self.get("api/sessions").json()
        chosen: dict[str, Any] = self.draw.choice(
            [entry for entry in listed if entry["code"] not in created]
        )
        return chosen

    def created(self, game_id: str) -> dict[str, Any]:
        """Create a session that nobody plays."""
        body = {
            "session_config_name": config_of(game_id)["name"],
            "num_participants": 4,
            "modified_session_config_fields": {"quiz": False},
        }
        session: dict[str, Any] = self.post("api/sessions", json=body).json()
        self.created_sessions.append(session)
        return session


# -- acts of an administrator -----------------------------------------------------------------


def creates_by_rest(admin: Admin) -> None:
    """Create a session of any game."""
    admin.created(admin.draw.choice(engine.game_ids()))


def is_refused(admin: Admin) -> None:
    """Try to create a session with an invalid parameter."""
    answer = admin.server.create("commons", 4, capacity=-5)
    admin.request_count += 1
    if answer.status_code == 200:
        admin.errors.append(f"an invalid session: {answer.status_code} {answer.text[:200]}")


def fills_in_the_form(admin: Admin) -> None:
    """Submit the session form, once valid and once invalid."""
    for capacity, answered in (("80", "session_url"), ("-5", "error")):
        form = {"session_config": "commons", "num_participants": "4", "room_name": ""}
        answer = admin.told("create_session", {**form, "commons.capacity": capacity})
        if answered not in answer:
            admin.errors.append(f"the form with capacity {capacity}: {answer}")
        if "session_url" in answer:
            code = re.findall(r"\w+", answer["session_url"])[-1]
            admin.created_sessions.append({"code": code})


def opens_a_demo(admin: Admin) -> None:
    """Create a session from the demo page."""
    name = config_of(admin.draw.choice(engine.game_ids()))["name"]
    admin.get(f"demo/{name}")
    answer = admin.told("create_demo_session", {"session_config": name})
    if "session_url" not in answer:
        admin.errors.append(f"the demo of {name}: {answer}")


def reads_what_is_about_all(admin: Admin) -> None:
    """Read lists, forms and exports of everything."""
    for path in READ:
        admin.get(path)


def reads_a_session(admin: Admin) -> None:
    """Read all pages about a session in play, including the Data tab."""
    code = admin.played()["code"]
    for path in READ_OF_SESSION:
        if path.startswith("api/"):
            admin.post(f"{path}/{code}", json={})
        else:
            admin.get(f"{path}/{code}")


def exports(admin: Admin) -> None:
    """Export every table of a game, and the archive, of a session in play."""
    code = admin.played()["code"]
    admin.get("api/export_archive", session_code=code)
    game_id = admin.draw.choice(engine.game_ids())
    admin.get("api/export_app", app=game_id)
    answer = admin.told("export", {"app_name": game_id, "is_custom": False})
    if "error" in answer:
        admin.errors.append(f"the export of {game_id}: {answer['error']}")
    for table in ("decisions", "periods", "seats", "events", "outcomes", "config"):
        name = f"custom_export_{table}"
        admin.get("api/export_app_custom", app=game_id, function_name=name, session_code=code)


def monitors(admin: Admin) -> None:
    """Read the monitor of a session in play."""
    admin.told(f"session_monitor/{admin.played()['code']}", None)


def edits(admin: Admin) -> None:
    """Change the label, comment and fee of a session in play."""
    code = admin.played()["code"]
    page = admin.get(f"SessionEditProperties/{code}").text
    values = dict(re.findall(r'name="(participation_fee|real_world\w+)"[^>]*value="([^"]*)"', page))
    form = {**values, "label": f"label {admin.draw.random()}", "comment": "beside play"}
    admin.submit(f"SessionEditProperties/{code}", f"SessionEditProperties/{code}", **form)


def writes_variables(admin: Admin) -> None:
    """Write variables of a session in play and of one of its participants."""
    code = admin.played()["code"]
    admin.post(f"api/session_vars/{code}", json={"vars": {"note": admin.draw.random()}})
    details = admin.post(f"api/get_session/{code}", json={}).json()
    person = admin.draw.choice(details["participants"])["code"]
    admin.post(f"api/participant_vars/{person}", json={"vars": {"note": admin.draw.random()}})


def advances(admin: Admin) -> None:
    """Advance the slowest participants of a session that nobody plays."""
    session = admin.created(admin.draw.choice(engine.game_ids()))
    Person(admin.server, session["session_wide_url"])
    code = session["code"]
    admin.submit(f"SessionMonitor/{code}", f"AdvanceSession/{code}", advancemode="visited_only")


def archives(admin: Admin) -> None:
    """Archive a session and restore it."""
    code = admin.played()["code"]
    for _ in range(2):
        admin.submit("sessions", "ToggleArchivedSessions", session=code)


def deletes(admin: Admin) -> None:
    """Delete a session that this drill created."""
    session = admin.created(admin.draw.choice(engine.game_ids()))
    answer = admin.told("delete_sessions", [session["code"]])
    if answer != "ok":
        admin.errors.append(f"deleting {session['code']}: {answer}")
    admin.created_sessions.remove(session)


def _acts() -> Iterator[Callable[[Admin], None]]:
    for act in globals().copy().values():
        named = getattr(act, "__annotations__", {})
        if callable(act) and list(named) == ["admin", "return"]:
            yield act


ACTS: list[Callable[[Admin], None]] = list(_acts())
"""All actions, which are the functions of this module that take an Admin."""
