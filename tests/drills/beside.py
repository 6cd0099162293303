"""Do everything that the administrator and REST can do, while people play.

Sessions are created, by the form, the demo page and REST, and refused; the Data tab, the monitor,
payments and all exports are read of the sessions that are being played; their properties, and
variables of participants, are written; sessions are archived. Sessions that were created here are
advanced and deleted: who is advanced does not play on. One thing at a time, in an order that is
drawn. An answer that says that something failed, or none within PATIENCE_SECONDS, is a fault.
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
"""Addresses of what is about all sessions."""

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
"""Addresses that end in the code of a session."""


def configure(parser: ArgumentParser) -> None:
    """Declare how long it is."""
    parser.add_argument("--acts", type=int, default=300, help="of the administrator")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Do it, on a server of its own."""
    with running(chosen.database) as server:
        return on(server, chosen.acts, chosen.seed)


def on(server: Server, acts: int, seed: int, size: Size | None = None) -> Report:
    """Do so many things beside play."""
    admin = Admin(server, random.Random(seed))

    async def blow() -> None:
        await asyncio.to_thread(admin.act)

    size = replace(size or Size(groups=1), pause=(0.0, 0.2))
    report = complete(struck(server, blow, acts, size, seed))
    figures = {**report.figures, "requests": admin.asked, "errors": len(admin.errors)}
    return Report(figures, [*report.faults, *admin.errors])


@dataclass
class Admin:
    """Who does all this; `errors` are answers that say that the server failed."""

    server: Server
    draw: random.Random
    own: list[dict[str, Any]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    asked: int = 0
    _left: list[Callable[[Admin], None]] = field(default_factory=list)
    _http: requests.Session = field(default_factory=requests.Session)

    def act(self) -> None:
        """Do the next thing; all of them once before any comes again."""
        if not self._left:
            self._left = self.draw.sample(ACTS, len(ACTS))
        act = self._left.pop()
        try:
            act(self)
        except (requests.RequestException, websocket.WebSocketException, OSError) as error:
            self.errors.append(f"{act.__name__}: {type(error).__name__}: {error}")

    def get(self, path: str, **query: Any) -> requests.Response:
        """Read an address."""
        return self._asked("get", path, params=query)

    def post(self, path: str, **given: Any) -> requests.Response:
        """Send to an address: `data`, a form, or `json`."""
        return self._asked("post", path, **given)

    def _asked(self, how: str, path: str, **given: Any) -> requests.Response:
        self.asked += 1
        address = f"{self.server.url}/{path}"
        answer = self._http.request(how, address, timeout=PATIENCE_SECONDS, **given)
        if answer.status_code >= 400:
            self.errors.append(f"{how} {path}: {answer.status_code} {answer.text[:200]}")
        return answer

    def submit(self, page: str, address: str, **form: Any) -> None:
        """Send a form of a page of the administrator."""
        token = re.search(r'name="csrftoken" value="(\d+)"', self.get(page).text)
        self.post(address, data={**form, "csrftoken": token.group(1) if token else ""})

    def told(self, path: str, message: Any) -> Any:
        """What a socket of the administrator's pages answers at last."""
        self.asked += 1
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
        """One of the sessions that people play in."""
        own = {session["code"] for session in self.own}
        listed = self.get("api/sessions").json()
        chosen: dict[str, Any] = self.draw.choice([one for one in listed if one["code"] not in own])
        return chosen

    def created(self, game_id: str) -> dict[str, Any]:
        """A session of one's own, in which nobody plays."""
        body = {
            "session_config_name": config_of(game_id)["name"],
            "num_participants": 4,
            "modified_session_config_fields": {"quiz": False},
        }
        session: dict[str, Any] = self.post("api/sessions", json=body).json()
        self.own.append(session)
        return session


# -- what an administrator does ---------------------------------------------------------------


def creates_by_rest(admin: Admin) -> None:
    """A session of any game."""
    admin.created(admin.draw.choice(engine.game_ids()))


def is_refused(admin: Admin) -> None:
    """A session whose number is wrong."""
    answer = admin.server.create("commons", 4, capacity=-5)
    admin.asked += 1
    if answer.status_code == 200:
        admin.errors.append(f"a wrong session: {answer.status_code} {answer.text[:200]}")


def fills_in_the_form(admin: Admin) -> None:
    """The form for a session, once right and once wrong."""
    for capacity, answered in (("80", "session_url"), ("-5", "error")):
        form = {"session_config": "commons", "num_participants": "4", "room_name": ""}
        answer = admin.told("create_session", {**form, "commons.capacity": capacity})
        if answered not in answer:
            admin.errors.append(f"the form with capacity {capacity}: {answer}")
        if "session_url" in answer:
            code = re.findall(r"\w+", answer["session_url"])[-1]
            admin.own.append({"code": code})


def opens_a_demo(admin: Admin) -> None:
    """A session of the demo page."""
    name = config_of(admin.draw.choice(engine.game_ids()))["name"]
    admin.get(f"demo/{name}")
    answer = admin.told("create_demo_session", {"session_config": name})
    if "session_url" not in answer:
        admin.errors.append(f"the demo of {name}: {answer}")


def reads_what_is_about_all(admin: Admin) -> None:
    """Lists, forms, exports of everything."""
    for path in READ:
        admin.get(path)


def reads_a_session(admin: Admin) -> None:
    """All pages about a session that is being played, the Data tab among them."""
    code = admin.played()["code"]
    for path in READ_OF_SESSION:
        if path.startswith("api/"):
            admin.post(f"{path}/{code}", json={})
        else:
            admin.get(f"{path}/{code}")


def exports(admin: Admin) -> None:
    """Every table of a game, and the archive, of what is being played."""
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
    """The monitor of a session that is being played."""
    admin.told(f"session_monitor/{admin.played()['code']}", None)


def edits(admin: Admin) -> None:
    """Label, comment and fee of a session that is being played."""
    code = admin.played()["code"]
    page = admin.get(f"SessionEditProperties/{code}").text
    values = dict(re.findall(r'name="(participation_fee|real_world\w+)"[^>]*value="([^"]*)"', page))
    form = {**values, "label": f"label {admin.draw.random()}", "comment": "beside play"}
    admin.submit(f"SessionEditProperties/{code}", f"SessionEditProperties/{code}", **form)


def writes_variables(admin: Admin) -> None:
    """Variables of a session that is being played, and of a participant in it."""
    code = admin.played()["code"]
    admin.post(f"api/session_vars/{code}", json={"vars": {"note": admin.draw.random()}})
    told = admin.post(f"api/get_session/{code}", json={}).json()
    person = admin.draw.choice(told["participants"])["code"]
    admin.post(f"api/participant_vars/{person}", json={"vars": {"note": admin.draw.random()}})


def advances(admin: Admin) -> None:
    """Those who are last in a session that is not being played."""
    session = admin.created(admin.draw.choice(engine.game_ids()))
    Person(admin.server, session["session_wide_url"])
    code = session["code"]
    admin.submit(f"SessionMonitor/{code}", f"AdvanceSession/{code}", advancemode="visited_only")


def archives(admin: Admin) -> None:
    """A session, away from the list and back."""
    code = admin.played()["code"]
    for _ in range(2):
        admin.submit("sessions", "ToggleArchivedSessions", session=code)


def deletes(admin: Admin) -> None:
    """A session that was created here."""
    session = admin.created(admin.draw.choice(engine.game_ids()))
    answer = admin.told("delete_sessions", [session["code"]])
    if answer != "ok":
        admin.errors.append(f"deleting {session['code']}: {answer}")
    admin.own.remove(session)


def _acts() -> Iterator[Callable[[Admin], None]]:
    for act in globals().copy().values():
        named = getattr(act, "__annotations__", {})
        if callable(act) and list(named) == ["admin", "return"]:
            yield act


ACTS: list[Callable[[Admin], None]] = list(_acts())
"""All that is done, found by itself."""
