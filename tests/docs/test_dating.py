"""Tests that pages with measured figures state the date and the release."""

from __future__ import annotations

import re

import pytest

from docs import dating
from tests.project import ROOT


@pytest.mark.parametrize("name", dating.PAGES)
def test_measured_figures_have_a_date_and_a_release(name: str) -> None:
    assert dating.is_dated((ROOT / f"docs/{name}.md").read_text("utf-8"))


def test_a_page_without_the_date_of_its_figures_is_found() -> None:
    page = "# Pace\n\nHow long a turn is.\n"
    dated = dating.dated(page)
    line = r"\*Figures from \d{4}-\d\d-\d\d, release \d+\.\d+\.\d+\.\*"
    assert re.match(rf"# Pace\n\n{line}\n\nHow", dated)
    assert dating.is_dated(dated)
    assert dating.undated(dated) == page
    assert not dating.is_dated(page)
    assert not dating.is_dated(dated.replace(", release", ""))
    assert not dating.is_dated(page + dated)
