"""Server to be measured, with any of the databases, the games and an idle oTree app.

The app has an empty page, whose live method only sends a reply, and a second page. Each person in
it is a group of one, which is the cheapest case for oTree.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.crowd.places import DATABASES, UNHURRIED, database, lasting, seated, session
from tests.crowd.processes import many_sockets
from tests.door.harness import ROOT, Server

__all__ = ["BARE", "GAME", "arguments", "bare_session", "busy", "live_urls", "patient", "served"]

BARE = "bare"
GAME = "commons_game"
"""Game for benchmarks that need only one game."""
SETTINGS = f"""
from settings_of_project import *
SESSION_CONFIGS.append(dict(name="{BARE}", app_sequence=["{BARE}"], num_demo_participants=1))
"""
APP = f"""
from otree.api import *

class C(BaseConstants):
    NAME_IN_URL = "{BARE}"
    PLAYERS_PER_GROUP = None
    NUM_ROUNDS = 1

class Subsession(BaseSubsession): pass
class Group(BaseGroup): pass
class Player(BasePlayer): pass

def creating_session(subsession):
    subsession.set_group_matrix([[player] for player in subsession.get_players()])

class Idle(Page):
    @staticmethod
    def live_method(player, data):
        return {{player.id_in_group: {{"kind": "ack", "id": data.get("id")}}}}

class Last(Page):
    pass

page_sequence = [Idle, Last]
"""
PAGE = "{{ block content }}{{ next_button }}{{ endblock }}"


@contextmanager
def served(name: str, **variables: str) -> Iterator[Server]:
    """Run a server with this database and these environment variables."""
    many_sockets()
    with database(name) as url, tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "project"
        unhurried = {**UNHURRIED, **variables}
        server = Server(place, database_url=url, settings=SETTINGS, variables=unhurried)
        (place / "settings_of_project.py").write_text((ROOT / "settings.py").read_text())
        (place / BARE).mkdir()
        (place / BARE / "__init__.py").write_text(APP)
        for page in ("Idle", "Last"):
            (place / BARE / f"{page}.html").write_text(PAGE)
        with server:
            yield server


def busy(game_id: str) -> dict[str, Any]:
    """Return session settings for a long play in which a period ends as soon as everyone has
    decided."""
    return {**patient(game_id, 10_000), "pace": "answers", "decision_seconds": 0.0}


def patient(game_id: str, periods: int) -> dict[str, Any]:
    """Return session settings for a play that waits for people instead of replacing them with
    bots."""
    return {**lasting(game_id, periods), "dropout": "reduced", "grace_seconds": 3600.0}


def bare_session(server: Server, people: int) -> dict[str, Any]:
    """Create a session of the idle app."""
    return server.session(BARE, people)


def live_urls(server: Server, game_id: str, people: int, **changes: Any) -> list[str]:
    """Return the live addresses of people on the pages of a game, or on the idle page."""
    if game_id == BARE:
        created = bare_session(server, people)
    else:
        created = session(server, game_id, people, **changes)
    visitors = asyncio.run(seated(created["session_wide_url"], people))
    return [visitor.live_url() for visitor in visitors]


def arguments(*defaults: float) -> tuple[str, Sequence[float]]:
    """Parse `[database [number ...]]` from the command line."""
    name, *numbers = sys.argv[1:] or DATABASES[:1]
    if name not in DATABASES:
        sys.exit(f"{name}: must be one of {', '.join(DATABASES)}")
    return name, [float(number) for number in numbers] or defaults
