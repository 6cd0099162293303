"""What a plan with blocks does is shown: what each changes, how long all last, what is paid."""

from __future__ import annotations

import pytest

from experiment import treatments
from experiment.showing import lines
from tests.experiment.planned import SMALL, config, plan

BLOCKS = """
[[blocks]]
name = "first"
meaning = "as it is"

[[blocks]]
name = "second"
meaning = "with little"
changes = { capacity = 60.0 }

[treatments.pool.blocks.second]
instruction = "Now there is little, and a pool."
"""
FEE, RATE = 2.0, 0.1


def shown(text: str) -> list[str]:
    own = plan(text)
    made = {**config(own), "participation_fee": FEE, "real_world_currency_per_point": RATE}
    return list(lines(own, treatments.shipped_series("commons_game", made), made))


TEXT = SMALL + BLOCKS


def sums(line: str) -> list[float]:
    """The least and the most of a line of pay."""
    least, most = line.partition("pay")[2].lstrip(": ").partition(",")[0].split(" to ")
    return [float(least), float(most)]


def test_each_block_shows_what_it_changes_and_what_people_of_the_treatment_are_told() -> None:
    own = shown(TEXT)
    assert own.count("    changes: capacity 60.0") == 2
    told = [line.partition("told what changes: ")[2] for line in own if "told what" in line]
    assert told == ["nothing", "Now there is little, and a pool."]


@pytest.mark.parametrize("paid", ["all", "one"])
def test_all_blocks_together_show_how_long_they_last_and_what_is_paid(paid: str) -> None:
    own = shown(TEXT.replace("groups = 2", f"groups = 2\npay_blocks = '{paid}'"))
    first, second = [line for line in own if line.startswith("    pay: ")][:2]
    total = next(line for line in own if line.startswith("  In all: "))
    # two plays of 3 periods of 45 s: 4.5 minutes, rounded to even
    assert "plays of 4 minutes at most" in total
    (low, high), (least, most) = sums(first), sums(second)
    if paid == "all":
        assert sums(total) == pytest.approx([low + least, high + most], abs=0.011)
    else:
        one = [min(low, FEE + least), max(high, FEE + most)]
        assert sums(total) == pytest.approx(one, abs=0.011)
