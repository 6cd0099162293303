"""Tournament command: output, errors, and identical results with any number of workers."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("distributed", reason="needs the `tournament` extra")

import dask
import psutil
from distributed import Client, LocalCluster

from mixed_company import engine, policies
from mixed_company.__main__ import main
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.learning import portions as stored
from mixed_company.learning.tournament import batch as work
from mixed_company.learning.tournament.batch import Mix, seating
from mixed_company.learning.tournament.results import tournament
from mixed_company.learning.training.judge import judged
from mixed_company.policies import sharing
from mixed_company.policies.rollout import rollout

SMALL = ["tournament", "commons_game", "--archetype", "lab_0_7", "periods=2", "--workers", "1"]
PATIENCE_SECONDS = 120
POLICIES = "greedy,best_plan,noisy_person"
HASTE = {"connect": "2s"}
"""Short connection timeout for tests without a running scheduler."""
FILES = ["exploitation.svg", "mixes.csv", "returns.svg", "summary.csv", "summary.md"]
CONTENTS = sorted([*FILES, stored.FOLDER])


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


def test_the_results_state_their_inputs(tmp_path, capsys):
    output = tmp_path / "results"
    chosen = ["--policies", POLICIES, "--plays", "5", "--seed", "9", "--output", str(output)]
    assert main([*SMALL, *chosen]) == 0
    assert sorted(path.name for path in output.iterdir()) == CONTENTS
    assert list(tmp_path.iterdir()) == [output]
    mixes = rows(output / "mixes.csv")
    assert len(mixes) == 3 + 6
    row = next(row for row in mixes if (row["focal"], row["field"]) == ("greedy", "best_plan"))
    assert (row["focal_told_the_solution"], row["field_told_the_solution"]) == ("False", "True")
    assert (row["seed"], row["plays"], row["archetype"]) == ("9", "5", "lab_0_7")
    # a row has everything that is needed to replay it
    game = engine.make(json.loads(row["config"]))
    earned = []
    for number in range(5):
        seats = seating(Mix(row["focal"], row["field"]), number, game.seats)
        episode = engine.Episode(game, int(play_seeds(int(row["seed"]), number)))
        steps = rollout(episode, [policies.make(spec, game) for spec in seats])
        earned.append(sum(step.rewards for step in steps)[number % game.seats])
    assert float(row["focal_points"]) == pytest.approx(sum(earned) / 5, abs=1e-12)
    assert {row["policy"] for row in rows(output / "summary.csv")} == set(POLICIES.split(","))
    shown = capsys.readouterr().out
    first, _, table = shown.partition("\n\n")
    assert first.startswith("commons_game lab_0_7, seats 4, plays per mix ")
    assert table.startswith((output / "summary.md").read_text() + "\nPoints are per seat")
    assert "| `best_plan`\\* |" in shown
    assert "was told the solution" in shown


def test_the_pictures_are_svg_and_mark_policies_that_know_the_solution(tmp_path):
    files = tournament("commons_game", "lab_0_7", "greedy,best_plan", 3, periods=2)
    for name in ("exploitation.svg", "returns.svg"):
        drawn = ElementTree.fromstring(files[name])
        words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
        assert {"best_plan *", "greedy"} <= set(words)
    # greedy takes 10 in each of two periods and best_plan less; each is the other's field
    gain = next(row for row in csv.DictReader(io.StringIO(files["mixes.csv"])) if row["gain"])
    squares = ElementTree.fromstring(files["exploitation.svg"]).iter(
        "{http://www.w3.org/2000/svg}text"
    )
    assert f"{float(gain['gain']):.1f}" in [text.text for text in squares]


def test_one_policy_and_one_play_make_a_tournament():
    files = tournament("commons_game", "lab_0_7", "greedy", 1, periods=2)
    (row,) = csv.DictReader(io.StringIO(files["summary.csv"]))
    assert (row["alone_points"], row["alone_points_low"]) == ("20.0", "")
    assert (row["among_others_points"], row["best_reply"]) == ("", "")
    assert "| `greedy` | 20.0 |" in files["summary.md"]


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--policies", "gredy"], "policy 'gredy': unknown in commons_game; did you mean 'greedy'"),
        (["--policies", "greedy,greedy"], "policies: 'greedy' should be named once, not 2 times"),
        (["--policies", "fixed:harvest=-1"], "fixed: harvest = -1: should be from 0"),
        (["--policies", ","], "policies = ',': should name at least one policy, or be 'all'"),
        (["--plays", "0"], "plays = 0: should be at least 1"),
        (["--seed", "-1"], "seed"),
        (["--workers", "0"], "workers = 0: should be at least 1"),
        (["capcity=3"], "core.capcity = 3: unknown key; did you mean 'capacity'?"),
        (["agents.timing=sequential"], "all seats decide together here"),
    ],
)
def test_impossible_settings_are_refused_and_nothing_is_written(
    tmp_path, capsys, arguments, refusal
):
    output = tmp_path / "results"
    assert main([*SMALL, "--plays", "2", "--output", str(output), *arguments]) == 2
    assert refusal in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_unreachable_scheduler_is_refused(tmp_path, capsys, monkeypatch):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    wait(1, monkeypatch)
    chosen = ["--output", str(tmp_path / "results"), "--scheduler", address]
    assert main(["tournament", "commons_game", "--policies", "greedy", *chosen]) == 2
    assert f"scheduler = {address!r}: cannot be reached" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert main([*SMALL, *chosen]) == 2
    assert "--workers: cannot be set with --scheduler" in capsys.readouterr().err


def test_an_unwritable_folder_is_refused_before_anything_is_played(tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "nowhere" / "results"):
        assert main([*SMALL, "--plays", "1000000", "--output", str(place)]) == 2
        assert str(place) in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_earlier_results_are_replaced_and_other_files_left_alone(tmp_path, capsys):
    (tmp_path / "mixes.csv").write_text("old")
    (tmp_path / "notes.txt").write_text("mine")
    chosen = ["--policies", "greedy", "--plays", "1", "--output", str(tmp_path)]
    assert main([*SMALL, *chosen]) == 0
    assert len(rows(tmp_path / "mixes.csv")) == 1
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_progress_bar_counts_plays(capsys):
    tournament("commons_game", "lab_0_7", "greedy,fixed", 3, periods=1)
    assert "12/12" in capsys.readouterr().err  # four mixes of three plays


def test_the_number_of_processes_does_not_matter(monkeypatch):
    several = {"periods": 2, "plays": 5, "policies": POLICIES}
    monkeypatch.setattr(work, "MOST_PLAYS", 2)
    alone, shared = (
        tournament("commons_game", "lab_0_7", workers=workers, **several) for workers in (1, 2)
    )
    assert alone == shared


def test_workers_end_when_their_command_is_killed():
    command = [
        sys.executable,
        "-m",
        "mixed_company",
        "tournament",
        "punishment_vote",
        "--workers",
        "2",
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([*command, "--plays", "1000"], **quiet) as process:
        workers = eventually(lambda: spawned(process.pid), 2)
        process.kill()
    eventually(lambda: [worker for worker in workers if worker.is_running()], 0)


def spawned(pid: int) -> list[psutil.Process]:
    children = psutil.Process(pid).children()
    return [
        process for process in children if any("spawn_main" in word for word in process.cmdline())
    ]


def eventually(look, count: int) -> list[psutil.Process]:
    """Wait until the list has this many items, and return it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(processes := look()) != count:
        assert time.monotonic() < deadline, processes
        time.sleep(0.1)
    return processes


def ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def lost(scheduler: subprocess.Popen[bytes], monkeypatch) -> None:
    """Stop the scheduler; the client soon gives up reconnecting."""
    for key, seconds in HASTE.items():
        monkeypatch.setitem(dask.config.config["distributed"]["comm"]["timeouts"], key, seconds)
    ended(scheduler)


def wait(seconds: float, monkeypatch) -> None:
    """Set how long a command waits for a scheduler and its first worker."""
    monkeypatch.setitem(dask.config.config, "mixed-company", {"patience": f"{seconds} s"})


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """Start a scheduler and two workers as processes; yield (address, processes)."""
    wait(PATIENCE_SECONDS, monkeypatch)
    file = tmp_path / "scheduler.json"
    python = [sys.executable, "-m"]
    impatient = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    quiet["env"] = os.environ | impatient
    started = []

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([*python, *arguments], **quiet))
        return started[-1]

    try:
        start(
            *("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"),
            *("--no-dashboard", "--no-show", "--scheduler-file", str(file)),
        )
        for _ in range(2):
            start(
                *("distributed.cli.dask_worker", "--scheduler-file", str(file), "--no-nanny"),
                *("--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path)),
            )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (file.exists() and file.stat().st_size):  # the file exists before it has content
            assert time.monotonic() < deadline, "the scheduler did not start"
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], started
    finally:
        for process in started:
            ended(process)


def test_a_cluster_that_loses_a_worker_loses_no_results(cluster, monkeypatch):
    address, (_, worker, _) = cluster
    several = {"policies": POLICIES, "plays": 40, "seed": 4}
    here = tournament("commons_game", "lab_0_7", **several)
    with Client(address) as client:
        client.wait_for_workers(2, timeout=PATIENCE_SECONDS)
    monkeypatch.setattr(work, "MOST_PLAYS", 4)
    left = []

    class Bar(stored.tqdm):
        """Progress bar that kills a worker when the third portion is done."""

        def update(self, n=1):
            super().update(n)
            if self.n == 12:
                os.kill(worker.pid, signal.SIGKILL)
                left.append(self.total - self.n)

    monkeypatch.setattr(stored, "tqdm", Bar)
    elsewhere = tournament("commons_game", "lab_0_7", scheduler=address, **several)
    assert worker.wait(timeout=PATIENCE_SECONDS) == -signal.SIGKILL
    assert left == [9 * 40 - 12]
    assert elsewhere == here


@pytest.mark.parametrize(
    ("command", "options", "tables"),
    [("tournament", [], FILES), ("metagame", ["seats=3"], ["metagame.md", "payoffs.csv"])],
)
def test_plays_of_a_lost_cluster_are_kept_and_the_rest_played_locally(
    cluster, monkeypatch, tmp_path, capsys, command, options, tables
):
    address, (scheduler, *_) = cluster

    class Bar(stored.tqdm):
        """Progress bar that stops the scheduler when the third portion is done."""

        def update(self, n=1):
            super().update(n)
            if self.n == 3 * n:
                lost(scheduler, monkeypatch)

    monkeypatch.setattr(stored, "tqdm", Bar)
    several = ["commons_game", "--archetype", "lab_0_7", "periods=2", *options]
    several = [command, *several, "--policies", POLICIES, "--plays", "20", "--output"]
    output, here = tmp_path / "results", tmp_path / "here"
    assert main([*several, str(output), "--scheduler", address]) == 2
    assert "finished plays are kept: run the same command again" in capsys.readouterr().err
    assert [path.name for path in output.iterdir()] == [stored.FOLDER]
    played = list((output / stored.FOLDER).iterdir())
    assert len(played) >= 3
    before = {path: path.stat().st_mtime_ns for path in played}
    for place in (output, here):
        assert main([*several, str(place), "--workers", "1"]) == 0
    assert {path: path.stat().st_mtime_ns for path in played} == before
    for name in tables:
        assert (output / name).read_bytes() == (here / name).read_bytes()


@pytest.fixture
def starting(monkeypatch, tmp_path):
    """Yield a local cluster without workers, whose scheduler is in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(dask.config.config, "temporary-directory", str(tmp_path))
    quiet = {"dashboard_address": None, "threads_per_worker": 1}
    with LocalCluster(n_workers=0, host="127.0.0.1", **quiet) as cluster:
        yield cluster


@pytest.mark.long
def test_an_adaptive_cluster_starts_workers_for_the_work(starting, monkeypatch):
    wait(PATIENCE_SECONDS, monkeypatch)
    monkeypatch.setattr(work, "MOST_PLAYS", 4)
    starting.adapt(minimum=0, maximum=2, interval="100ms")
    assert len(starting.workers) == 0
    several = {"policies": "greedy,best_plan", "plays": 12, "seed": 4}
    elsewhere = tournament(
        "commons_game", "lab_0_7", scheduler=starting.scheduler_address, **several
    )
    assert elsewhere == tournament("commons_game", "lab_0_7", **several)


@pytest.mark.long
def test_a_command_waits_for_a_first_worker_as_long_as_it_is_told(starting, monkeypatch, capsys):
    command = ["tournament", "commons_game", "--policies", "greedy", "--plays", "2"]
    command += ["--archetype", "lab_0_7", "--scheduler", starting.scheduler_address]
    wait(0.5, monkeypatch)
    assert main(command) == 2
    refusal = "no workers after 0.5 s; to wait longer, set DASK_MIXED_COMPANY__PATIENCE"
    assert refusal in capsys.readouterr().err
    wait(PATIENCE_SECONDS, monkeypatch)
    slow = threading.Timer(3, starting.scale, (1,))  # like a batch queue that starts a worker later
    slow.start()
    assert main(command) == 0
    slow.join()


@pytest.mark.long
def test_a_cluster_that_loses_a_worker_finds_the_same_replies(
    cluster, monkeypatch, tmp_path, capsys
):
    address, (_, worker, _) = cluster
    arguments = ["exploit", "commons_ppo_own", "--plays", "8", "--seats", "0,2", "--seed", "5"]
    arguments += ["--rounds", "2", "--candidates", "4", "--plays-each", "3", "--output"]
    assert main([*arguments, str(tmp_path / "here.json"), "--workers", "1"]) == 0
    with Client(address) as client:
        client.wait_for_workers(2, timeout=PATIENCE_SECONDS)

    class Bar(sharing.tqdm):
        """Progress bar that kills a worker when the first piece is done."""

        def update(self, n=1):
            super().update(n)
            worker.kill()

    monkeypatch.setattr(sharing, "tqdm", Bar)
    assert main([*arguments, str(tmp_path / "elsewhere.json"), "--scheduler", address]) == 0
    assert worker.wait(timeout=PATIENCE_SECONDS) == -signal.SIGKILL
    here, elsewhere = (
        json.loads((tmp_path / f"{name}.json").read_text()) for name in ("here", "elsewhere")
    )
    assert here.pop("seconds") > 0 < elsewhere.pop("seconds")
    assert elsewhere == here
    assert here["by_seat"]["2"]["gain"]["value"] > 0


def test_a_cluster_judges_as_one_process_does(cluster):
    address, _ = cluster
    card = policies.find("commons_ppo_own", "commons_game").card
    assert judged(card, 4, scheduler=address) == judged(card, 4)
