"""Tests of rehearsals: policies play through real pages, and the session has a normal export."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pandas as pd
import psutil
import pytest

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.policies import make
from mixed_company.policies.rollout import rollout
from mixed_company.server.archive import REHEARSED
from mixed_company.server.rehearse import whole
from mixed_company.server.rehearse.server import Server
from tests.door.audit import CODES, differences

pytestmark = [pytest.mark.door, pytest.mark.long]

SMALL = {
    "commons_two_people": ["periods=3", "--people", "conditional_cooperator,noisy_person"],
    "vote_three_people": ["turns=4", "pace=answers", "--people", "forager,planner,noisy_person"],
    "sanctions_two_people": ["periods=3", "--people", "trust_follower,random"],
    "gems": ["periods=3", "--people", "thompson_sampling"],
    # in turn, and with masks
    "commons_in_turn": ["periods=2", "--people", "tit_for_tat,random"],
    "commons_local_view": ["periods=2", "--people", "half_capacity"],
    # with a clock
    "vote": ["turns=3", "decision_seconds=1", "--people", "forager"],
}
DESCRIBED = "Simulated people: 1 per group, each greedy; bots: imitator (2 seats), constant_effort."
TOO_LATE = r"refused: (period \d+ is over; this is period \d+|the game is over)\n"
REPLAYED = ("decisions", "periods", "config", "pairs")


@pytest.fixture(scope="module")
def _running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    who = json.dumps({"people": [], "seed": 5})
    folder = tmp_path_factory.mktemp("rehearsals") / "project"
    with Server(folder, variables={REHEARSED: who}) as server:
        yield server


@pytest.fixture
def one_server(_running: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all rehearsals on one server, because starting one takes longer than a rehearsal."""
    monkeypatch.setattr(whole, "Server", lambda *_, **__: nullcontext(_running))


def rehearse(path: Path, name: str, *arguments: str) -> dict[str, pd.DataFrame]:
    assert main(["rehearse", name, "--output", str(path), *arguments]) == 0
    with zipfile.ZipFile(path) as archive:
        csvs = [path for path in archive.namelist() if path.endswith(".csv") and "/" in path]
        return {Path(name).stem: pd.read_csv(archive.open(name), dtype=CODES) for name in csvs}


@pytest.mark.usefixtures("one_server")
@pytest.mark.parametrize("name", SMALL)
def test_a_rehearsal_leaves_tables_that_replay_exactly(tmp_path, capsys, name):
    tables = rehearse(tmp_path / "out.zip", name, *SMALL[name], "--groups", "2", "--seed", "5")
    people = len(SMALL[name][-1].split(","))
    output = capsys.readouterr()
    late = re.findall(TOO_LATE, output.err) if name == "vote" else []
    assert len(late) == output.err.count("refused")
    assert output.out.split() == [str(tmp_path / "out.zip")]
    assert list(tmp_path.iterdir()) == [tmp_path / "out.zip"]
    assert list(differences(*(tables.get(table_name) for table_name in REPLAYED))) == []
    assert len(tables["config"]) == 2
    assert tables["outcomes"]["status"].tolist() == ["finished"] * 2 * people
    assert (tables["outcomes"]["quiz_attempts"] > 0).all()
    person_rows = tables["decisions"][tables["decisions"]["occupant"] == "person"]
    assert len(person_rows) == len(tables["periods"]) * people
    assert set(person_rows["decided_by"]) <= (
        {"person", "default"} if name == "vote" else {"person"}
    )


def test_the_export_says_for_ever_that_it_was_rehearsed(tmp_path):
    rehearse(tmp_path / "out.zip", "commons", "--people", "greedy", "--seed", "5", "periods=1")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["rehearsed"] == {"people": ["greedy"], "described": [DESCRIBED], "seed": 5}
    assert [entry["session_config"] for entry in manifest["sessions"].values()] == ["commons"]
    assert list(manifest["games"]) == ["commons_game"]


def test_several_sessions_share_one_server_and_the_export_names_their_seeds(tmp_path):
    few = ["--people", "greedy", "--seed", "5", "--sessions", "2", "periods=1"]
    tables = rehearse(tmp_path / "out.zip", "commons", *few)
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["rehearsed"] == {"people": ["greedy"], "described": [DESCRIBED], "seed": [5, 6]}
    assert manifest["created"] == list(manifest["sessions"]) == tables["config"]["session"].tolist()
    assert main(["check", str(tmp_path / "out.zip")]) == 0


def test_a_killed_rehearsal_leaves_no_server(tmp_path):
    slow = ["--people", "greedy", "--speed", "fixed:seconds=60", "periods=2"]
    command = [sys.executable, "-m", "mixed_company", "rehearse", "commons", *slow]
    with subprocess.Popen([*command, "--output", str(tmp_path / "out.zip")]) as rehearsal:
        parent = psutil.Process(rehearsal.pid)
        while len(running := parent.children(recursive=True)) < 2:
            assert rehearsal.poll() is None
            time.sleep(0.1)
        rehearsal.kill()
    _, left = psutil.wait_procs(running, timeout=60)  # the server and its timeout worker
    for alive in left:
        alive.kill()
    assert left == []


def on_the_grid(policy):
    """Round a policy's actions to the steps of a page's controls."""
    exact = policy.act_within

    def act_within(allowed, *rest):
        action, memory = exact(allowed, *rest)
        return allowed.nearest(action), memory

    policy.act_within = act_within


@pytest.mark.usefixtures("one_server")
def test_people_decide_like_policies_that_see_only_the_page(tmp_path):
    """Simulated people without randomness decide as the same policies do in the engine."""
    seats = ["--people", "half_capacity", "--bots", "noisy_person", "periods=5"]
    tables = rehearse(tmp_path / "out.zip", "commons", *seats, "--groups", "2", "--seed", "5")
    for _, group in tables["config"].iterrows():
        game = engine.make(json.loads(group["config"]))
        seats = tables["seats"][tables["seats"]["group"] == group["group"]].sort_values("seat")
        assert (seats["occupant"] == "person").sum() == 1
        takes = {"person": "half_capacity", "policy": "noisy_person"}
        specs = [takes[who] for who in seats["occupant"]]
        episode = engine.Episode(game, int(group["seed"]))
        policies = [make(spec, game) for spec in specs]
        for policy in policies:
            on_the_grid(policy)
        steps = list(rollout(episode, policies))
        rows = tables["decisions"][tables["decisions"]["group"] == group["group"]]
        paid = rows.sort_values(["period", "seat"])["reward"].tolist()
        assert paid == [reward for step in steps for reward in step.rewards.tolist()]


@pytest.mark.usefixtures("one_server")
def test_the_same_seed_gives_the_same_decisions_and_another_seed_gives_others(tmp_path):
    name, chosen = "commons_two_people", [*SMALL["commons_two_people"], "--groups", "2"]
    several = [
        rehearse(tmp_path / f"{number}.zip", name, *chosen, "--seed", seed)
        for number, seed in enumerate("778")
    ]
    sent = [
        tables["decisions"][["group", "period", "seat", "policy_id", "sent_harvest", "reward"]]
        for tables in several
    ]
    assert sent[0].equals(sent[1])
    assert not sent[0].equals(sent[2])


@pytest.mark.usefixtures("one_server")
def test_people_can_take_their_time(tmp_path):
    slow = ["--speed", "fixed:seconds=0.5", "bot_delay=instant"]
    tables = rehearse(
        tmp_path / "out.zip", "commons_local_view", *SMALL["commons_local_view"], *slow
    )
    person_rows = tables["decisions"][tables["decisions"]["occupant"] == "person"]
    assert (person_rows["received_ms"] - person_rows["shown_ms"] >= 500).all()
