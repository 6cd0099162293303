"""Servers for the tests of this folder: one on SQLite, one on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crowd.places import database
from tests.door.harness import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with its database on disk (SQLite)."""
    with Server(tmp_path_factory.mktemp("sqlite") / "project") as running:
        yield running


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server and a real PostgreSQL."""
    folder = tmp_path_factory.mktemp("postgres") / "project"
    with database("postgresql") as url, Server(folder, database_url=url) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def any_server(request: pytest.FixtureRequest) -> Server:
    """Run the test on each of the two databases."""
    name = {"sqlite": "server", "postgres": "postgres_server"}[request.param]
    chosen: Server = request.getfixturevalue(name)
    return chosen
