"""Counterfactuals: policies take the seats, and the others' choices are held fixed."""

from __future__ import annotations

import math
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import mixed_company.cli.commands.report
from mixed_company import analysis, engine, policies
from mixed_company.__main__ import main
from mixed_company.analysis import counterfactual as module
from mixed_company.analysis.counterfactual import TAKEN_OVER, by_treatment, counterfactual
from mixed_company.analysis.notes import REHEARSED
from mixed_company.cli.commands.counterfactual import _sentence
from mixed_company.engine.contract.errors import UnknownName
from mixed_company.policies import sharing
from mixed_company.policies.policy import Policy
from tests.analysis import elsewhere

RULES = {
    "seats": 2,
    "periods": 2,
    "capacity": 100.0,
    "initial_stock": 12.0,
    "growth_rate": 0.0,
    "max_harvest": 10.0,
}


def lake(person: str, bot: str, **changes):
    options = {"groups": 2, "seed": 1, "archetype": "lab_0_7", **RULES, **changes}
    return analysis.simulated("commons_game", people=[person], bots=[bot], **options)


def test_by_hand():
    """There are 12 fish that do not grow. The person requests 10 and the other seat 6, so both get
    12 / 16 of their requests: 7.5 and 4.5, and nothing is left for period 1. With 2 instead of 10,
    8 are requested and the other seat gets 6. Then 8 are requested from the remaining 4: 1 and 3.
    """
    data = lake("fixed:harvest=10", "fixed:harvest=6", terminate_on_collapse=False)
    seats = counterfactual(data, "fixed:harvest=2").seats
    assert seats["seat"].tolist() == [0, 0]
    first = seats.iloc[0]
    assert (first["own_had"], first["others_had"]) == pytest.approx((7.5, 4.5))
    assert (first["own_would"], first["others_would"]) == pytest.approx((3.0, 9.0))
    assert first["difference"] == pytest.approx(4.5)
    assert (first["periods"], first["moved"], first["longer"]) == (2, 0, False)


def test_decisions_that_were_never_made_are_not_invented():
    """The lake is the same, but the play ends with the collapse, so only period 0 is compared."""
    data = lake("fixed:harvest=10", "fixed:harvest=4", collapse_stock=1.0)
    [first, _] = counterfactual(data, "fixed:harvest=2").seats.to_dict("records")
    assert (first["periods"], first["longer"]) == (1, True)
    assert first["others_had"] == pytest.approx(4 * 12 / 14)
    assert first["others_would"] == pytest.approx(4.0)


def test_a_play_that_ends_sooner_costs_others_the_remaining_periods():
    """Both periods can be played in full, but with `greedy` in the person's place the play ends
    after one period.
    """
    data = lake("fixed:harvest=0", "fixed:harvest=3", collapse_stock=1.0)
    [first, _] = counterfactual(data, "fixed:harvest=10").seats.to_dict("records")
    assert (first["others_had"], first["periods"], first["longer"]) == (6.0, 1, False)
    assert first["others_would"] == pytest.approx(3 * 12 / 13)


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_a_policy_that_would_have_done_the_same_changes_nothing(game):
    """Random draws depend on the seat and period, so the policy decides as before."""
    data = analysis.simulated(
        game, people=["random"], bots=["random"], groups=2, seed=3, archetype="lab_0_7"
    )
    seats = counterfactual(data, "random").seats
    assert len(seats) == 2
    np.testing.assert_array_equal(seats["difference"], 0.0)
    np.testing.assert_array_equal(seats["own_had"], seats["own_would"])
    assert not seats["moved"].any()


def test_the_results_are_the_same_whichever_process_replays(monkeypatch):
    data = lake("noisy_person", "random", groups=3)
    alone = counterfactual(data, "noisy_person").seats
    monkeypatch.setattr(sharing, "shared", elsewhere.shared)
    monkeypatch.setattr(module, "FEW", 0)
    by_others = counterfactual(data, "noisy_person", workers=2).seats
    pd.testing.assert_frame_equal(by_others, alone, check_exact=True)


def test_seats_that_a_policy_had_for_a_while_are_left_out():
    data = lake("fixed:harvest=1", "fixed:harvest=3", collapse_stock=1.0)
    data.decisions.loc[0, "occupant"] = "policy"
    held = counterfactual(data, "greedy")
    assert held.left_out == {TAKEN_OVER: 1}
    assert held.seats["group"].tolist() == [2]


def test_each_group_counts_once_in_the_interval():
    """The differences are 1 and 3 in one group and 4 in the other. Their means are 2 and 4, so the
    result is 3 +- 12.706 * 1.
    """
    seats = counterfactual(lake("fixed:harvest=1", "fixed:harvest=3"), "greedy").seats
    more = seats.iloc[[0, 0, 1]].assign(difference=[1.0, 3.0, 4.0])
    [row] = by_treatment(more).to_dict("records")
    assert (row["groups"], row["seats"], row["difference"]) == (2, 3, 3.0)
    assert (row["low"], row["high"]) == pytest.approx((3 - 12.7062, 3 + 12.7062), abs=1e-4)
    [alone] = by_treatment(more.iloc[:2]).to_dict("records")
    assert math.isnan(alone["low"])


def test_groups_that_exchanged_people_count_once():
    data = lake("fixed:harvest=1", "fixed:harvest=3")
    mixed = replace(data, config=data.config.assign(matching_group=1))
    [apart], [row] = (
        by_treatment(counterfactual(part, "greedy").seats).to_dict("records")
        for part in (data, mixed)
    )
    assert (apart["groups"], row["groups"], row["seats"]) == (2, 1, 2)
    assert row["difference"] == apart["difference"]
    assert math.isnan(row["low"])


def test_the_command_prints_treatments_and_writes_seats(tmp_path, capsys):
    analysis.save(lake("fixed:harvest=10", "fixed:harvest=6"), tmp_path / "e.zip")
    output = tmp_path / "seats.csv"
    words = ["counterfactual", str(tmp_path / "e.zip"), "--policy", "fixed:harvest=2"]
    assert main([*words, "--output", str(output)]) == 0
    shown = capsys.readouterr()
    printed = shown.out
    assert printed.startswith(f"{REHEARSED}\n")
    assert "| 0/2 [" in shown.err
    assert "others_would" in printed
    assert "simulated: with fixed:harvest=2 in one person's place, the others in" in printed
    assert len(output.read_text().splitlines()) == 3


def test_commands_print_the_faults_of_an_export_before_its_results(tmp_path, capsys):
    """A row was added to a table, and no hash was recomputed."""
    analysis.save(lake("random", "fixed:harvest=6"), tmp_path / "e.zip")
    file = tmp_path / "edited.zip"
    with zipfile.ZipFile(tmp_path / "e.zip") as before, zipfile.ZipFile(file, "w") as after:
        for name in before.namelist():
            row = b"x,y\n" if name == "commons_game/seats.csv" else b""
            after.writestr(name, before.read(name) + row)
    assert main(["counterfactual", str(file), "--policy", "fixed:harvest=2"]) == 1
    printed = capsys.readouterr().out
    fault = (
        "seats.csv: was changed after it was written: its sha256 is not the one in the manifest\n"
    )
    first, _, rest = printed.partition("\n")
    assert first.startswith("problems in the export: ")
    assert 0 < rest.index(fault) < rest.index("others_would")
    mixed_company.cli.commands.report._loaded([str(file)], None, b"")
    assert fault in capsys.readouterr().out
    pilot = ["--pilot", str(file), "--measure", "points", "--effect", "3"]
    assert main(["power", *pilot]) == 1
    assert fault in capsys.readouterr().out


@pytest.mark.parametrize(
    ("difference", "low", "groups", "end"),
    [
        (1.5, 0.5, 4, "1.5 points more (95% interval 0.5 to 2.5)."),
        (-1.5, -2.0, 4, "1.5 points less (95% interval -2 to 2.5)."),
        (0.0, math.nan, 4, "the same (no interval: it is the same in all groups)."),
        (2.0, math.nan, 1, "2 points more (no interval: one group)."),
    ],
)
def test_the_command_says_what_a_row_means(difference, low, groups, end):
    row = {"treatment": "a", "groups": groups, "difference": difference, "low": low, "high": 2.5}
    assert _sentence(row, "greedy").endswith(f"would together have earned {end}")


class Broken(Policy):
    """Policy that raises an error on every decision."""

    id, games, source = "broken", (), "a test"

    def act(self, observation, memory, rng):
        raise ValueError("no idea")


def test_a_failing_policy_is_named_because_the_default_was_played(tmp_path, capsys, monkeypatch):
    """In each of two groups the person's seat decides in two periods."""
    file = tmp_path / "e.zip"
    analysis.save(lake("fixed:harvest=1", "fixed:harvest=1"), file)
    monkeypatch.setattr(policies, "make", lambda spec, game: Broken(game.core))
    assert main(["counterfactual", str(file), "--policy", "broken"]) == 0
    assert (
        "broken failed in 4 decisions, so the default was played; first in period 0, "
        "seat 0: ValueError: no idea\n"
    ) in capsys.readouterr().out


def test_an_unknown_policy_is_refused():
    with pytest.raises(UnknownName, match="gredy"):
        counterfactual(lake("fixed:harvest=1", "fixed:harvest=3"), "gredy")
