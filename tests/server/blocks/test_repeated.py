"""A block with several plays: each has new groups, and people read nothing in between."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from mixed_company.analysis import measures
from mixed_company.analysis.published.rules import rules_of
from mixed_company.analysis.reading import load, tables_of
from mixed_company.analysis.report.participants import taking_part
from mixed_company.server import paying
from mixed_company.server.archive import writing
from mixed_company.table.ledger import total
from tests.server.blocks.exported import faults
from tests.server.blocks.planned import Blocks
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture

REPEATED = """
title = "Three periods without sanctions and two with them, among strangers"
session = "sanctions"
groups = 4
people = "sanction_averse"
matching = "strangers"
matching_groups = 2
roles = "redrawn"
changes = { periods = 1, people_per_group = 2, practice_periods = 0, ready = false }

[treatments.all]
meaning = "everybody"

[[blocks]]
name = "none"
meaning = "none"
changes = { lambda_R = 0.0 }
repeat = 3

[[blocks]]
name = "with"
meaning = "sanctions"
instruction = "Now there are sanctions."
repeat = 2
"""


def test_people_go_from_play_to_play_and_their_plays_are_pooled_by_block(
    inside, monkeypatch, tmp_path
):
    blocks = Blocks(REPEATED, 4, monkeypatch)
    people_read_results_of_the_whole_block(blocks)
    the_payment_of_all_plays_is_computed_at_once(blocks, monkeypatch)
    an_export_names_plays_and_analysis_pools_them_by_block(blocks, tmp_path / "out.zip")


def people_read_results_of_the_whole_block(blocks: Blocks) -> None:
    """Let four people play all plays, and check what one of them reads along the way."""
    person = blocks.people[0]
    person.come()
    assert "The game has 1 period" in person.text
    assert "In this part, you play the game 3 times." in person.text
    assert "New groups are formed at random for each game." in person.text
    assert "This session has 2 parts." in person.text
    earned = 0.0
    for number in range(3):
        blocks.meet()
        assert f'"period": "Game {number + 1} of 3"' in person.text
        assert ("You are now joining a new group" in person.text) is (number < 2)
        player = person.player()
        blocks.play()
        earned += type(player).objects_first(id=player.id).points
        assert person.page == ("Lobby" if number < 2 else "Results")
    assert "Part 1 of 2 is over" in person.text
    assert f"{earned:g}" in re.findall(r"[\d.]+", person.text)
    for visitor in blocks.people:
        visitor.send()
    assert person.page == "NextBlock"
    assert "Part 2 of 2" in person.text
    assert "Now there are sanctions." in person.text
    for _ in range(2):
        blocks.meet()
        blocks.play()
    assert person.page == "Results"
    assert person.text.count("<li><span>Part ") == 2
    (sum_of_first,) = re.findall(r"<li><span>Part 1</span>\D*([\d.]+)", person.text)
    assert float(sum_of_first) == earned


def the_payment_of_all_plays_is_computed_at_once(
    blocks: Blocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the payment. If it were computed play by play, a session with 48 people and 20 plays
    would need a third of a million queries."""
    player = blocks.people[0].player()
    plays = paying.players_of(player.participant)
    wanted = sum(total(paying.ledger_of(play)) for play in plays)
    calls, once = [], paying.of_blocks
    monkeypatch.setattr(paying, "of_blocks", lambda *all_of: calls.append(all_of) or once(*all_of))
    assert Decimal(paying.paid_to(player.participant)) == wanted > 0
    assert len(calls) == 1


def an_export_names_plays_and_analysis_pools_them_by_block(blocks: Blocks, path: Path) -> None:
    with path.open("wb") as file:
        writing.write(file, [blocks.code])
    plain = tables_of(path)
    assert faults(plain) == []
    assert list(dict.fromkeys(plain.config["block"])) == [
        *("none_1", "none_2", "none_3", "with_1", "with_2")
    ]
    data = load(path)
    assert faults(data) == []  # a report audits the pooled plays
    assert data.treatments == ["all, none", "all, with"]
    assert sorted(set(data.outcomes["block"])) == ["none", "with"]
    periods = data.by_unit(measures.periods(data, ["contribution"]))
    assert [len(set(part["group"])) for _, part in periods.groupby("treatment")] == [1, 1]
    assert {rules.treatment: rules.core.periods for rules in rules_of(data)} == {
        "all, none": 3,
        "all, with": 2,
    }
    took_part = taking_part(data).set_index("treatment")
    assert took_part[["arrived", "grouped", "finished"]].to_numpy().tolist() == [[4, 4, 4]] * 2
    earned = data.outcomes.groupby(["block", "participant"])["points"].sum()
    assert took_part["points_max"].tolist() == [earned["none"].max(), earned["with"].max()]
    of_none = periods[periods["treatment"] == "all, none"]
    assert sorted(of_none["period"]) == [0, 0, 1, 1, 2, 2]
