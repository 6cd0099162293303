"""If a session cannot be created, REST responds with a sentence, not a server error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.fresh import alone_here, python
from tests.server.inside import asked, inside, posted

__all__ = ["inside"]  # a fixture

ASKED = """
import json, os, sys
from otree import database
from otree.main import setup
database.DB_FILE = os.devnull  # what was played in this folder stays out
setup()
from otree import settings
from otree.asgi import app
from starlette.testclient import TestClient
client = TestClient(app, raise_server_exceptions=False)
assert not settings.DEBUG
for body in json.loads(sys.argv[1]):
    answer = client.post("/api/sessions", json=body)
    print(json.dumps([answer.status_code, answer.text]))
print(json.dumps([200, client.get("/api/sessions").text]))
"""

REFUSED: dict[str, dict[str, Any]] = {
    "capacity": {"session_config_name": "commons", "num_participants": 4, "capacity": -5},
    "periods": {"session_config_name": "commons", "num_participants": 4, "periods": 10**9},
    "bots": {"session_config_name": "sanctions", "num_participants": 4, "bots": "nobody_knows"},
    "seed": {"session_config_name": "gems", "num_participants": 4, "seed": -1},
    # rejected before anything is created, because so many people would fill the memory
    "num_participants = 10001": {"session_config_name": "commons", "num_participants": 10_001},
    "num_participants = -4": {"session_config_name": "commons", "num_participants": -4},
    "num_participants = 'a'": {"session_config_name": "commons", "num_participants": "a"},
    "num_participants = True": {"session_config_name": "commons", "num_participants": True},
    "session_config_name": {"session_config_name": ["commons"], "num_participants": 4},
    "room_name = {'a': 1}: should be a string": {
        "session_config_name": "commons",
        "num_participants": 4,
        "room_name": {"a": 1},
    },
    "room_name = 'labb': no such room; did you mean 'lab'?": {
        "session_config_name": "commons",
        "num_participants": 4,
        "room_name": "labb",
    },
}

OF_REST = ("session_config_name", "num_participants", "room_name")


def body(fields: dict[str, Any]) -> dict[str, Any]:
    of_rest = {name: value for name, value in fields.items() if name in OF_REST}
    changes = {name: value for name, value in fields.items() if name not in OF_REST}
    return {**of_rest, "modified_session_config_fields": changes}


def check_refused(answers: list[tuple[int, str]]) -> None:
    for (name, _), (status, text) in zip(REFUSED.items(), answers, strict=True):
        assert status == 400, (name, status)
        assert name in text
        assert "Traceback" not in text
        assert len(text) < 500


def test_a_refused_session_is_answered_with_a_sentence(inside):
    """Check this also in debug mode, in which errors show the source, and check that nothing
    remains of the session."""
    from otree import settings

    assert settings.DEBUG
    answers = [posted("/api/sessions", json=body(fields)) for fields in REFUSED.values()]
    check_refused([(answer.status_code, answer.text) for answer in answers])
    assert asked("/api/sessions").json() == []


@pytest.mark.long
def test_a_refused_session_is_answered_with_a_sentence_in_production():
    bodies = json.dumps([body(fields) for fields in REFUSED.values()])
    variables = alone_here() | {"OTREE_IN_MEMORY": "1", "OTREE_PRODUCTION": "1"}
    done = python("-c", ASKED, bodies, variables=variables)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    *answers, listed = [json.loads(line) for line in done.stdout.splitlines()]
    check_refused(answers)
    assert json.loads(listed[1]) == []
