"""The site of a session: the server's settings, rooms, database, and agents from outside."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.engine.url import make_url
from sqlalchemy.exc import SQLAlchemyError

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.experiment.treatments import shipped_series
from mixed_company.policies.outside import agent_of
from mixed_company.server import rest_key, secret_key
from mixed_company.server.outside.keys import VARIABLE, keys
from mixed_company.server.preflight import Finding, go, look, stop
from mixed_company.table.options import Options

__all__ = ["agents_in", "of_agents", "of_database", "of_room", "of_rooms", "of_server"]

SHORT = 12
"""A password with fewer characters is guessed sooner or later."""

FEW_GIGABYTES = 1.0
"""500 people over 100 periods take a twentieth of it (docs/developers/figures.md, the export)."""

APART_SECONDS = 2.0
EARLIEST = 1_700_000_000.0
"""No clock that is right shows a time before this: November 2023."""

_LABEL = re.compile(r"[a-zA-Z0-9_]+")


def of_server(variables: Mapping[str, str], key: str, address: str) -> Iterator[Finding]:
    """Say whether the server is closed to others.

    `variables` are the server's, `key` its SECRET_KEY, `address` where it listens.
    """
    level = variables.get("OTREE_AUTH_LEVEL", "")
    if level == "STUDY":  # with DEMO everybody creates sessions, and sees who earns what
        yield go("Pages of the administrator want a login (OTREE_AUTH_LEVEL = STUDY).")
        yield _password(variables.get("OTREE_ADMIN_PASSWORD", ""))
    else:
        yield stop(
            "Everybody who reaches the server can create sessions and read all data: set "
            "OTREE_AUTH_LEVEL to STUDY."
        )
    try:
        secret_key.check(key, level or None, address)
        yield go("The key that signs the administrator's login is not the published one.")
    except ConfigError as error:
        yield stop(f"{error}.")
    if variables.get("OTREE_PRODUCTION"):
        yield go("Errors show people no source text (OTREE_PRODUCTION is set).")
    else:
        yield stop("Errors show people the source text: set OTREE_PRODUCTION to 1.")
    try:
        rest_key.check(variables)
    except ConfigError as error:
        yield stop(f"{error}.")
        return
    if variables.get("OTREE_REST_KEY"):
        yield go("REST wants a key (OTREE_REST_KEY is set).")
    else:
        yield look("REST has no key: with a login wanted, nobody can use it (OTREE_REST_KEY).")


def _password(password: str) -> Finding:
    if not password:
        return stop("The administrator has no password: set OTREE_ADMIN_PASSWORD.")
    if len(password) < SHORT:
        what = f"The administrator's password has {len(password)} characters"
        return look(f"{what}; {SHORT} or more are not guessed.")
    return go(f"The administrator has a password of {len(password)} characters.")


def of_rooms(rooms: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    """Say of each room in ROOMS with a file of labels whether it can be used.

    A label that oTree does not take leaves a room without a page.
    """
    for room in rooms:
        file = room.get("participant_label_file")
        if file:
            yield _labels(room["name"], Path(file))


def _labels(room: str, file: Path) -> Finding:
    try:
        labels = file.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        return stop(f"Room {room}: its file of labels cannot be read: {error}.")
    wrong = next((label for label in labels if not _LABEL.fullmatch(label)), None)
    if wrong is not None:
        return stop(
            f"Room {room}: {file} has the label {wrong!r}: labels are letters without accents, "
            "digits and _."
        )
    if not labels:
        return stop(f"Room {room}: {file} has no label: nobody is let in.")
    return go(
        f"Room {room} is for the {len(labels)} labels of {file}. A label alone brings back to its "
        "seat, unless return_by_label of the session is never."
    )


def of_database(url: str | None) -> Iterator[Finding]:
    """Say whether the database can be reached, has room, and has the same time.

    `url` is DATABASE_URL; without one the data go into a file of this folder.
    """
    if not url or url.startswith("sqlite"):
        yield look(
            "The data go into db.sqlite3 of this folder (SQLite): fit for one server and a "
            "laboratory. Copy it with `mixed backup`, never by hand while people play."
        )
        yield of_room(Path.cwd(), time.time())
        return
    try:
        address = make_url(url.replace("postgres://", "postgresql://", 1))
    except (SQLAlchemyError, ValueError):  # their words would show the password
        yield stop("DATABASE_URL is no address of a database.")
        return
    try:
        with create_engine(address).connect() as connection:
            version = connection.execute(text("SHOW server_version")).scalar()
            theirs = connection.execute(text("SELECT extract(epoch from now())")).scalar()
    except (ImportError, SQLAlchemyError) as error:
        yield stop(f"The database cannot be reached: {str(error).splitlines()[0]}")
        return
    yield go(f"The data go to PostgreSQL {version}.")
    yield _clocks(float(theirs or 0.0), time.time())


def of_room(folder: Path, now: float) -> Finding:
    """Say whether the disk has room, and whether `now` (seconds since 1970) is possible."""
    free = shutil.disk_usage(folder).free / 1e9
    if now < EARLIEST:
        return stop(f"This machine's clock shows {time.strftime('%Y-%m-%d', time.gmtime(now))}.")
    if free < FEW_GIGABYTES:
        return stop(f"The disk has {free:.1f} GB left: {FEW_GIGABYTES:g} or more are safe.")
    return go(f"The disk has {free:.0f} GB left.")


def _clocks(theirs: float, ours: float) -> Finding:
    apart = abs(theirs - ours)
    if apart > APART_SECONDS:
        return look(
            f"The clocks of this machine and of the database are {apart:.0f} s apart: one of them "
            "is wrong. Plays do not go by them; times of day in the data do."
        )
    return go("The clocks of this machine and of the database agree.")


def agents_in(options: Options) -> list[str]:
    """Return the names of the agents that can have seats in a session, sorted."""
    specs = [*options.bot_list, options.dropout_bot]
    return sorted({name for spec in specs if (name := agent_of(spec)) is not None})


def of_agents(
    config: Mapping[str, Any],
    variables: Mapping[str, str],
    connected: Mapping[str, int] | None = None,
) -> Iterator[Finding]:
    """Say whether the agents of a session config, with all defaults, can come in.

    `connected` are the numbers of agents by name, where the server itself is asked.
    """
    names = sorted(set(_named(config)))
    if not names:
        return
    try:
        known = keys(variables)
    except ConfigError as error:
        yield stop(f"{error}.")
        return
    for name in names:
        if name not in known:
            yield stop(f"Agent {name} has no key: nobody can come in as it ({VARIABLE}).")
        elif connected is None:
            yield look(f"Agent {name} has a key; the board says whether it is connected.")
        elif connected.get(name, 0):
            yield go(f"Agent {name} is connected.")
        else:
            yield stop(f"Agent {name} is not connected: start it, before people come.")


def _named(config: Mapping[str, Any]) -> Iterator[str]:
    for game_id in (app for app in config["app_sequence"] if app in engine.game_ids()):
        try:
            setups = shipped_series(game_id, config)[0].values()
        except EngineError:
            continue  # that it cannot be created is said elsewhere
        for setup in setups:
            yield from agents_in(setup.options)
