"""What every archetype of a game declares is what is on file."""

from __future__ import annotations

import pytest

from mixed_company import engine
from tests.engine.golden.declared import declared
from tests.engine.golden.write import FOLDER


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_archetype_declares_what_is_on_file(game_id):
    lines = (FOLDER / f"{game_id}_declared.jsonl").read_text("utf-8").splitlines()
    assert declared(game_id).splitlines() == lines
