"""Export files from a running server: one at a time, with clear errors."""

from __future__ import annotations

import asyncio
import io
import re
import sys
import tempfile
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.datastructures import QueryParams

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.archive import check_database, download


def done(work: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of a coroutine that runs in a thread, because a browser's loop may run in
    this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


POPEN = download.subprocess.Popen


class Asking:
    """A request with the parts that an export reads."""

    def __init__(self, codes: Sequence[str] = (), gone: bool = False, **query: str) -> None:
        pairs = [("session_code", code) for code in codes]
        self.query_params = QueryParams([*pairs, *query.items()])
        self.gone = gone

    async def is_disconnected(self) -> bool:
        return self.gone


def test_a_second_export_is_told_to_try_again_while_the_first_is_made():
    async def ask() -> Any:
        async with download._one_at_a_time:
            return await download._answer(Asking(), "0")

    answer = done(ask())
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.body == b"another export is running: try again in a moment\n"
    assert not download._one_at_a_time.locked()


def running(monkeypatch: pytest.MonkeyPatch, code: str) -> list[Any]:
    """Replace the export command with this code, and return the processes that are started."""
    started = []

    def start(_command: Any, **streams: Any) -> Any:
        started.append(POPEN([sys.executable, "-c", code], **streams))
        return started[-1]

    monkeypatch.setattr(download.subprocess, "Popen", start)
    monkeypatch.setattr(download.database, "IN_MEMORY", False)
    return started


def test_a_client_that_leaves_leaves_no_process_and_the_next_one_is_served(monkeypatch):
    started = running(monkeypatch, "import time; time.sleep(1000)")
    answer = done(download._answer(Asking(gone=True), "0"))
    assert answer.status_code == 499
    assert [process.returncode for process in started] == [-9]
    assert not download._one_at_a_time.locked()


def test_a_server_that_stops_ends_its_export(monkeypatch):
    started = running(monkeypatch, "import time; time.sleep(1000)")

    async def stopped() -> None:
        answering = asyncio.create_task(download._answer(Asking(), "0"))
        while not started:
            await asyncio.sleep(0)
        answering.cancel()
        await answering

    with pytest.raises(asyncio.CancelledError):
        done(stopped())
    assert [process.returncode for process in started] == [-9]


def test_a_refusal_of_the_command_is_shown_and_a_failure_is_in_the_log(monkeypatch, caplog):
    running(monkeypatch, "import sys; print('a warning\\nthe sentence', file=sys.stderr); exit(2)")
    answer = done(download._answer(Asking(), "0"))
    assert (answer.status_code, answer.body) == (404, b"the sentence\n")
    running(monkeypatch, "raise MemoryError")
    answer = done(download._answer(Asking(), "0"))
    assert answer.status_code == 500
    assert b"see the server's log" in answer.body
    assert "MemoryError" in caplog.text


def test_a_code_is_never_taken_for_an_option_and_options_are_those_requested(monkeypatch):
    seen = []

    def start(command: list[str], **streams: Any) -> Any:
        seen.append(command[6:])
        return SimpleNamespace(poll=lambda: 2, returncode=2)

    monkeypatch.setattr(download.subprocess, "Popen", start)
    monkeypatch.setattr(download.database, "IN_MEMORY", False)
    done(download._answer(Asking(["--output", "a\0b", ""]), "0"))
    done(download._answer(Asking([], anonymous="1", texts="1"), "0"))
    assert seen == [["--session=--output", "--session=a?b"], ["--anonymous", "--texts"]]


def test_a_file_that_was_sent_is_closed():
    file = tempfile.TemporaryFile()  # noqa: SIM115
    file.write(b"x" * 100_000)
    answer = download._sent(file, download._Wanted(["abc"], anonymous=False, texts=False))
    parts: list[bytes] = []

    async def read() -> None:
        parts.extend([part async for part in answer.body_iterator])

    done(read())
    assert b"".join(parts) == b"x" * 100_000
    assert file.closed
    assert answer.headers["content-length"] == "100000"
    named = r'attachment; filename="mixed-company-\d{4}-\d\d-\d\d-abc\.zip"'
    assert re.fullmatch(named, answer.headers["content-disposition"])


def test_an_impossible_request_is_refused():
    answer = done(download._answer(Asking(texts="2"), "0"))
    assert (answer.status_code, answer.body) == (400, b"texts = '2': should be 1 or 0\n")


# -- requests ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "content", "refusal"),
    [
        (None, None, "there is no database: DATABASE_URL names no server"),
        ("sqlite:///elsewhere", b"", "there is no database: "),
        (None, b"SQLite format 4\0 and more", "db.sqlite3: not an SQLite database"),
        (None, b"SQLite", "not an SQLite database"),
        (None, b"SQLite format 3\0 and more", None),
        ("postgres://db.lab/mixed", None, None),
    ],
)
def test_a_folder_without_a_database_is_named(url, content, refusal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    if url is not None:
        monkeypatch.setenv("DATABASE_URL", url)
    if content is not None:
        Path("db.sqlite3").write_bytes(content)
    if refusal is None:
        check_database()
        return
    with pytest.raises(ConfigError, match=refusal):
        check_database()


@pytest.mark.parametrize(
    ("codes", "query", "default", "wanted"),
    [
        ([], {}, "0", ((), False, False)),
        ([], {}, "1", ((), True, False)),
        (["abc", ""], {"anonymous": "0"}, "1", (("abc",), False, False)),
        (["abc", "def"], {"anonymous": "1", "texts": "1"}, "0", (("abc", "def"), True, True)),
        ([], {"anonymous": "yes"}, "0", "anonymous = 'yes': should be 1 or 0"),
        ([], {"texts": ""}, "1", "texts = '': should be 1 or 0"),
        (
            [],
            {"texts": "1"},
            "0",
            "texts = 1: requires anonymous = 1; other exports include the texts anyway",
        ),
        ([], {"texts": "1"}, "1", ((), True, True)),
    ],
)
def test_an_address_requests_sessions_and_ways(codes, query, default, wanted):
    result: Any = download._wanted(Asking(codes, **query), default)
    if isinstance(wanted, str):
        assert result == wanted
    else:
        assert (tuple(result.sessions), result.anonymous, result.texts) == wanted


@pytest.mark.parametrize(
    ("sessions", "anonymous", "name"),
    [
        ([], False, "mixed-company-2026-03-04"),
        (["abc"], False, "mixed-company-2026-03-04-abc"),
        (["abc"], True, "mixed-company-2026-03-04-abc-anonymous"),
        (["abc", "def"], True, "mixed-company-2026-03-04-anonymous"),
    ],
)
def test_a_file_is_named_by_its_day_its_session_and_its_way(sessions, anonymous, name, monkeypatch):
    class Now(datetime):
        @classmethod
        def now(cls, zone: Any = None) -> Any:
            assert zone is UTC
            return datetime(2026, 3, 4, 23, tzinfo=UTC)

    monkeypatch.setattr(download, "datetime", Now)
    monkeypatch.setattr(download, "PART", 4)
    file = io.BytesIO(b"0123456789")
    file.seek(7)
    answer = download._sent(file, download._Wanted(sessions, anonymous, False))
    assert answer.headers["content-length"] == "10"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}.zip"'
    assert answer.media_type == "application/zip"

    async def parts() -> list[bytes]:
        return [part async for part in download._parts(file)]

    assert done(parts()) == [b"0123", b"4567", b"89"]
    assert file.closed
