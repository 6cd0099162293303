"""Creation of sessions (one at a time, and completely or not at all), and the form that creates
them.

oTree 6.0.15 creates a session in steps, and commits each step on the connection that pages use. If
oTree is killed between two steps, or an app rejects the session, an incomplete session stays on the
list, and its links never work. Sessions that are created at the same time roll back each other's
steps, and so does a page that fails. Here a session, even one with several parts, is created in one
transaction on a separate connection. Meanwhile, people can play in other sessions.

In oTree, a mistyped number of participants (400000 instead of 40) fills the memory until the server
is killed, which ends all plays. Here the maximum is MOST_PARTICIPANTS.

If a session's checks reject a value, oTree's REST API responds with 500 and a text that can include
source code. Here it responds with 400 and the error message, as it does for oTree's own errors.

oTree's form shows the keys of a session config in one long table. An invalid number ends the
connection, and a rejected value produces a traceback. Here keys are grouped and explained, and an
error appears as a sentence next to its field (`server.session_form`). The description of a session
has the same layout.
"""

from __future__ import annotations

import logging
import threading
from contextlib import closing
from typing import Any

import otree.session
from otree import database
from otree.channels.consumers import WSCreateSession
from otree.models import Session
from otree.room import ROOM_DICT
from otree.session import SESSION_CONFIGS_DICT, CreateSessionInvalidArgs, SessionConfig
from otree.views import rest
from otree.views.admin import SessionDescription
from sqlalchemy import func, orm, select

from mixed_company.engine.contract.errors import ConfigError, EngineError, nearest, short
from mixed_company.server import session_form
from mixed_company.server.fleet.parted import creating
from mixed_company.server.keeping.saving import own_engine
from mixed_company.table.pay import MOST_PAID, can_be_paid

BUSY_SECONDS = 60
"""Maximum time that creating a session waits for other writers to an SQLite database."""

MOST_PARTICIPANTS = 10_000

_NUMBER = 0x6D697865  # key of a database lock that is taken only to create sessions

_create = creating(otree.session.create_session)
_receive = WSCreateSession.post_receive_json
_respond = WSCreateSession.send_response_to_browser
_log = logging.getLogger(__name__)
_alone = threading.Lock()


def install() -> None:
    """Change how sessions are created, and the form that creates them."""
    otree.session.create_session = _create_whole
    rest.create_session = _create_or_refuse
    SessionDescription.vars_for_template = _described
    WSCreateSession.post_receive_json = _receive_checked
    WSCreateSession.send_response_to_browser = _respond_in_sentences


class _Whole(orm.Session):
    """Database session that commits only once, at the end."""

    def commit(self) -> None:
        self.flush()

    def keep(self) -> None:
        super().commit()


def _create_whole(*names: Any, **options: Any) -> Any:
    """Replace `otree.session.create_session`: create a complete session, or nothing. Also raises
    ConfigError.
    """
    _check(*names, **options)
    database.db.commit()  # because earlier writes must not block the new connection
    caller = database.db._db
    with _alone, closing(_Whole(bind=_engine())) as whole:
        database.db._db = whole
        try:
            # other servers may also be creating a session
            if whole.bind.dialect.name == "postgresql":
                whole.execute(select([func.pg_advisory_xact_lock(_NUMBER)]))
            session_id = _create(*names, **options).id
            whole.keep()
        except BaseException:
            whole.rollback()
            raise
        finally:
            database.db._db = caller
    return caller.query(Session).filter_by(id=session_id).one()


def _check(
    session_config_name: Any,
    *,
    num_participants: Any,
    modified_session_config_fields: Any = None,
    room_name: Any = None,
    label: Any = "",
    **others: Any,
) -> None:
    """Raise ConfigError for invalid values that oTree does not check and that would make it
    fail.
    """
    if not isinstance(session_config_name, str):
        raise ConfigError(f"session_config_name = {short(session_config_name)}: should be a string")
    number = num_participants
    if number is not None and (
        not isinstance(number, int)
        or isinstance(number, bool)
        or not 1 <= number <= MOST_PARTICIPANTS
    ):
        rule = f"should be a whole number from 1 to {MOST_PARTICIPANTS}"
        raise ConfigError(f"num_participants = {short(number)}: {rule}")
    changes = modified_session_config_fields
    if changes is not None and not isinstance(changes, dict):
        rule = "should be an object, key -> value"
        raise ConfigError(f"modified_session_config_fields = {short(changes)}: {rule}")
    _check_fee((changes or {}).get("participation_fee", 0))
    for key, text in (("room_name", room_name), ("label", label)):
        if text is not None and not isinstance(text, str):
            raise ConfigError(f"{key} = {short(text)}: should be a string")
    for key in ("is_demo", "is_mturk"):
        if not isinstance(others.get(key, False), bool):
            raise ConfigError(f"{key} = {short(others[key])}: should be true or false")
    if room_name is not None and room_name not in ROOM_DICT:
        hint = nearest(room_name, ROOM_DICT)
        raise ConfigError(f"room_name = {short(room_name)}: no such room{hint}")


def _check_fee(fee: Any) -> None:
    """Raise ConfigError for a fee that is not a valid amount."""
    if not can_be_paid(fee):
        raise ConfigError(
            f"participation_fee = {short(fee)}: should be a number from 0 to {MOST_PAID}"
        )


def _create_or_refuse(*names: Any, **options: Any) -> Any:
    """Create a session for REST. Raises CreateSessionInvalidArgs, with the message that REST
    sends."""
    try:
        return _create_whole(*names, **options)
    except EngineError as error:
        raise CreateSessionInvalidArgs(str(error)) from None


def _engine() -> Any:
    return database.engine if database.IN_MEMORY else own_engine(BUSY_SECONDS)


async def _receive_checked(consumer: Any, form_data: dict[str, Any]) -> None:
    config = SESSION_CONFIGS_DICT.get(form_data.get("session_config", ""))
    refused = {} if config is None else session_form.unreadable(config, form_data)
    if refused:
        lines = [f"{name} = {why}" for name, why in refused.items()]
        await consumer.send_json({"error": "\n".join(lines), "fields": refused, "others": []})
    else:
        await _receive(consumer, form_data)


async def _respond_in_sentences(consumer: Any, event: dict[str, Any]) -> None:
    if "traceback" in event:
        fields, others = session_form.refusals(event["error"])
        if not fields and "mixed_company.engine.contract.errors" not in event["traceback"]:
            _log.error("a session was not created:\n%s", event["traceback"])
            others = [*others, "See the server's log for details."]
        event = {"error": event["error"], "fields": fields, "others": others}
    await _respond(consumer, event)


def _described(view: Any) -> dict[str, Any]:
    config = SessionConfig(view.session.config)
    shipped = SESSION_CONFIGS_DICT.get(config["name"])
    before = config if shipped is None else session_form.as_shipped(shipped)
    return {"config": config, "groups": session_form.described(config, before)}
