"""The routing table sends each of oTree's addresses to the server that owns its session."""

from __future__ import annotations

import pytest

from mixed_company.server.fleet.entrance import routes, server_of
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture

CODE = "k3v9x2mb"  # b: the second of two servers


@pytest.mark.parametrize(
    "address",
    [
        f"/p/{CODE}/commons_game/Play/4",
        f"/live?session_code={CODE}&page_index=4&participant_code=aaaaaaab&page_name=Play",
        f"/live?page_name=Play&participant_code={CODE}",
        f"/SessionMonitor/{CODE}",
        f"/session_monitor/{CODE}",
        f"/session_data/{CODE}?x=1",
        f"/api/sessions/{CODE}",
        f"/api/participant_vars/{CODE}",
        f"/api/export_app_custom?app=commons_game&session_code={CODE}",
        "/live_state?server=2",
    ],
)
def test_addresses_that_name_a_session_or_a_participant_go_to_the_owner(address):
    assert server_of(address, 2) == 1
    assert server_of(address.replace(CODE, "k3v9x2ma").replace("=2", "=1"), 2) == 0


@pytest.mark.parametrize(
    "address",
    [
        f"/InitializeParticipant/{CODE}",  # one server assigns places
        "/join/babecidu",
        "/room/labbbbbb?participant_label=b",  # as long as a code
        "/room_with_session/labbbbbb",
        "/CloseRoom/labbbbbb",
        "/demo/commonsb",
        "/static/otree12b/x.js",
        "/api/sessions",  # eight letters, but not a code
        "/sessions",
        "/create_session",
        "/login",
        "/",
        "/wait_for_session_in_room?room_name=lab&tab_unique_id=babecidb",
        f"/p/{CODE}x/commons_game/Play/4",  # longer than a code
        "/p/K3V9X2MB/commons_game/Play/4",
        "/live_state",
        "/live_state?server=3",
        "//",
        "/p/",
        "",
    ],
)
def test_other_addresses_and_newcomers_go_to_the_first_server(address):
    assert server_of(address, 2) == 0


@pytest.mark.parametrize(
    ("letter", "server"), [("a", 0), ("b", 1), ("c", 2), ("d", 0), ("z", 1), ("0", 2), ("9", 2)]
)
def test_letters_are_dealt_to_three_servers_in_turn(letter, server):
    """Check that z, the 26th letter, belongs to the second server and 0 to the third."""
    assert server_of(f"/p/k3v9x2m{letter}/commons_game/Play/4", 3) == server


def test_a_single_server_answers_everything():
    assert {route.server for route in routes(1)} == {0}


def test_every_route_of_otree_with_a_code_goes_to_its_owner(inside):
    """Exempt only link codes and the pages for people who arrive, which do not name a session."""
    from otree import urls

    paths = [route.path for route in urls.routes]
    coded = [path for path in paths if "code}" in path and "anonymous_code" not in path]
    assert len(coded) > 20
    filled = {path: _filled(path) for path in coded}
    elsewhere = {path for path, address in filled.items() if server_of(address, 2) != 1}
    assert elsewhere == {"/InitializeParticipant/{code}"}
    others = [path for path in paths if path not in coded]
    assert all(server_of(_filled(path), 2) == 0 for path in others)


def _filled(path: str) -> str:
    for name in ("participant_code", "session_code", "code"):
        path = path.replace(f"{{{name}}}", CODE)
    return path.replace("{page_index}", "4").replace("{room_name}", "labbbbbb")
