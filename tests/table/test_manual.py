"""What oTree's page for creating a session says of the keys."""

from __future__ import annotations

import pytest

import engine
import settings
from table.manual import manual
from table.options import Options


@pytest.mark.parametrize("config", settings.SESSION_CONFIGS, ids=lambda config: config["name"])
def test_every_key_of_a_config_is_explained_where_a_session_is_created(config) -> None:
    game = engine.find(config["app_sequence"][0])
    for key in {**game.Core.model_fields, **Options.model_fields}:
        assert f"<b>{key}</b>" in config["doc"]


def test_a_key_is_told_with_meaning_unit_and_rule_as_the_game_declares_them() -> None:
    said = manual(engine.find("commons_game").Core)
    row = "<td><b>capacity</b></td><td>largest stock the resource can reach</td><td>fish</td>"
    assert f"<tr>{row}<td>more than 0, at most 1e+09</td></tr>" in said
    assert "\n" not in said
