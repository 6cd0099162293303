"""How people come: with which parameters of the link, and what becomes of who finds no place.

A panel (Prolific, CloudResearch ...) adds parameters to a session's link. Those that the session
names (`panel_parameters`) are kept with the participant, once: those of the first link. The first
of them says who somebody is: it is taken for the label (`server.open.returning` says who comes back
by it).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from otree.models import Participant
from starlette.requests import Request

from mixed_company.server.gate.labels import checked_label
from mixed_company.server.keeping import storage
from mixed_company.server.treatments import setup_of
from mixed_company.table.options import Options
from mixed_company.table.setup import setup_from

__all__ = [
    "carried",
    "filled",
    "keep",
    "known_of",
    "link_for",
    "options_of",
    "panel_id",
    "parameters_of",
    "with_label",
]

LABEL = "participant_label"


def options_of(session: Any) -> Options | None:
    """The options of the first game of ours in a session; None: there is none."""
    for app in storage.apps():
        subsession = app.Subsession.objects_first(session=session)
        if subsession is not None and subsession.setup:
            return setup_from(subsession.setup).options
    return None


def parameters_of(player: Any) -> dict[str, str]:
    """What was kept of the link with which somebody came."""
    kept: dict[str, str] = json.loads(player.parameters)
    return kept


def panel_id(player: Any) -> str:
    """What a panel calls a person: the first parameter that the session keeps; empty: none."""
    names = setup_of(player).options.panel
    return parameters_of(player).get(names[0], "") if names else ""


def with_label(request: Request, options: Options | None) -> Request:
    """The same request, in which who has a name of a panel and no label has the name as label.

    Raises Refused for a name that can be no label.
    """
    query = dict(request.query_params)
    name = query.get(options.panel[0], "") if options is not None and options.panel else ""
    if not name or query.get(LABEL):
        return request
    text = urlencode({**query, LABEL: checked_label(name, options.panel[0])})  # type: ignore[union-attr]
    return Request({**request.scope, "query_string": text.encode()}, request.receive)


def carried(location: str, request: Request, options: Options | None) -> str:
    """Where somebody is sent on, with the parameters that the session keeps."""
    kept = _kept(request.query_params, options)
    return f"{location}?{urlencode(kept)}" if kept else location


def keep(code: str, query: Mapping[str, str]) -> None:
    """Keep the parameters of the link that a participant came by, if it is the first."""
    person = Participant.objects_first(code=code)
    if person is None:
        return
    for app in storage.apps():
        player = app.Player.objects_first(participant_id=person.id)
        if player is not None and player.parameters == "{}":
            options = setup_of(player).options
            player.parameters = json.dumps(_kept(query, options))


def _kept(query: Mapping[str, str], options: Options | None) -> dict[str, str]:
    names = options.panel if options is not None else ()
    return {name: checked_label(query[name], name) for name in names if query.get(name)}


def link_for(player: Any, links: Mapping[str, str]) -> str:
    """Where a person is sent at the end: `{PROLIFIC_PID}` and its like, `{label}` and `{code}` in
    the link are filled in. Empty: nowhere."""
    link, person = links.get(player.status, ""), player.participant
    known = {**parameters_of(player), "label": person.label or "", "code": person.code}
    return filled(link, known)


def filled(link: str, known: Mapping[str, str]) -> str:
    """The link with what stands in braces filled in."""
    for name, value in known.items():
        link = link.replace(f"{{{name}}}", quote(value, safe=""))
    return link


def known_of(request: Request, options: Options | None) -> dict[str, str]:
    """What a link for all tells of who came by it. Raises Refused for what can be no parameter."""
    label = request.query_params.get(LABEL, "")
    return {**_kept(request.query_params, options), "label": label, "code": ""}
