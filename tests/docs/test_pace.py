"""Tests of docs/pace.md: it covers the shipped session, and its measurements are right."""

from __future__ import annotations

import pytest

from docs import pace
from docs.dating import undated
from docs.stakes import earning
from settings import SESSION_CONFIGS
from tests.project import ROOT

CONFIG = next(config for config in SESSION_CONFIGS if config["name"] == pace.SESSION)


def stake(**changes: object) -> earning.Stake:
    return earning.stake_of({**CONFIG, **changes})


def test_the_document_is_about_the_session_that_ships():
    text, facts = (ROOT / "docs/pace.md").read_text(), pace.facts(stake())
    assert undated(text).startswith(pace.INTRODUCTION.format(**facts))
    assert text.endswith(pace.ENDING.format(**facts))
    for policy in pace.WALKERS:
        assert f"\n| `{policy}` |" in text


def test_a_turn_is_long_enough_to_decide():
    assert stake().setup.options.decision_seconds > pace.PREPARING + pace.PRESSING


def test_acting_in_every_turn_earns_the_amount_in_the_table_of_stakes(monkeypatch):
    for module in (earning, pace):
        monkeypatch.setattr(module, "PLAYS", 2)
    short_stake = stake(turns=20)
    every = pace.walk(short_stake, "forager", 1)
    assert every.points == pytest.approx(earning.beside(short_stake, "forager").mean)
    assert 0 < every.changes < 1


def test_acting_once_collects_at_most_once(monkeypatch):
    """Play with a single kind of resource, which harms nobody, so nobody votes."""
    monkeypatch.setattr(pace, "PLAYS", 4)
    short_stake = stake(turns=20, resources='{"A": {"value": 3}}', taboo="[]", spawn_weights="")
    once = pace.walk(short_stake, "forager", 20).points
    assert 0 <= once <= 3
    assert pace.walk(short_stake, "forager", 2).points > once
