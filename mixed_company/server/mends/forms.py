"""The pages on which a session is created and described.

oTree 6.0.15 shows the keys of a session config as they are, in one long table; a number that is
none ends the connection, a value that is refused is shown as a traceback. Here they stand in
groups, with what they mean, and a refusal is a sentence beside its field (`server.session_form`).
And the list of sessions says in the label what was changed, where no label was given
(`server.session`).
"""

from __future__ import annotations

import logging
from typing import Any

from otree.channels.consumers import WSCreateSession
from otree.session import SESSION_CONFIGS_DICT, SessionConfig
from otree.views.admin import SessionDescription

from mixed_company.server import session_form

__all__ = ["install"]

_receive = WSCreateSession.post_receive_json
_respond = WSCreateSession.send_response_to_browser
_log = logging.getLogger(__name__)


def install() -> None:
    """Change the answers to the form, and the description of a session."""
    SessionDescription.vars_for_template = _described
    WSCreateSession.post_receive_json = _receive_checked
    WSCreateSession.send_response_to_browser = _respond_in_sentences


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
            others = [*others, "The log of the server says more."]
        event = {"error": event["error"], "fields": fields, "others": others}
    await _respond(consumer, event)


def _described(view: Any) -> dict[str, Any]:
    config = SessionConfig(view.session.config)
    shipped = SESSION_CONFIGS_DICT.get(config["name"])
    before = config if shipped is None else session_form.as_shipped(shipped)
    return {"config": config, "groups": session_form.described(config, before)}
