"""Tests of texts that a page fills in: numbers and their plural forms, in the page's language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mixed_company.language import forms, speaking
from mixed_company.server.pages import texts
from tests.server.modules import AT, blank

FILLED = """async ([language, template, values]) => {
  document.documentElement.lang = language;
  const {exact, number, signed, text} = await import("/mixed/dom.js");
  return {
    numbers: [number(2.5), exact(-0.25), signed(1.25, (value) => number(value, 2)), number(3)],
    forms: values.map((n) => text(template, {n: typeof n === "number" ? number(n) : n})),
    raw: text(template, {n: 1}),
  };
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    page = blank(chromium)
    page.goto(AT)
    yield page
    page.close()


def filled(page: Page, code: str, template: Any, *values: Any) -> dict[str, Any]:
    answer: dict[str, Any] = page.evaluate(FILLED, [code, template, list(values)])
    return answer


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", ["1 point", "1.5 points", "0 points", "2 points"]),
        ("de", ["1 Punkt", "1,5 Punkte", "0 Punkte", "2 Punkte"]),
        ("es", ["1 punto", "1,5 puntos", "0 puntos", "2 puntos"]),
        ("fr", ["1 point", "1,5 point", "0 point", "2 points"]),
    ],
)
def test_a_page_uses_the_plural_forms_of_its_language(page, code, expected):
    with speaking(code):
        template = forms("{n} point", "{n} points")
    assert filled(page, code, template, 1, 1.5, 0, 2)["forms"] == expected


def test_languages_with_three_forms_have_them_all(page):
    """Use Polish plurals in the form that a catalogue would send: 1 punkt, 2 punkty, 5 punktów."""
    few, many = "{n} punkty", "{n} punktow"
    sent = {"0": many, "1": "{n} punkt", "2": few, "3": few, "5": many, "11": many, "100": many}
    answer = filled(page, "pl", sent, 1, 2, 5, 12, 22)
    expected = ["1 punkt", "2 punkty", "5 punktow", "12 punktow", "22 punkty"]
    assert (answer["forms"], answer["raw"]) == (expected, "1 punkt")


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("en", ["2.5", "\N{MINUS SIGN}0.25", "+1.25", "3"]),
        ("de", ["2,5", "\N{MINUS SIGN}0,25", "+1,25", "3"]),
        ("es", ["2,5", "\N{MINUS SIGN}0,25", "+1,25", "3"]),
        ("fr", ["2,5", "\N{MINUS SIGN}0,25", "+1,25", "3"]),
    ],
)
def test_a_page_writes_numbers_as_the_server_does(page, code, written):
    assert filled(page, code, "{n}", 1)["numbers"] == written
    with speaking(code):
        expected = [
            texts.number(2.5),
            texts.exact(-0.25),
            "+" + texts.number(1.25, 2),
            texts.number(3),
        ]
    assert expected == written
