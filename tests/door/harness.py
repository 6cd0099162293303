"""A real server on 127.0.0.1, participants over HTTP, and live sockets.

    with Server(tmp_path) as server:
        session = server.session("commons", people=1, quiz=False)
        person = server.join(session)
        person.walk_to("Play")
        live = person.live()
        view = live.ask({"kind": "sync"})

Used by the tests in `tests/door` and by the benchmarks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Self

import requests

from mixed_company import engine
from mixed_company.server.rehearse import participant, server
from mixed_company.server.rehearse.server import ROOT, free_port, lay_out
from mixed_company.table.setup import session_config
from settings import SESSION_CONFIGS

__all__ = [
    "ROOT",
    "Live",
    "Person",
    "Server",
    "app_of",
    "free_port",
    "lay_out",
    "meet_in_lobby",
    "when",
]

PATIENCE_SECONDS = 600.0
POLL_SECONDS = 0.1

BOTS = {
    "commons": "conditional_cooperator,sustainable,noisy_person",
    "gems": "thompson_sampling,epsilon_greedy,avoid_crowd",
    "gems_four_people": "thompson_sampling",
    "gems_trained": "gems_ppo_group",
    "vote": "forager,law_and_order,noisy_person",
}
CALM_SECONDS = 600.0
RATES = {"gem_mining": 0.25, "sanctions": 0.02}


def app_of(config: str) -> str:
    """Return the app of a session config, or the commons for configs that exist only in a test."""
    apps = {entry["name"]: entry["app_sequence"][0] for entry in SESSION_CONFIGS}
    return str(apps.get(config, "commons_game"))


def worked_out(config: str) -> dict[str, Any]:
    """Return the changes that turn a shipped `lab` config into the reference, with its bots and
    rate.

    The expected results of tests and the published figures are based on the reference.
    """
    shipped = {entry["name"]: entry for entry in SESSION_CONFIGS}.get(config, {"archetype": ""})
    if shipped["archetype"] != "lab":
        return {}
    game_id = shipped["app_sequence"][0]
    numbers = session_config("", game_id, engine.find(game_id).reference)
    core = set(engine.find(game_id).Core.model_fields) - {"seats"}  # set by the session
    rate = {"real_world_currency_per_point": RATES.get(game_id, 0.1)}
    bots = {"bots": BOTS[config]} if config in BOTS else {}
    return {key: numbers[key] for key in core} | rate | bots | {"people_seats": "drawn"}


def unhurried(config: str, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the changes that spare tests all waiting, timeouts, and pages before a play.

    There is no practice, no readiness question, no countdown, no bot delay and no wait for slow
    connections. Nobody is late because of a busy machine. Turns with a clock keep the session's
    length.
    """
    shipped = {entry["name"]: entry for entry in SESSION_CONFIGS}.get(config, {})
    options = {"countdown_seconds": 0.0, "line_seconds": 0.0, "bot_delay": "instant"}
    options |= {"practice_periods": 0, "ready": False}
    options |= {"grace_seconds": CALM_SECONDS, "lobby_seconds": CALM_SECONDS}
    if changes.get("pace", shipped.get("pace", "answers")) == "answers":
        options["decision_seconds"] = CALM_SECONDS
    return options


class Server(server.Server):
    """Server of `server.rehearse` with helpers for sessions and people."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def session(self, config: str, people: int, **changes: Any) -> dict[str, Any]:
        """Create a session; return its code, session_wide_url and app. Raise an error if the server
        rejects it.

        A shipped `lab` config becomes the reference (`worked_out`) unless an archetype is given.
        Nothing takes time (`unhurried`).
        """
        options = {} if "archetype" in changes else worked_out(config)
        options |= unhurried(config, changes)
        answer = self.create(config, people, **{**options, **changes})
        if answer.status_code != 200:
            raise RuntimeError(answer.text)
        return {**answer.json(), "app": app_of(config)}

    def table(self, name: str, session: dict[str, str]) -> str:
        """Return one exported table of a session as CSV; `session` has its `code` and its `app`."""
        query = {
            "app": session["app"],
            "function_name": f"custom_export_{name}",
            "session_code": session["code"],
        }
        answer = requests.get(f"{self.url}/api/export_app_custom", params=query, timeout=60)
        answer.raise_for_status()
        return answer.content.decode("utf-8-sig")

    def join(self, session: dict[str, Any]) -> Person:
        return Person(self, session["session_wide_url"])


class Person(participant.Participant):
    """Participant without a browser; a test controls every step."""

    def __init__(self, server: Server, link: str) -> None:
        super().__init__(link)
        self.server = server

    def reload(self) -> None:
        self.page = self.http.get(self.page.url, timeout=60)

    def walk_to(self, name: str) -> None:
        for _ in range(5):
            if self.page_name == name:
                return
            self.next()
        raise AssertionError(f"stuck on {self.page_name}: {self.page.text[:2000]}")

    def live(self) -> Live:
        return Live(self.live_url())


class Live(participant.Live):
    """Live channel of a page. It waits up to a minute for busy machines."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.socket.settimeout(60)

    def ask(self, message: Any, kind: str | None = None) -> dict[str, Any]:
        self.send(message)
        return self.receive(kind)

    def act(self, period: int, name: str, **action: Any) -> dict[str, Any]:
        """Send a decision, and return its ack or rejection."""
        self.send({"kind": "act", "id": name, "period": period, "action": action})
        while True:
            answer = self.receive()
            if answer["kind"] in ("ack", "refused") and answer["id"] == name:
                return answer


def when(see: Callable[[], Any]) -> Any:
    """Return the first true result of `see`. Fail after ten minutes."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not (seen := see()):
        assert time.monotonic() < until, "the expected state did not occur in time"
        time.sleep(POLL_SECONDS)
    return seen


# -- people without a browser, on the play page ---------------------------------------------------


def meet_in_lobby(persons: list[Person]) -> None:
    """Let people wait in the lobby, as pages do, until everyone has a seat and moves on to the
    table.
    """
    rooms = [person.live() for person in persons]
    for room in rooms:
        room.send({"kind": "sync"})
    for room in rooms:
        while room.receive("view")["phase"] == "waiting":
            pass
    for person, room in zip(persons, rooms, strict=True):
        room.close()
        person.walk_to("Play")


def seated(server: Server, session: dict[str, Any], people: int = 1) -> list[tuple[Person, Live]]:
    """Take people through the lobby to the play page, and synchronize them with the table."""
    persons = [server.join(session) for _ in range(people)]
    for person in persons:
        person.walk_to("Lobby" if people > 1 else "Play")
    if people > 1:
        meet_in_lobby(persons)
    lives = [person.live() for person in persons]
    for live in lives:
        live.ask({"kind": "sync"})
    return list(zip(persons, lives, strict=True))


def synced(live: Live) -> dict[str, Any]:
    """Request the complete view, and discard messages that arrive before it."""
    live.send({"kind": "sync"})
    while True:
        view = live.receive("view")
        if "history" in view:
            return view
