"""People who are policies go through a whole server of this process, page by page and by socket."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from server.rehearse import whole
from tests.server.threaded import Server, threaded


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with threaded(tmp_path_factory.mktemp("threaded")) as server:
        yield server


@pytest.fixture
def here(running: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rehearsals are on this server."""
    monkeypatch.setattr(whole, "Server", lambda *_, **__: nullcontext(running))


def table(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    [path] = [each for each in archive.namelist() if each.endswith(f"/{name}.csv")]
    return list(csv.DictReader(io.StringIO(archive.read(path).decode(), newline="")))


def rehearsed(name: str, people: str, **changes: Any) -> tuple[zipfile.ZipFile, list[str]]:
    chosen = whole.plan(name, 1, people, 5, "instant", {"bot_delay": "instant", **changes})
    content, faults = whole.rehearsed(chosen)
    return zipfile.ZipFile(io.BytesIO(content)), faults


ALL_PAGES = {"consent": "May we?", "practice_periods": 2, "comments": True, "ready": True}


def test_two_people_go_through_all_pages_and_decide_every_period_themselves(here: None) -> None:
    archive, faults = rehearsed(
        "commons_two_people", "half_capacity,greedy", periods=3, **ALL_PAGES
    )
    assert faults == []
    people = table(archive, "outcomes")
    assert [row["status"] for row in people] == ["finished", "finished"]
    assert [row["practised_periods"] for row in people] == ["2", "2"]
    assert [row["consented"] for row in people] == ["yes", "yes"]
    assert all(int(row["quiz_attempts"]) > 1 for row in people)
    assert len({row["participant"] for row in people}) == 2
    own = [row for row in table(archive, "decisions") if row["occupant"] == "person"]
    assert [row["decided_by"] for row in own] == ["person"] * 6
    assert {row["period"] for row in own} == {"0", "1", "2"}
    assert all(int(row["received_ms"]) >= int(row["shown_ms"]) for row in own)
