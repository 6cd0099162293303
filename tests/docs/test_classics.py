"""The generated parts of the page on classic experiments."""

from __future__ import annotations

import re

from docs import classics

PAGE = classics.PAGE.read_text("utf-8")
PLANS = re.findall(r"<!-- figures: (\w+) -->", PAGE)


def test_every_plan_of_the_page_has_its_instructions() -> None:
    assert len(PLANS) == 6
    for name in PLANS:
        quoted = classics.instructions(name)
        assert quoted
        assert "\n".join(f"> {sentence}" for sentence in quoted) in PAGE


def test_figures_have_a_row_for_each_treatment_and_block() -> None:
    heading, _, *rows = classics.figures("herrmann_thoni_gachter_2008", groups=1).splitlines()
    assert heading.startswith("| treatment | contribution | last_contribution |")
    assert [row.split("`")[1] for row in rows] == ["pool, n", "pool, p"]
    assert all(row.split("`")[1] in PAGE for row in rows)
