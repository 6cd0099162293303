"""Tests of blocks on a real server: two games, other apps before, between and after them,
strangers, and a single paid block. The session is exported and audited."""

from __future__ import annotations

import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.experiment import reading, treatments
from mixed_company.server.rehearse.person import Person
from settings import SESSION_CONFIGS
from tests.door.harness import ROOT, Server

pytestmark = [pytest.mark.door, pytest.mark.long]

OWN = """
from otree.api import BaseConstants, BaseGroup, BasePlayer, BaseSubsession, Page

class C(BaseConstants):
    NAME_IN_URL = "{name}"
    PLAYERS_PER_GROUP = None
    NUM_ROUNDS = 1

class Subsession(BaseSubsession):
    pass

class Group(BaseGroup):
    pass

class Player(BasePlayer):
    pass

class {page}(Page):
    pass

page_sequence = [{page}]
"""
PAGE = "{{ block content }}<p>A task of one's own.</p>{{ next_button }}{{ endblock }}"
APPS = {"risk_task": "Risk", "break_task": "Break", "survey": "Survey"}
STARTED = """
SESSION_CONFIGS.insert(0, {
    **next(own for own in SESSION_CONFIGS if own["name"] == "commons_two_people"),
    "name": "with_tasks", "app_sequence": ["risk_task", "commons_game", "survey"],
})
import sys
from pathlib import Path
from mixed_company.experiment import reading, treatments
SESSION_CONFIGS.append(treatments.session_config(
    "blocks", reading.find("blocks", Path("own")), SESSION_CONFIGS
))
"""
PLAN = """
title = "Two games"
session = "with_tasks"
groups = 4
people = "greedy"
matching = "strangers"
matching_groups = 2
roles = "redrawn"
pay_blocks = "one"
changes = { periods = 3, lobby_seconds = 600.0, bot_delay = "instant" }

[treatments.all]
meaning = "everybody"

[[blocks]]
name = "fish"
meaning = "the commons"

[[blocks]]
name = "gems"
meaning = "another game"
session = "gems"
changes = { people_per_group = 2, lobby_seconds = 600.0, bot_delay = "instant" }
people = "random"
apps_before = "break_task"

[[blocks]]
name = "fish_again"
meaning = "the commons, once more"
"""


def laid_out(folder: Path) -> Server:
    """Return a server for a project with three additional apps and a plan."""
    settings = (ROOT / "settings.py").read_text("utf-8")
    server = Server(folder, settings=settings + STARTED)
    for name, page in APPS.items():
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(OWN.format(name=name, page=page), "utf-8")
        (folder / name / f"{page}.html").write_text(PAGE, "utf-8")
    (folder / "own").mkdir()
    (folder / "own" / "blocks.toml").write_text(PLAN, "utf-8")
    return server


def courses() -> list[Any]:
    """Return each block's setup and its policies. Nobody votes."""
    start = next(dict(entry) for entry in SESSION_CONFIGS if entry["name"] == "commons_two_people")
    start |= {"name": "with_tasks", "app_sequence": ["risk_task", "commons_game", "survey"]}
    plan = reading.from_text(PLAN, "blocks.toml")
    config = treatments.session_config("blocks", plan, [start, *SESSION_CONFIGS])
    assert config["app_sequence"] == [
        *("risk_task", "commons_game", "break_task", "gem_mining_2", "commons_game_3", "survey")
    ]
    block_setups = [setups["all"] for setups in treatments.shipped_series("commons_game", config)]
    named = [plan.people_of("all", number) for number in (1, 2, 3)]
    return list(zip(block_setups, named, strict=True))


def test_blocks_of_two_games_with_other_apps_around_them(tmp_path, capsys):
    blocks = courses()
    with laid_out(tmp_path / "project") as server:
        answer = server.create("blocks", 4, seed="3")
        assert answer.status_code == 200, answer.text
        link, code = answer.json()["session_wide_url"], answer.json()["code"]
        people = [Person(link, blocks, 3, number, "instant") for number in range(4)]
        with ThreadPoolExecutor(4) as threads:
            waits = []
            for person in people:
                assert person.participant.page_name == "Risk"
                person.arrive()
                waits.append(threads.submit(person.leave_lobby))
            for wait in waits:
                wait.result()
            for play in [threads.submit(person.play, lambda _: None) for person in people]:
                play.result()
        for person in people:
            assert "was drawn for you" in person.participant.page.text
            person.participant.next()
            assert person.participant.page_name == "Survey"
            assert not person.faults
        (tmp_path / "out.zip").write_bytes(server.archive(code))
    from mixed_company.__main__ import main

    assert main(["check", str(tmp_path / "out.zip")]) == 0
    assert capsys.readouterr().out.count("everything matches") == 3  # games, and people
    commons = analysis.load(tmp_path / "out.zip", "commons_game")
    gems = analysis.load(tmp_path / "out.zip", "gem_mining")
    assert commons.treatments == ["all, fish", "all, fish_again"]
    assert sorted(commons.config["group"]) == [1, 2, 3001, 3002]
    assert sorted(gems.config["group"]) == [2001, 2002]
    assert set(commons.config["matching_group"]) == set(gems.config["matching_group"]) == {1}
    rows = pd.concat([commons.outcomes, gems.outcomes])
    paid = rows[rows["pay_points"] > 0].groupby("participant")["block"].nunique()
    assert set(paid) <= {1}
    assert (rows.groupby("participant")["pay_fee"].sum() == 2.0).all()
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        (session,) = json.loads(archive.read("manifest.json"))["sessions"].values()
    assert session["plan"]["blocks"] == ["fish", "gems", "fish_again"]
