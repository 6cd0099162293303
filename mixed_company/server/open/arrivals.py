"""Arrivals: the parameters of a participant's link, and the links that people are sent to at the
end.

A panel (Prolific, CloudResearch ...) adds parameters to a session's link. The parameters listed in
`panel_parameters` are stored with the participant, but only from the first link. The first of them
identifies the person and serves as the label (see `server.open.returning`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request

from mixed_company.server.gate.reading import checked_label
from mixed_company.server.keeping import storage
from mixed_company.server.treatments import setup_of
from mixed_company.table.options import Options
from mixed_company.table.setup import setup_from

LABEL = "participant_label"

PLAIN = "plain"
"""Link parameter that requests pages without scripts (`server.pages.scriptless`)."""


def options_of(session: Any) -> Options | None:
    """Return the options of the first game in a session that belongs to this project, or None."""
    for app in storage.apps_of(session):
        subsession = app.Subsession.objects_first(session=session)
        if subsession is not None and subsession.setup:
            return setup_from(subsession.setup).options
    return None


def parameters_of(player: Any) -> dict[str, str]:
    """Return the stored parameters of the link that the person followed."""
    kept: dict[str, str] = json.loads(player.parameters)
    return kept


def panel_id(player: Any) -> str:
    """Return a person's panel ID: the first stored parameter, or an empty string."""
    names = setup_of(player).options.panel
    return parameters_of(player).get(names[0], "") if names else ""


def with_label(request: Request, options: Options | None) -> Request:
    """Return the request with the panel's ID as its label, unless it already has a label.

    Raises Refused for an ID that is not a valid label.
    """
    query = dict(request.query_params)
    name = query.get(options.panel[0], "") if options is not None and options.panel else ""
    if not name or query.get(LABEL):
        return request
    text = urlencode({**query, LABEL: checked_label(name, options.panel[0])})  # type: ignore[union-attr]
    return Request({**request.scope, "query_string": text.encode()}, request.receive)


def keep(person: Any, query: Mapping[str, str]) -> None:
    """Store the parameters of a participant's link, if it is the person's first link."""
    for app in storage.apps_of(person.session):
        player = app.Player.objects_first(participant_id=person.id)
        if player is not None and player.parameters == "{}":
            options = setup_of(player).options
            player.parameters = json.dumps(_kept(query, options))


def _kept(query: Mapping[str, str], options: Options | None) -> dict[str, str]:
    names = [] if options is None else [*options.panel, *([PLAIN] if options.scriptless else [])]
    return {name: checked_label(query[name], name) for name in names if query.get(name)}


def link_for(player: Any, links: Mapping[str, str]) -> str:
    """Return the link that a person is sent to at the end, or an empty string.

    Placeholders such as `{PROLIFIC_PID}`, `{label}` and `{code}` are filled in.
    """
    link, person = links.get(player.status, ""), player.participant
    values = {**parameters_of(player), "label": person.label or "", "code": person.code}
    return filled(link, values)


def filled(link: str, values: Mapping[str, str]) -> str:
    """Return the link after filling in its `{placeholders}`."""
    for name, value in values.items():
        link = link.replace(f"{{{name}}}", quote(value, safe=""))
    return link


def known_of(request: Request, options: Options | None) -> dict[str, str]:
    """Return a link's parameters and label, for `link_for`. Raises Refused if they are invalid."""
    label = request.query_params.get(LABEL, "")
    return {**_kept(request.query_params, options), "label": label, "code": ""}
