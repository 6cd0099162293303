"""Small exports to report on, and a parser for the report's page."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis import report
from mixed_company.analysis.data import Data
from mixed_company.analysis.report import behaving, drawing
from mixed_company.analysis.report.contents import contents
from mixed_company.analysis.report.measured import Measured
from mixed_company.analysis.report.page import page

FIRST_GAME = [
    pytest.param(game, marks=[pytest.mark.long] if number else [])
    for number, game in enumerate(engine.game_ids())
]
"""All games. Those after the first are marked `long`."""

NASTY = "<script>alert('x')</script>&\"$a_1${{7*7}}{% raw %}"
"""Malicious label or session name."""


def played(game: str = "commons_game", groups: int = 2, treatment: str = "open", **changes) -> Data:
    """Simulate groups with two people and random policies."""
    options = {"people": ["random"] * 2, "bots": ["random"], "seed": 1, "archetype": "lab_0_7"}
    return analysis.simulated(game, groups=groups, treatment=treatment, **(options | changes))


def two_treatments(game: str = "commons_game", **changes) -> Data:
    return analysis.joined(
        played(game, **changes), played(game, treatment="other", **({"seed": 2} | changes))
    )


def with_people(data: Data, *rows: dict) -> Data:
    """Return the data with extra participants who never got a seat."""
    usual = {"session": "open", "label": "", "quiz_attempts": 0, "points": 0.0}
    more = pd.DataFrame([{"status": "arriving"} | usual | row for row in rows])
    outcomes = pd.concat([data.outcomes, more], ignore_index=True)
    kinds = {"group": "Int64", "seat": "Int64", "quiz_attempts": "Int64"}
    texts = dict.fromkeys(("label", "participant", "status", "session", "quiz_log"), "str")
    return replace(data, outcomes=outcomes.fillna(dict.fromkeys(texts, "")).astype(kinds | texts))


def strangers(data: Data) -> Data:
    """Return the data with groups 1 and 2 of every session as the first play of a repeated block,
    and groups 3 and 4 as the second, in which people have exchanged their groups."""
    names = {f"-{group}-{seat}": f"-{_EARLIER[group, seat]}-{seat}" for group, seat in _EARLIER}
    frames: dict[str, Any] = {}
    for name in ("decisions", "seats", "outcomes"):
        frame = getattr(data, name)
        codes = frame["participant"].replace(names, regex=True)
        frames[name] = frame.assign(participant=codes.astype("str"))
    play = (data.config["group"] > 2).astype(int)
    frames["config"] = data.config.assign(block="all", matching_group=1, play=play)
    return replace(data, **frames)


_EARLIER = {(3, 0): 1, (3, 1): 2, (4, 0): 2, (4, 1): 1}
"""The group that a person had in the first play, by group and seat in the second."""


def with_row(table: pd.DataFrame, row: int, **values) -> pd.DataFrame:
    """Return the table with some values in one row changed."""
    changed = table.copy()
    for name, value in values.items():
        changed.loc[row, name] = value
    return changed


def short(game: str, periods: int = 3) -> dict[str, int]:
    """Return parameters for this many periods, under the game's usual name."""
    return {"turns" if game == "punishment_vote" else "periods": periods}


@lru_cache(maxsize=8)
def of_game(game: str) -> dict[str, str | bytes]:
    """Return a report on two treatments with two groups each, or with one group each for games
    after the first. One person with a malicious name dropped out during the quiz.
    """
    groups = 2 if game == engine.game_ids()[0] else 1
    data = two_treatments(game, groups=groups, **short(game))
    return report.files(
        with_people(data, {"participant": "gone", "label": NASTY, "quiz_attempts": 2})
    )


class Blank:
    """Stand-in that accepts any drawing call and returns itself."""

    def __getattr__(self, name: str) -> Blank:
        return self

    def __call__(self, *args: Any, **named: Any) -> Blank:
        return self

    def __getitem__(self, place: int) -> Blank:
        return self

    def __iter__(self) -> Iterator[Blank]:
        return iter(())


@contextmanager
def main_alone() -> Iterator[None]:
    """Test only the main measures in reports."""
    families = Measured.families.func
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Measured, "families", property(lambda of: families(of)[:1]))
        yield


@contextmanager
def undrawn(all_tests: bool = False) -> Iterator[None]:
    """Leave figures empty, fit models of behaviour only on request, and test only the main
    measures. These take most of the time, and other parts of the text do not need them.

    all_tests   test all measures
    """

    def canvas(width: float, height: float, rows: int = 1, **how: Any) -> Any:
        return Blank(), [Blank()] * rows

    def stacked(heights: Sequence[float], width: float = 6.8) -> Any:
        return canvas(width, sum(heights), len(heights))

    with pytest.MonkeyPatch.context() as patched:
        empty = '<svg viewBox="0 0 1 1"></svg>', bytes
        patched.setattr(drawing, "rendered", lambda figure: empty)
        patched.setattr(drawing, "canvas", canvas)
        patched.setattr(drawing, "stacked", stacked)
        patched.setattr(behaving, "MOST", 0)
        for name in ("keyed", "keyed_above"):
            patched.setattr(drawing, name, lambda *args, **where: None)
        with nullcontext() if all_tests else main_alone():
            yield


def words(data: Data) -> Page:
    """Return the HTML page of a report without its drawings."""
    with undrawn():
        return Page(report.html(data))


def both(data: Data, contest: bool = False) -> tuple[dict[str, pd.DataFrame], Page]:
    """Return the tables and the page of one report without its drawings."""
    with undrawn(all_tests=True):
        whole = contents(data, contest=contest)
    return {name: table.frame for name, table in whole.tables.items()}, Page(page(whole))


@lru_cache(maxsize=1)
def of_two_treatments() -> tuple[dict[str, pd.DataFrame], Page]:
    """Return a report on two treatments with two groups each, which play two periods."""
    return both(two_treatments(periods=2))


@lru_cache(maxsize=1)
def of_one_treatment() -> tuple[dict[str, pd.DataFrame], Page]:
    """Return a report on two groups that play two periods."""
    return both(played(periods=2))


class Page(HTMLParser):
    """Parsed page: table cells with the value each claims to show, tags, and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[tuple[str, int, str, str]] = []
        self.tags: list[tuple[str, dict]] = []
        self._row: dict = {}
        self._columns: list[str] = []
        self._rows: list[str] = []
        self._cells_of_row, self._packed = 0, False
        self._csv = ""
        self._place: tuple[int, str] = (0, "")
        self._cell: list[str] | None = None
        self._words: list[str] = []
        self.feed(text)
        self.text = " ".join("".join(self._words).split())

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag == "table":
            self._csv, self._columns, self._rows = attributes["data-csv"], [], []
        if tag == "tbody":
            self._rows = attributes.get("data-rows", "").split()
        if tag == "th" and "data-column" in attributes:
            self._columns.append(attributes["data-column"])
        if tag == "tr":
            self._row, self._cells_of_row = attributes, 0
        if tag == "td":
            context, number = self._row | attributes, self._cells_of_row
            column = context.get("data-column") or self._columns[number]
            row = context.get("data-row") or self._rows[number]
            self._place, self._cell = (int(row), column), []
            self._cells_of_row += 1
        self._packed = tag == "script" and attributes.get("id", "").endswith("-tables")

    def handle_data(self, data):
        if self._packed:  # as the page's script unpacks it
            inside = Page(zlib.decompress(base64.b64decode(data)).decode())
            self.cells += inside.cells
            self.tags += inside.tags
            data = inside.text
        self._words.append(data)
        if self._cell is not None:
            self._cell.append(data)

    def handle_endtag(self, tag):
        self._packed = False
        if tag == "td":
            self.cells.append((self._csv, *self._place, "".join(self._cell or [])))
            self._cell = None

    def all(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.tags if name == tag]
