"""REST: what oTree 6.0.15 takes without a look, and fails on; some of it only when a person comes.

Variables that are no object are kept for a label, and whoever then comes with it gets an error.
Here they are 400 and a sentence, as is everything else that is not what it should be. Wrong keys
are not slowed down, and compared character by character: `server.rest_key` checks them instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from otree import settings
from otree.views import cbv, rest
from starlette.responses import PlainTextResponse, Response

from mixed_company.engine.contract.errors import short
from mixed_company.server import rest_key
from mixed_company.server.gate import Refused
from mixed_company.server.gate.labels import checked_label

__all__ = ["install"]

_NAMES = ("participant_labels", "participant_vars", "session_vars")


def install() -> None:
    """Change which keys and values are accepted."""
    cbv.validate_rest_key = _validated
    for view in (rest.RESTSessionVars, rest.RESTParticipantVars, rest.RESTParticipantVarsByRoom):
        view.post = _checked(view.post)
    rest.RESTGetSessionInfo.post = _checked(rest.RESTGetSessionInfo.post)
    rest.RESTGetSessionInfoLegacy.get = rest.RESTGetSessionInfo.post


def _validated(request: Any) -> Response | None:
    return rest_key.refusal(request) if settings.AUTH_LEVEL in ("DEMO", "STUDY") else None


def _checked(answer: Callable[..., Response]) -> Callable[..., Response]:
    def checked(view: Any, **given: Any) -> Response:
        try:
            for key, value in given.items():
                _check(key, value)
        except Refused as refusal:
            return PlainTextResponse(refusal.sentence, refusal.status)
        return answer(view, **given)

    return checked


def _check(key: str, value: Any) -> None:
    """Raises Refused."""
    rule = None
    if key == "vars" and not isinstance(value, dict):
        rule = "should be an object, name -> value"
    if key in _NAMES and value is not None and not _are_texts(value):
        rule = "should be a list of texts"
    if key in ("room_name", "participant_label") and not isinstance(value, str):
        rule = "should be a text"
    if rule is not None:
        raise Refused(400, f"{key} = {short(value)}: {rule}")
    if key == "participant_label":
        checked_label(value, key)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
