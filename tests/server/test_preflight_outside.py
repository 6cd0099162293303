"""Checks before a session: outside agents, and a database on another server."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.outside.keys import VARIABLE, is_key, keys, read
from mixed_company.server.preflight import Finding, go, look, site, stop
from mixed_company.server.preflight.site import agents_in, of_agents
from mixed_company.table.options import Options
from tests.experiment.planned import config, plan

KEY = "a key of sixteen or more"
KNOWN = {VARIABLE: f"gpt={KEY}, tired={KEY}"}
THREE = "outside:gpt,outside:tired,outside:nokey"

# -- agents ----------------------------------------------------------------------------------


def told(bots: str, variables: Mapping[str, str], *connected: Any, **more: Any) -> list[Finding]:
    session_config = {
        "app_sequence": ["intro", "commons_game"],
        "archetype": "lab",
        "bots": bots,
        **more,
    }
    return list(of_agents(session_config, variables, *connected))


NO_KEY = stop("Agent nokey has no key, so it cannot connect (MIXED_AGENTS).")


def test_a_command_reports_the_keys_of_agents_and_refers_to_the_board_for_connections():
    here = "has a key; the board says whether it is connected."
    assert told(THREE, KNOWN) == [look(f"Agent gpt {here}"), NO_KEY, look(f"Agent tired {here}")]


def test_the_server_reports_connected_agents():
    assert told(THREE, KNOWN, {"gpt": 1, "other": 5}) == [
        go("Agent gpt is connected."),
        NO_KEY,
        stop("Agent tired is not connected: start it before people arrive."),
    ]


def test_without_seats_for_agents_nothing_is_reported():
    assert told("sustainable", {VARIABLE: "wrong"}) == []
    assert told("outside:gpt", KNOWN, archetype="unknown") == []  # rejected elsewhere
    assert told("outside:gpt", KNOWN, app_sequence=["intro"]) == []


def test_agents_of_another_game_are_reported_beside_one_that_cannot_be_created():
    """Choose an archetype that exists only in gems."""
    both = {"app_sequence": ["commons_game", "gem_mining"], "archetype": "open_book"}
    assert told("outside:gpt", KNOWN, {"gpt": 1}, **both) == [go("Agent gpt is connected.")]


def test_unreadable_keys_are_reported_once():
    [finding] = told(THREE, {VARIABLE: "gpt=short"})
    assert finding == stop(
        f"{VARIABLE}: the key of 'gpt' has 5 characters; at least 16 are required."
    )


def test_agents_of_every_treatment_are_reported_by_name_once():
    pool = 'changes = { governance = "per_step", bots = "outside:tired" }'
    session_config = config(plan(**{'changes = { governance = "per_step" }': pool}))
    findings = list(
        of_agents({**session_config, "dropout_bot": "outside:gpt"}, KNOWN, {"tired": 2})
    )
    assert findings == [
        stop("Agent gpt is not connected: start it before people arrive."),
        go("Agent tired is connected."),
    ]


def test_agents_have_seats_from_the_start_or_take_over_from_people():
    options = Options(bots="random,outside:b,outside:b", dropout_bot="outside:a")
    assert agents_in(options) == ["a", "b"]


def test_a_key_belongs_only_to_its_name():
    keys = {"gpt": KEY, "llama": f"{KEY}!"}
    assert is_key(keys, "gpt", KEY)
    assert not is_key(keys, "llama", KEY)
    assert not is_key(keys, "nobody", KEY)
    assert not is_key(keys, "nobody", "")
    assert not is_key(keys, "gpt", "\ud800")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f"gpt={KEY},llama={KEY}!", {"gpt": KEY, "llama": f"{KEY}!"}),
        (f" gpt = {KEY} \n\n  # ours = none\nllama={KEY}!,", {"gpt": KEY, "llama": f"{KEY}!"}),
        (f"gpt={KEY}=", {"gpt": f"{KEY}="}),
        (f"gpt={'k' * 16}", {"gpt": "k" * 16}),
        ("", {}),
    ],
)
def test_keys_are_separated_by_lines_and_commas(text, read):
    assert keys({VARIABLE: text}) == read


def test_a_file_of_keys_is_read_and_an_invalid_one_refused_without_its_key(tmp_path):
    path = tmp_path / "agents.txt"
    path.write_text(f"# ours\ngpt={KEY}\nllama={KEY}!\n", encoding="utf-8")
    assert read(str(path)) == {"gpt": KEY, "llama": f"{KEY}!"}
    for wrong, reason in (
        ("gpt=short", "the key of 'gpt' has 5 characters; at least 16 are required"),
        (f"gpt={'k' * 15}", "has 15 characters; at least 16 are required"),
        (f"gpt={KEY},gpt={KEY}", "'gpt' has two keys"),
        (f"gpt={KEY},{KEY}", "every entry should be name=key"),
        (f"={KEY}", "every entry should be name=key"),
        ("/nowhere", "the file '/nowhere' cannot be read"),
    ):
        with pytest.raises(ConfigError, match=reason) as refusal:
            read(wrong)
        assert KEY not in str(refusal.value)


# -- PostgreSQL ------------------------------------------------------------------------------


class Database:
    """Database that answers with its version and its time."""

    def __init__(self, ahead_seconds: float | None, refusal: Exception | None = None) -> None:
        self.ahead, self.refusal, self.statements = ahead_seconds, refusal, list[str]()

    def create(self, address: Any) -> Any:
        self.statements.append(str(address))
        return SimpleNamespace(connect=self.connected)

    @contextmanager
    def connected(self) -> Iterator[Any]:
        if self.refusal is not None:
            raise self.refusal
        yield self

    def execute(self, query: Any) -> Any:
        self.statements.append(str(query))
        now = None if self.ahead is None else time.time() + self.ahead
        answer = "15.4" if "server_version" in str(query) else now
        return SimpleNamespace(scalar=lambda: answer)


@pytest.mark.parametrize(
    ("ahead", "clocks"),
    [
        (0.0, go("The clocks of this machine and of the database agree.")),
        (-60.3, "The clocks of this machine and of the database are 60 s apart"),
        (None, "The clocks of this machine and of the database are "),
    ],
)
def test_postgresql_is_asked_for_its_version_and_its_clock(ahead, clocks, monkeypatch):
    database = Database(ahead)
    monkeypatch.setattr(site, "create_engine", database.create)
    version, agreed = site.of_database("postgres://me:hidden@db.lab/postgres://x")
    assert version == go("The data is stored in PostgreSQL 15.4.")
    assert agreed == clocks or agreed.sentence.startswith(str(clocks))
    assert database.statements == [
        "postgresql://me:hidden@db.lab/postgres://x",
        "SHOW server_version",
        "SELECT extract(epoch from now())",
    ]


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("SELECT", {}, Exception("no such host\nsecond line")),
        ImportError("no such"),
    ],
)
def test_an_unreachable_postgresql_stops_with_one_line(error, monkeypatch):
    monkeypatch.setattr(site, "create_engine", Database(0.0, error).create)
    [finding] = site.of_database("postgresql://db.lab/mixed")
    assert finding == stop(f"The database cannot be reached: {str(error).splitlines()[0]}")
    [none] = site.of_database("postgres//db.lab")
    assert none == stop("DATABASE_URL is not the address of a database.")


@pytest.mark.parametrize("url", [None, "", "sqlite:///db.sqlite3"])
def test_without_a_database_server_the_data_go_into_a_file(url):
    file, room = site.of_database(url)
    assert file.verdict is look("").verdict
    assert file.sentence.startswith("The data is stored in db.sqlite3 in this folder (SQLite)")
    assert "The disk has " in room.sentence
