"""Blind reports of a plan with blocks: no label reveals its block or treatment."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from itertools import product
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis import report
from mixed_company.analysis.blinding_blocks import blinded_blocks
from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import planned as part
from mixed_company.analysis.report.measured import Measured
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.plan import Plan
from tests.analysis.planned.made import content
from tests.analysis.report.made import undrawn
from tests.experiment.planned import SMALL, plan

ALONE, BOTH = ("open",), ("open", "pool")
NAMES = ("before", "pooled", "after")
SEEDS = range(6)
BLOCKS = """
[[blocks]]
name = "before"
meaning = "no pool"

[[blocks]]
name = "pooled"
meaning = "a pool"
changes = { governance = "per_step" }

[[blocks]]
name = "after"
meaning = "no pool, once more"

[hypotheses.pooled]
meaning = "with a pool more is harvested"
measure = "harvest"
test = "permutation"
blocks = ["before", "pooled"]
"""
ONE = SMALL[: SMALL.index("[treatments.pool]")] + BLOCKS


def simulate_units(units: int, treatments: tuple[str, ...] = ALONE, **changes: Any) -> Data:
    """Simulate units of one group each that play three blocks. Harvests are large in the second
    block and small in the others. Apart from its group numbers, the last block is like the first.
    """
    options = {"bots": ["steward"], "groups": units, "periods": 2, "archetype": "lab", **changes}
    parts = []
    for number, (treatment, block) in enumerate(product(treatments, NAMES)):
        pool, people = ("per_step", "greedy") if block == "pooled" else ("none", "noisy_person")
        data = analysis.simulated(
            "commons_game",
            people=[people] * 2,
            governance=pool,
            seed=number,
            treatment="s",
            **options,
        )
        first = units * (number // 3)
        frames: dict[str, Any] = {
            name: frame.assign(
                treatment=pd.Series(treatment, frame.index, dtype="str"),
                block=pd.Series(block, frame.index, dtype="str"),
                group=frame["group"] + first + 1000 * NAMES.index(block),
            )
            for name, frame in vars(data).items()
            if isinstance(frame, pd.DataFrame)
        }
        unit = frames["config"]["group"] % 1000
        config = frames["config"].assign(matching_group=unit, session_config="small")
        parts.append(replace(data, **{**frames, "config": config}))
    return analysis.joined(*parts)


def exchanging(data: Data) -> Data:
    """Return the data with every two successive groups of a block in one matching group."""
    unit = data.config["matching_group"] - 1
    return replace(data, config=data.config.assign(matching_group=unit - unit % 2 + 1))


def renamed(data: Data, names: dict[str, str]) -> Data:
    """Return the same plays with different block names."""
    frames: dict[str, Any] = {
        field.name: frame.assign(block=frame["block"].map(names).astype("str"))
        for field in fields(data)
        if isinstance(frame := getattr(data, field.name), pd.DataFrame)
    }
    return replace(data, **frames)


def labels(data: Data) -> dict[tuple[str, int], tuple[str, str]]:
    """Return the treatment and block of each group."""
    rows = data.config[["session", "group", "treatment", "block"]]
    return {(session, group): names for session, group, *names in rows.itertuples(index=False)}


@pytest.fixture(scope="module")
def study() -> Plan:
    return plan(ONE)


@pytest.fixture(scope="module")
def data(study: Plan) -> Data:
    """Return six units of one treatment."""
    return of_plan(simulate_units(6), "small", study)


# -- the labels -----------------------------------------------------------------------------------


def test_each_unit_has_all_labels_and_each_label_all_blocks_equally_often(data) -> None:
    true = labels(data)
    for seed in SEEDS:
        (permuted,) = blinded_blocks([data], ALONE, seed)
        drawn = labels(permuted)
        assert drawn.keys() == true.keys()
        units = Counter((key[1] % 1000, names[1]) for key, names in drawn.items())
        assert list(units.values()) == [1] * 18
        crossed = Counter((true[key][1], names[1]) for key, names in drawn.items())
        assert list(crossed.values()) == [2] * 9
        for name in ("decisions", "periods", "seats", "events", "outcomes"):
            frame = getattr(permuted, name)
            rows = frame[["session", "group", "block"]].drop_duplicates().itertuples(index=False)
            assert {(row[0], row[1]): row[2] for row in rows} == {
                key: names[1] for key, names in drawn.items()
            }, name
    drawn_labels = {str(labels(blinded_blocks([data], ALONE, seed)[0])) for seed in SEEDS}
    assert len(drawn_labels) > 4


def test_treatments_are_permuted_among_units_and_keep_their_numbers() -> None:
    data = of_plan(simulate_units(4, BOTH), "small", plan(SMALL + BLOCKS))
    true = labels(data)
    for seed in SEEDS:
        drawn = labels(blinded_blocks([data], BOTH, seed)[0])
        of_units = {key[1] % 1000: names[0] for key, names in drawn.items()}
        assert Counter(of_units.values()) == {"open": 4, "pool": 4}
        assert all(of_units[key[1] % 1000] == names[0] for key, names in drawn.items())
        crossed = Counter((true[key][0], names[0]) for key, names in drawn.items())
        assert set(crossed.values()) == {6}  # two units of three blocks
        crossed = Counter((true[key][1], names[1]) for key, names in drawn.items())
        assert max(crossed.values()) - min(crossed.values()) <= 2  # one in each treatment


def test_a_unit_that_did_not_finish_every_block_is_left_out(data) -> None:
    unfinished = data.periods["group"] == 2003
    periods = data.periods.assign(ended=data.periods["ended"].mask(unfinished, ""))
    never = data.config["group"] == 1005
    early = replace(data, periods=periods, config=data.config[~never].reset_index(drop=True))
    (permuted,) = blinded_blocks([early], ALONE, 1)
    assert {group % 1000 for _, group in labels(permuted)} == {1, 2, 4, 6}
    assert set(permuted.decisions["group"] % 1000) == {1, 2, 4, 6}


def test_blocks_are_permuted_among_the_units_in_the_tests(data) -> None:
    """Exclude all units except those whose blocks moved alike; in these, the blocks must not move
    alike again, because their tests would then be the true tests under other names."""
    before = rotations(blinded_blocks([data], ALONE, 1)[0])
    alike = {unit for unit, names in before.items() if names == before[1]}
    excluded = [key for key in labels(data) if key[1] % 1000 not in alike]
    after = rotations(blinded_blocks([data], ALONE, 1, without=excluded)[0])
    assert len(alike) == len({after[unit] for unit in alike}) == 2
    all_but_one = [key for key in labels(data) if key[1] % 1000 > 1]
    with pytest.raises(ConfigError, match="not excluded = 1: should be at least 2"):
        blinded_blocks([data], ALONE, 1, without=all_but_one)


@pytest.mark.parametrize("seed", [2, 21])
def test_treatments_are_permuted_among_the_units_in_the_tests(seed) -> None:
    """Two units of each treatment are excluded. If only all units count, these seeds give true
    labels to the others."""
    data = of_plan(simulate_units(4, BOTH), "small", plan(SMALL + BLOCKS))
    excluded = [key for key in labels(data) if key[1] % 1000 in (1, 2, 5, 6)]
    blind = blinded_blocks([data], BOTH, seed, without=excluded)[0].permuted
    assert blind is not None
    assert blind.without == set(excluded)
    assert blind.of("treatment").shows(~blind.flags(excluded))


def test_a_play_that_is_all_of_a_treatment_in_a_block_is_not_shown() -> None:
    """The four plays are one of each treatment in each of two blocks, so each of their means is
    true, although no treatment and no block has exactly one label."""
    data = of_plan(simulate_units(4, BOTH), "small", plan(SMALL + BLOCKS))
    blind = blinded_blocks([data], BOTH, 0)[0].permuted
    assert blind is not None
    plays = blind.flags([("s", group) for group in (1, 5, 1002, 1006)])
    assert blind.of("treatment").shows(plays)
    assert blind.of("block").shows(plays)
    assert not blind.shows(plays)


def test_a_unit_that_lacks_a_group_in_one_block_is_left_out(data) -> None:
    """Every unit has two groups in every block; group 3 is missing in the second block."""
    mixing = exchanging(data)
    config = mixing.config[mixing.config["group"] != 1003]
    (permuted,) = blinded_blocks([replace(mixing, config=config)], ALONE, 1)
    assert {group % 1000 for _, group in labels(permuted)} == {1, 2, 5, 6}


def rotations(data: Data) -> dict[int, tuple[str, ...]]:
    """Return each unit's block labels, in the order of its groups."""
    of_groups = labels(data)
    return {
        unit: tuple(names[1] for key, names in sorted(of_groups.items()) if key[1] % 1000 == unit)
        for unit in range(1, 7)
    }


def test_blocks_of_different_games_keep_their_names_and_units_one_label() -> None:
    data = of_plan(simulate_units(3, BOTH), "small", plan(SMALL + BLOCKS))
    first, other = (data.of_block(name) for name in ("before", "pooled"))
    other = replace(other, game_id="another")  # each block has its own game
    permuted = blinded_blocks([first, other], BOTH, 2)
    assert [set(part.config["block"]) for part in permuted] == [{"before"}, {"pooled"}]
    treatments = [
        {key[1] % 1000: names[0] for key, names in labels(part).items()} for part in permuted
    ]
    assert treatments[0] == treatments[1]
    assert treatments[0] != {key[1] % 1000: names[0] for key, names in labels(first).items()}
    with pytest.raises(ConfigError, match="two treatments or two blocks of one game"):
        blinded_blocks(
            [of_plan(simulate_units(3), "small", plan(ONE)).of_block("before")], ALONE, 1
        )


def test_data_that_reveal_blocks_under_any_label_are_refused(data) -> None:
    longer = simulate_units(6, periods=3).of_block("pooled")
    mixed = analysis.joined(data.of_block("before"), longer)
    with pytest.raises(ConfigError, match="periods = before 2, pooled 3: blocks of one game"):
        blinded_blocks([mixed], ALONE, 1)
    rows = data.config.index[data.config["block"] == "pooled"][:2]  # two groups play for longer
    texts = data.config["config"].where(~data.config.index.isin(rows), longer.config["config"][0])
    partly = replace(data, config=data.config.assign(config=texts))
    with pytest.raises(ConfigError, match="= after 2, before 2, pooled 2 or 3: blocks"):
        blinded_blocks([partly], ALONE, 1)
    with pytest.raises(ConfigError, match="not excluded = 1: should be at least 2"):
        blinded_blocks([simulate_units(1)], ALONE, 1)
    with pytest.raises(ConfigError, match="treatment = 'open' in session 's'"):
        blinded_blocks([data], ["other"], 1)


def repeated(data: Data, blocks: dict[str, str]) -> Data:
    """Return the plays of these blocks as plays of repeated blocks."""
    frames = {
        field.name: frame[frame["block"].isin(blocks)].reset_index(drop=True)
        for field in fields(data)
        if isinstance(frame := getattr(data, field.name), pd.DataFrame)
    }
    names = list(blocks)
    numbers = [
        [blocks[other] for other in names[: names.index(name)]].count(blocks[name])
        for name in frames["config"]["block"]
    ]
    frames["config"] = frames["config"].assign(play=numbers)
    return renamed(replace(data, **frames), blocks)


def test_the_plays_of_repeated_blocks_are_permuted_together(data) -> None:
    """Both blocks have two plays. A unit that lacks a play is left out."""
    more = replace(
        data,
        **{
            field.name: frame.assign(group=frame["group"] + 3000)
            for field in fields(data)
            if isinstance(frame := getattr(data, field.name), pd.DataFrame)
        },
    )
    more = renamed(more, dict(zip(NAMES, ("again", "and", "on"), strict=True)))
    four = {"before": "first", "pooled": "first", "again": "second", "and": "second"}
    twice = repeated(analysis.joined(data, more), four)
    (permuted,) = blinded_blocks([twice], ALONE, 1)
    true, drawn = labels(twice), labels(permuted)
    assert drawn.keys() == true.keys()
    moved = {(key[1] % 1000, true[key][1], drawn[key][1]) for key in true}
    assert Counter((before, after) for _, before, after in moved) == dict.fromkeys(
        product(("first", "second"), repeat=2), 3
    )
    lacking = replace(twice, config=twice.config[twice.config["group"] != 4003])
    (permuted,) = blinded_blocks([lacking], ALONE, 1)
    assert {group % 1000 for _, group in labels(permuted)} == {1, 2, 4, 5, 6}


def test_blocks_with_different_numbers_of_plays_are_refused_with_the_reason(data) -> None:
    unequal = repeated(data, {"before": "all", "pooled": "all", "after": "end"})
    with pytest.raises(ConfigError, match="periods = all 2 in each of 2 plays, end 2: blocks"):
        blinded_blocks([unequal], ALONE, 1)


# -- the report -----------------------------------------------------------------------------------


def written(study: Plan, data: Data, seed: int, all_tests: bool = False) -> dict[str, str | bytes]:
    permuted = blinded_blocks([data], ALONE, seed)
    planned = part.of_plan(data, study, content(study), None, blind=permuted)
    with undrawn(all_tests):
        return report.files(data, file="export.zip", plan=planned)


@pytest.fixture(scope="module")
def files(study: Plan, data: Data) -> dict[str, str | bytes]:
    return written(study, data, 3)


@pytest.fixture(scope="module")
def whole(study: Plan, data: Data) -> dict[str, str | bytes]:
    return written(study, data, 3, all_tests=True)


@pytest.mark.long
def test_the_report_is_identical_if_block_names_are_exchanged(study, data, whole) -> None:
    """A report cannot reveal which block a label stands for, because it could be any block."""
    other = renamed(data, {"before": "pooled", "pooled": "after", "after": "before"})
    (permuted,) = blinded_blocks([data], ALONE, 3)
    seeds = (
        seed
        for seed in range(1000)
        if labels(blinded_blocks([other], ALONE, seed)[0]) == labels(permuted)
    )
    seed = next(seeds)
    assert written(study, other, seed, all_tests=True) == whole
    (same,) = blinded_blocks([other], ALONE, seed)
    for field in fields(Data):  # the figures come from the same tables
        frame = getattr(permuted, field.name)
        if isinstance(frame, pd.DataFrame):
            pd.testing.assert_frame_equal(getattr(same, field.name), frame)


@pytest.mark.long
def test_the_report_contains_no_number_or_name_of_a_block(data, whole) -> None:
    texts = {name: text for name, text in whole.items() if isinstance(text, str)}
    true = Measured(data).groups
    measures = [name for name in true if true[name].dtype == "float64"]
    by_treatment = true.groupby("treatment", observed=True)[measures]
    # Plays of greedy seats and stewards are all alike, so every label has the mean of its block.
    means = by_treatment.mean().where(by_treatment.std() > 1e-9)
    fine = [value for value in means.stack().tolist() if abs(value * 1440 % 1 - 0.5) < 0.499]
    numbers = [repr(value) for value in fine]  # shares over a few periods are equal by chance
    assert len(numbers) > 12
    assert [value for value in numbers if any(value[:10] in text for text in texts.values())] == []
    for name, text in texts.items():
        for word in ("per_step", "greedy", *data.groups["group_id"]):
            assert word not in text, (name, word)


def test_labels_do_not_differ_in_features_of_one_block(data, files) -> None:
    """Contributions to the pool, which only one block has, do not reveal any label."""
    from io import StringIO

    (permuted,) = blinded_blocks([data], ALONE, 3)
    harvest = Measured(permuted).groups.groupby("treatment", observed=True)["harvest"].mean()
    true = Measured(data).groups.groupby("treatment", observed=True)["harvest"].mean()
    apart = true.max() - true.min()
    assert harvest.max() - harvest.min() < apart / 4
    table = pd.read_csv(StringIO(str(files["tables/blind_hypotheses.csv"])))
    assert table["groups"].tolist() == ["before 6, pooled 6"]
    assert abs(table["effect"].item()) < apart / 4


def test_no_single_play_is_drawn_because_the_order_reveals_blocks(files) -> None:
    page = str(files["blind_report.html"])
    assert "Square and line: group mean" in page
    assert "Circles: groups" not in page
    assert "Thin lines: groups" not in page
    assert not [name for name in files if "people_points" in name]


def test_the_first_screen_and_the_plan_say_what_is_permuted(files) -> None:
    page = str(files["blind_report.html"])
    head = page[page.index("<header>") : page.index("</header>")]
    assert "Blind: treatment and block labels are permuted. No difference" in head
    assert "among matching groups, and the labels of blocks with the same game within" in page
    assert "Only matching groups that played all blocks to the end" in page
