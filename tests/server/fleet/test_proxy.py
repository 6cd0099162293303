"""The reverse proxy: how it is found and how its file is checked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.fleet import proxy
from mixed_company.server.fleet.entrance import Entrance
from mixed_company.server.fleet.proxy import PROXIES, find_proxy

ENTRANCE = Entrance("127.0.0.1", 8000, [8001, 8002])


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Return a folder that is the only place to search for programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(proxy, "_MORE_FOLDERS", ())
    return tmp_path


def put(folder: Path, name: str, says: str, code: int) -> None:
    program = folder / name
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.stderr.write({says!r})\nexit({code})\n"
    )
    program.chmod(0o755)


def test_caddy_comes_first_unless_another_proxy_is_named(programs):
    put(programs, "nginx", "", 0)
    assert find_proxy(None).name == "nginx"
    put(programs, "caddy", "", 0)
    assert find_proxy(None).name == "caddy"
    assert find_proxy("nginx").name == "nginx"


def test_a_machine_without_a_proxy_gets_advice(programs):
    with pytest.raises(
        ConfigError, match="neither Caddy nor nginx is installed: apt-get install c"
    ):
        find_proxy(None)
    with pytest.raises(
        ConfigError, match=r"--proxy = nginx: not installed: apt-get install nginx \(Debian"
    ):
        find_proxy("nginx").prepare(ENTRANCE, programs)


@pytest.mark.parametrize("name", list(PROXIES))
def test_the_file_is_written_checked_and_run_in_the_folder(programs, name):
    put(programs, name, "", 0)
    program = PROXIES[name].prepare(ENTRANCE, programs)
    file = programs / PROXIES[name].file
    assert file.read_text() == PROXIES[name].write(ENTRANCE)
    assert program.command[0] == str(programs / name)
    assert str(file) in program.command
    assert set(program.variables.values()) == {str(programs)}


def test_a_rejected_file_is_reported_with_the_message_of_the_proxy(programs):
    put(programs, "nginx", "[emerg] no\n such port\n", 1)
    with pytest.raises(ConfigError, match=r"^nginx rejects .*nginx\.conf: \[emerg\] no such port$"):
        PROXIES["nginx"].prepare(ENTRANCE, programs)


@pytest.mark.parametrize("name", list(PROXIES))
def test_a_real_proxy_accepts_its_file(tmp_path, name):
    if PROXIES[name].path() is None:
        pytest.skip(f"there is no {name}: apt-get install {name}")
    program = PROXIES[name].prepare(ENTRANCE, tmp_path)
    assert program.command[0] == PROXIES[name].path()
