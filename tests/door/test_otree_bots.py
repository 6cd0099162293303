"""Tests of `otree test`: oTree's own bots play every session config to its end."""

from __future__ import annotations

import pytest

from settings import SESSION_CONFIGS
from tests.door.otree_bots import played_by_otree

pytestmark = [pytest.mark.door, pytest.mark.long]

SHORT = '''
for config in SESSION_CONFIGS:
    for length in ("periods", "turns"):
        if length in config:
            config[length] = min(config[length], 12)
    if config["name"] == "commons_two_people":
        config["questions"] = """[
            {"name": "b", "text": "?", "when": "before", "type": "number"},
            {"name": "s", "text": "?", "every": 3, "type": "number", "about": "stock"},
            {"name": "a", "text": "?", "when": "after", "type": "choice", "options": ["a", "b"]},
            "questions/questionnaire.toml"]"""
'''
"""Plays long enough for delays and for every layer. One config has questions."""


def test_every_session_config_is_played_to_its_end(tmp_path):
    printed = played_by_otree(tmp_path / "project", SHORT)
    for config in SESSION_CONFIGS:
        assert f"Creating '{config['name']}' session" in printed
    assert printed.count("Bots completed session") == len(SESSION_CONFIGS)
