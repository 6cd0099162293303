"""Findings on where a session runs: the server's settings, rooms, database, and outside agents."""

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

from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.experiment.treatments import games_of, shipped_series
from mixed_company.policies.outside import agent_of
from mixed_company.server import rest_key, secret_key
from mixed_company.server.outside.keys import VARIABLE, keys
from mixed_company.server.preflight import Finding, go, look, stop
from mixed_company.table.options import Options

SHORT = 12
"""Length below which a password is considered easy to guess."""

FEW_GIGABYTES = 1.0
"""Free space that counts as sufficient: 500 people over 100 periods use a twentieth of it
(docs/developers/figures.md, the export).
"""

APART_SECONDS = 2.0
EARLIEST = 1_700_000_000.0
"""Earliest time that a correct clock can show, in November 2023."""

_LABEL = re.compile(r"[a-zA-Z0-9_]+")


def of_server(variables: Mapping[str, str], key: str, address: str) -> Iterator[Finding]:
    """Yield findings on whether the server keeps strangers out.

    `variables` are the server's environment variables, `key` is its SECRET_KEY, and `address` is
    where it listens.
    """
    level = variables.get("OTREE_AUTH_LEVEL", "")
    if level == "STUDY":  # with DEMO anybody can create sessions and see all earnings
        yield go("The administrator's pages require a login (OTREE_AUTH_LEVEL = STUDY).")
        yield _password(variables.get("OTREE_ADMIN_PASSWORD", ""))
    else:
        yield stop(
            "Anybody who can reach the server can create sessions and read all data: set "
            "OTREE_AUTH_LEVEL to STUDY."
        )
    try:
        secret_key.check(key, level or None, address)
        yield go("The key that signs the administrator's login is not the published one.")
    except ConfigError as error:
        yield stop(f"{error}.")
    if variables.get("OTREE_PRODUCTION"):
        yield go("Error pages show no source code (OTREE_PRODUCTION is set).")
    else:
        yield stop("Error pages show source code: set OTREE_PRODUCTION to 1.")
    try:
        rest_key.check(variables)
    except ConfigError as error:
        yield stop(f"{error}.")
        return
    if variables.get("OTREE_REST_KEY"):
        yield go("REST requires a key (OTREE_REST_KEY is set).")
    elif level not in ("DEMO", "STUDY"):
        yield stop("REST is open to everybody, because no login is required.")
    else:
        yield look(
            "REST has no key (OTREE_REST_KEY) and a login is required, so nobody can use REST."
        )


def _password(password: str) -> Finding:
    if not password:
        return stop("The administrator has no password: set OTREE_ADMIN_PASSWORD.")
    if len(password) < SHORT:
        has = f"The administrator's password has {len(password)} characters"
        return look(f"{has}; use {SHORT} or more.")
    return go(f"The administrator's password has {len(password)} characters.")


def of_rooms(rooms: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    """Yield a finding on each room in ROOMS that has a label file. oTree cannot show the page of a
    room with an invalid label.
    """
    for room in rooms:
        file = room.get("participant_label_file")
        if file:
            yield _labels(room["name"], Path(file))


def _labels(room: str, file: Path) -> Finding:
    try:
        labels = file.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        return stop(f"Room {room}: its label file cannot be read: {error}.")
    wrong = next((label for label in labels if not _LABEL.fullmatch(label)), None)
    if wrong is not None:
        return stop(
            f"Room {room}: {file} has the label {wrong!r}: labels can contain only "
            "unaccented letters, digits and _."
        )
    if not labels:
        return stop(f"Room {room}: {file} has no labels, so nobody can enter.")
    return go(
        f"Room {room} admits the {len(labels)} labels in {file}. A label alone gives access to its "
        "seat, unless the session's return_by_label is never."
    )


def of_database(url: str | None) -> Iterator[Finding]:
    """Yield findings on whether the database can be reached, has space, and shows the right time.

    `url` is DATABASE_URL; if it is not set, the database is a file in this folder.
    """
    if not url or url.startswith("sqlite"):
        yield look(
            "The data is stored in db.sqlite3 in this folder (SQLite), which suits one server in a "
            "laboratory. Copy it with `mixed backup`, never by hand while people are playing."
        )
        yield of_room(Path.cwd(), time.time())
        return
    try:
        address = make_url(url.replace("postgres://", "postgresql://", 1))
    except (SQLAlchemyError, ValueError):  # the messages of these errors would show the password
        yield stop("DATABASE_URL is not the address of a database.")
        return
    try:
        with create_engine(address).connect() as connection:
            version = connection.execute(text("SHOW server_version")).scalar()
            theirs = connection.execute(text("SELECT extract(epoch from now())")).scalar()
    except (ImportError, SQLAlchemyError) as error:
        yield stop(f"The database cannot be reached: {str(error).splitlines()[0]}")
        return
    yield go(f"The data is stored in PostgreSQL {version}.")
    yield _clocks(float(theirs or 0.0), time.time())


def of_room(folder: Path, now: float) -> Finding:
    """Return a finding on free disk space and the clock; `now` is in seconds since 1970."""
    free = shutil.disk_usage(folder).free / 1e9
    if now < EARLIEST:
        return stop(f"This machine's clock shows {time.strftime('%Y-%m-%d', time.gmtime(now))}.")
    if free < FEW_GIGABYTES:
        return stop(
            f"The disk has {free:.1f} GB left: at least {FEW_GIGABYTES:g} GB should be free."
        )
    return go(f"The disk has {free:.0f} GB left.")


def _clocks(theirs: float, ours: float) -> Finding:
    apart = abs(theirs - ours)
    if apart > APART_SECONDS:
        return look(
            f"The clocks of this machine and of the database are {apart:.0f} s apart: one of them "
            "is wrong. Plays do not depend on them, but times of day in the data do."
        )
    return go("The clocks of this machine and of the database agree.")


def agents_in(options: Options) -> list[str]:
    """Return the sorted names of the agents that can have seats in a session."""
    specs = [*options.bot_list, options.dropout_bot]
    return sorted({name for spec in specs if (name := agent_of(spec)) is not None})


def of_agents(
    config: Mapping[str, Any],
    variables: Mapping[str, str],
    connected: Mapping[str, int] | None = None,
) -> Iterator[Finding]:
    """Yield findings on whether the agents in a session config, which includes all defaults, can
    connect.

    `connected` maps agents' names to their connections; it is passed if the server itself runs the
    check.
    """
    names = sorted(set(_named(config)))
    if not names:
        return
    try:
        agent_keys = keys(variables)
    except ConfigError as error:
        yield stop(f"{error}.")
        return
    for name in names:
        if name not in agent_keys:
            yield stop(f"Agent {name} has no key, so it cannot connect ({VARIABLE}).")
        elif connected is None:
            yield look(f"Agent {name} has a key; the board says whether it is connected.")
        elif connected.get(name, 0):
            yield go(f"Agent {name} is connected.")
        else:
            yield stop(f"Agent {name} is not connected: start it before people arrive.")


def _named(config: Mapping[str, Any]) -> Iterator[str]:
    for game_id in games_of(config):
        try:
            setups = shipped_series(game_id, config)[0].values()
        except EngineError:
            continue  # another finding says that the session cannot be created
        for setup in setups:
            yield from agents_in(setup.options)
