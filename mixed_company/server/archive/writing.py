"""Writes the export file from the database."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, Any

import otree.main
from otree import database, settings
from otree.models import Session
from otree.session import SESSION_CONFIGS_DICT
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import joinedload

from mixed_company import engine
from mixed_company.engine.contract.errors import EngineError, UnknownName, nearest
from mixed_company.experiment.planned import described
from mixed_company.server import clock, export
from mixed_company.server.archive import REHEARSED
from mixed_company.server.archive.codes import sealing_key
from mixed_company.server.archive.participants import Ways
from mixed_company.server.blocks.apps import block_of
from mixed_company.server.blocks.way import has_come
from mixed_company.server.export import answers, asks, outcome
from mixed_company.server.keeping import storage
from mixed_company.server.open import door
from mixed_company.server.played import played, seated
from mixed_company.server.treatments import planned_of
from mixed_company.table.export import Anonymous, Row
from mixed_company.table.export.archive import Writer, code_hash
from mixed_company.table.export.participants import PARTICIPANTS, participant_columns


class ExportError(EngineError):
    """Error raised if the export cannot be written."""


@contextmanager
def snapshot() -> Iterator[None]:
    """Open a read-only snapshot of the server's database, in a process that is not a server.

    All tables show the state at the same point in time, even while people are playing, and nobody
    has to wait. Raises ExportError.
    """
    on_disk = database.engine.url.get_backend_name() == "sqlite"
    try:
        if on_disk:
            database.sqlite_disk_conn.execute("PRAGMA query_only = ON")
        otree.main.setup()
        if on_disk:
            database.sqlite_disk_conn.execute("BEGIN")
        else:
            database.db._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
    except DatabaseError as error:
        reason = str(error.orig).strip()
        raise ExportError(f"this version cannot read the database: {reason}") from None
    finally:
        if database.db._db is not None:
            database.db.rollback()


def write(
    file: IO[bytes],
    codes: Sequence[str],
    anonymous: Anonymous | None = None,
    terms: Mapping[str, str] | None = None,
) -> None:
    """Write the sessions with these codes, or all sessions. `terms` holds the data's license and
    citation, if they differ from the ones in settings.py. Raises ExportError if there are no
    sessions, and UnknownName for an unknown code.
    """
    sessions = _sessions(codes)
    apps = _by_game(sessions)
    players = {
        game_id: {app: _players(app, sessions) for app in apps[game_id]} for game_id in sorted(apps)
    }
    games = [game_id for game_id, members in players.items() if any(members.values())]
    about = _made(sessions, games) | _terms(terms or {})
    by_code = {session.code: session for session in sessions}
    ways = Ways()
    # the archive writer adds the manifest at the end
    with Writer(file, about, anonymous, sealing_key()) as archive:
        for game_id in games:
            groups, rows = _add(archive, game_id, players[game_id], ways)
            _add_totals(rows, by_code, about)
            for code, number in groups.items():
                about["sessions"][code].setdefault("groups", {})[game_id] = number
        archive.table("", PARTICIPANTS, participant_columns(ways.blocks), ways.rows())


def _terms(terms: Mapping[str, str]) -> dict[str, str]:
    """Return the license and citation, by default the ones in settings.py; empty ones are
    omitted."""
    named = {"license": "DATA_LICENSE", "citation": "DATA_CITATION"}
    values = {name: terms.get(name) or getattr(settings, key, "") for name, key in named.items()}
    return {name: str(text) for name, text in values.items() if text}


def _sessions(codes: Sequence[str]) -> list[Any]:
    """Return the sessions with these codes, or all sessions, in the order of their creation."""
    sessions = database.db.query(Session).order_by(Session.id).all()
    if not sessions:
        raise ExportError("there are no sessions in the database")
    existing = [session.code for session in sessions]
    for code in codes:
        if code not in existing:
            raise UnknownName(f"session {code!r}: no such session{nearest(code, existing)}")
    return [session for session in sessions if session.code in codes or not codes]


def _by_game(sessions: Sequence[Any]) -> dict[str, list[Any]]:
    """Return the apps that the sessions play, grouped by game and in the order of their blocks."""
    apps: dict[str, list[Any]] = {}
    played = {app.__name__: app for session in sessions for app in storage.apps_of(session)}
    for name in sorted(played, key=block_of):
        apps.setdefault(played[name].C.GAME, []).append(played[name])
    return apps


def _players(app: Any, sessions: Sequence[Any]) -> list[Any]:
    """Return the participants who have reached an app, in the order of their sessions."""
    model = app.Player
    loaded = [
        joinedload(getattr(model, name), innerjoin=True)
        for name in ("participant", "group", "session")
    ]
    players = database.db.query(model).options(*loaded).order_by(model.session_id, model.id)
    wanted = {session.id for session in sessions}
    players_here = [player for player in players if player.session_id in wanted]
    return (
        players_here
        if block_of(app.__name__) == 1
        else [player for player in players_here if has_come(player)]
    )


def _made(sessions: Sequence[Any], games: Sequence[str]) -> dict[str, Any]:
    """Return the manifest entries that do not describe tables."""
    rehearsed = os.environ.get(REHEARSED)
    names = {str(session.config["name"]) for session in sessions}
    return {
        "made": datetime.fromtimestamp(clock.now_ms() // 1000, UTC).isoformat(timespec="seconds"),
        "software": export.software(),
        "code": code_hash(),
        "games": {game_id: engine.find(game_id).version for game_id in games},
        "sessions": {
            session.code: {
                "session_config": str(session.config["name"]),
                "participants": session.num_participants,
                "apps": list(session.config["app_sequence"]),
                **({"door": moves} if (moves := door.history(session)) else {}),
                **_plan(session),
            }
            for session in sessions
        },
        # all session codes on the server, so that a reader can tell whether one is missing
        "created": [code for (code,) in database.db.query(Session.code).order_by(Session.id)],
        # in the order of the settings, which is the order of treatments
        "session_configs": [name for name in SESSION_CONFIGS_DICT if name in names],
        **({"rehearsed": json.loads(rehearsed)} if rehearsed else {}),
    }


def _plan(session: Any) -> dict[str, Any]:
    """Return a session's plan for the manifest, if it has one."""
    blocks = []
    for app in storage.apps_of(session):
        subsession = app.Subsession.objects_first(session=session)
        planned = None if subsession is None else planned_of(subsession)
        if planned is not None:
            blocks.append(planned)
    blocks.sort(key=lambda planned: planned.number)
    return {"plan": described(blocks)} if blocks else {}


def _add_totals(rows: Sequence[Row], sessions: Mapping[str, Any], about: dict[str, Any]) -> None:
    """Add the total payment of each session that has a single app."""
    cents: Counter[str] = Counter()
    for row in rows:
        cents[row["session"]] += round(100 * row["payment"])
    for code, paid in cents.items():
        if len(sessions[code].config["app_sequence"]) == 1:
            about["sessions"][code]["total"] = paid / 100


def _add(
    archive: Writer, game_id: str, players: Mapping[Any, Sequence[Any]], ways: Ways
) -> tuple[Counter[str], list[Row]]:
    """Add all tables of a game; `players` holds each app's people.

    Each group is read once. Returns the number of groups per session, and the rows of `outcomes`.
    """
    groups = {app: seated(members) for app, members in players.items()}
    everybody = [members for some in groups.values() for members in some]
    asking = any(asks(members) for members in players.values())
    sheets = {
        name: archive.sheet(game_id, name, export.declared(name, everybody, game_id, asking))
        for name in (
            *export.tables_of(everybody, game_id),
            *(["answers"] if asking else ()),
            "journal",
        )
    }
    people, messages = list[Row](), list[Row]()
    for app, members in players.items():
        outcomes, answered = {}, {}
        for group in played(groups[app], app.Log, ()):
            for name, rows in export.ROWS.items():
                if name in sheets and not (name == "journal" and archive.silences(group.journal)):
                    sheets[name].add(rows(group))
            messages += export.ROWS["messages"](group)
            for player in group.people.values():
                outcomes[player.id] = outcome(player, group)
                ways.add(player, outcomes[player.id], group)
                answered[player.id] = list(answers(player, group)) if asking else []
        for player in members if asking else ():
            answer_rows = answered.get(player.id)
            sheets["answers"].add(answers(player, None) if answer_rows is None else answer_rows)
        for player in members:
            if player.id not in outcomes:
                outcomes[player.id] = outcome(player, None)
                ways.add(player, outcomes[player.id], None)
        people += [outcomes[player.id] for player in members]
    sheets["outcomes"].add(people)
    if messages:
        archive.table(game_id, "messages", export.declared("messages", [], game_id), messages)
    return Counter(members[0].session.code for members in everybody), people
