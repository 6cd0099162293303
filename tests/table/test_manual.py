"""Explanations of session config keys on the page that creates a session."""

from __future__ import annotations

import pytest

import settings
from mixed_company import engine
from mixed_company.experiment.checking import PLAN
from mixed_company.table.manual import Key, groups
from mixed_company.table.options import Options


@pytest.mark.parametrize("config", settings.SESSION_CONFIGS, ids=lambda config: config["name"])
def test_every_key_of_a_config_is_in_one_group(config) -> None:
    listed = [key.name for group in groups(config["app_sequence"][0]) for key in group.keys]
    assert len(listed) == len(set(listed))
    otree = {"name", "app_sequence", "num_demo_participants", "display_name", "doc"}
    otree |= {"participation_fee", "real_world_currency_per_point"}
    otree |= {PLAN}  # it depends on a file
    assert set(config) - otree == set(listed)


def test_a_key_is_described_as_the_game_declares_it() -> None:
    keys = {key.name: key for group in groups("commons_game") for key in group.keys}
    meaning = "largest stock the resource can reach"
    assert keys["capacity"] == Key("capacity", meaning, "fish", "more than 0")  # and at most 1e9
    assert keys["pool_decay"].rule == "at least 0, at most 1"
    growth = keys["growth"]
    assert (growth.unit, growth.rule, growth.choices) == (
        "",
        "",
        ("logistic", "linear", "exponential"),
    )
    assert keys["neighbours"].rule.count("`") == 0
    assert keys["archetype"].choices == tuple(engine.find("commons_game").archetypes)


def test_groups_are_in_the_order_of_a_session_and_talk_is_the_last() -> None:
    listed = groups("commons_game")
    assert [group.title for group in listed] == [
        *("The game", "The fish", "Harvests and points", "The pool", "What players see"),
        *("People and bots", "Time", "The lobby and dropouts", "Before the play"),
        *("Attention and comments", "Pay and links"),
        *(group.title for group in listed[11:-2]),
        *("Peer points", "Talk"),
    ]
    names = [key.name for key in listed[0].keys]
    assert names == ["archetype", "seats", "periods", "seed", "layers", "agents"]
    keys = {key.name: key for group in listed for key in group.keys}
    assert keys["seed"].choices == ()
    assert keys["pace"].choices == ("answers", "clock")
    assert keys["decision_seconds"].unit == "s"


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_game_has_the_same_keys_first(game_id: str) -> None:
    first = [key.name for group in groups(game_id) for key in group.keys if key.first]
    length = "turns" if game_id == "punishment_vote" else "periods"
    assert first == [
        *("archetype", "seats", length, "people_per_group", "bots", "decision_seconds"),
        *("language", "consent"),
    ]


def test_every_option_has_its_group() -> None:
    listed = groups("sanctions")
    assert (listed[0].title, listed[5].title) == ("The game", "People and bots")
    assert "Other" not in [group.title for group in listed]
    options = [group for group in listed[5:] if group.title != "Peer points"]
    assert sum(len(group.keys) for group in options) == len(Options.model_fields)
