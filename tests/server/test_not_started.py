"""A server that must not start prints one sentence and exits before it starts anything."""

from __future__ import annotations

import pytest

from mixed_company.server.process import environment
from mixed_company.server.rehearse.server import lay_out
from tests.server.fresh import python


@pytest.mark.long
@pytest.mark.parametrize("changes", [{"OTREE_AUTH_LEVEL": "STUDY"}, {"MIXED_LIMITS": "a=1"}])
def test_the_server_exits_before_it_starts_anything(changes, tmp_path):
    lay_out(tmp_path / "project")
    variables = {**environment(), **changes}
    variables.pop("OTREE_SECRET_KEY", None)
    code = "import sys; from otree.main import execute_from_command_line as run; sys.exit(run())"
    arguments = ("-c", code, "prodserver", "127.0.0.1:1")
    done = python(*arguments, folder=tmp_path / "project", variables=variables)
    output = done.stderr.decode()
    assert done.returncode == 2, output
    sentence = output.strip().splitlines()[-1]
    assert sentence.startswith(("SECRET_KEY is the published default:", "MIXED_LIMITS: a: no such"))
    assert "Traceback" not in output
    assert b"timeoutworker" not in done.stdout
