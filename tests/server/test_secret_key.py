"""A server that others reach has a key that nobody knows, or does not start."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.contract.errors import ConfigError
from server.process import environment
from server.rehearse.server import lay_out
from server.secret_key import PUBLISHED, check
from tests.server.fresh import python


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "localhost"])
def test_on_ones_own_machine_the_published_key_will_do(address: str) -> None:
    check(PUBLISHED, None, address)
    check(PUBLISHED, "", address)


@pytest.mark.parametrize(
    ("level", "address", "words"),
    [
        ("STUDY", "127.0.0.1", "OTREE_AUTH_LEVEL = STUDY needs one that nobody knows"),
        ("DEMO", "127.0.0.1", "OTREE_AUTH_LEVEL = DEMO needs one"),
        (None, "0.0.0.0", "a server at 0.0.0.0 needs one that nobody knows"),
        (None, "lab.example", "a server at lab.example needs one"),
    ],
)
def test_elsewhere_it_is_refused(level: str | None, address: str, words: str) -> None:
    for key in (PUBLISHED, ""):
        with pytest.raises(ConfigError) as error:
            check(key, level, address)
        assert words in str(error.value)
        assert "Set the variable OTREE_SECRET_KEY" in str(error.value)
    check("nobody knows this", level, address)


@pytest.mark.parametrize("changes", [{"OTREE_AUTH_LEVEL": "STUDY"}, {"MIXED_LIMITS": "a=1"}])
def test_the_server_ends_before_it_starts_anything(changes: dict[str, str], tmp_path: Path) -> None:
    lay_out(tmp_path / "project")
    variables = {**environment(), **changes}
    variables.pop("OTREE_SECRET_KEY", None)
    code = "import sys; from otree.main import execute_from_command_line as run; sys.exit(run())"
    arguments = ("-c", code, "prodserver", "127.0.0.1:1")
    done = python(*arguments, folder=tmp_path / "project", variables=variables)
    said = done.stderr.decode()
    assert done.returncode == 2, said
    sentence = said.strip().splitlines()[-1]
    assert sentence.startswith(("SECRET_KEY is the published one:", "MIXED_LIMITS: a: no such"))
    assert "Traceback" not in said
    assert b"timeoutworker" not in done.stdout
