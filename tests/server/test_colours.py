"""Seats differ in colour wherever a picture has no other mark, even for colour-blind people. They
differ in shape wherever a badge is drawn."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest

from mixed_company.server.pages.guide import STATIC

VISIONS: dict[str, Any] = {
    "usual": np.eye(3),
    "no red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no blue": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
"""Machado, Oliveira and Fernandes (2009), severity 1: from linear RGB to perceived linear RGB."""

XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
WHITE = (0.9505, 1.0, 1.089)
APART = 10.0
"""CIE 1976 difference: 2.3 is barely noticeable side by side, and a legend needs more."""


def tokens() -> dict[str, str]:
    """Return the style sheet's tokens by name, with references replaced by their colour."""
    text = (STATIC / "mixed/tokens.css").read_text()
    values = dict(re.findall(r"--([\w-]+): ([^;]+);", text.split("[data-game")[0]))
    for name, value in values.items():
        while reference := re.fullmatch(r"var\(--([\w-]+)\)", value):
            value = values[reference.group(1)]
        values[name] = value
    return values


def linear(colour: str) -> Any:
    """Return `#rrggbb` as linear RGB (3,)."""
    value = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def seen(colour: str, vision: str) -> Any:
    """Return the CIELAB (3,) of a colour as seen with this colour vision."""
    rgb = np.clip(np.asarray(VISIONS[vision]) @ linear(colour), 0, 1)
    share = np.asarray(XYZ) @ rgb / WHITE
    bent = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])])


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of WCAG 2, from 1 to 21."""
    lights = sorted(float(np.dot(XYZ[1], linear(colour))) for colour in (first, second))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_the_measures_are_right_by_hand():
    assert contrast("#ffffff", "#000000") == pytest.approx(21, abs=0.01)
    assert seen("#ffffff", "usual") == pytest.approx([100, 0, 0], abs=0.1)
    red, green = (seen(colour, "no green") for colour in ("#a83f00", "#5a5a00"))
    usual = np.linalg.norm(seen("#a83f00", "usual") - seen("#5a5a00", "usual"))
    assert np.linalg.norm(red - green) < usual / 2  # red and green look alike in this vision


@pytest.mark.parametrize("vision", VISIONS)
def test_the_colours_of_any_two_seats_can_be_told_apart(vision):
    values = tokens()
    looks = {seat: seen(values[f"seat-dark-{seat}"], vision) for seat in range(6)}
    near = {
        pair: round(float(np.linalg.norm(looks[pair[0]] - looks[pair[1]])), 1)
        for pair in itertools.combinations(looks, 2)
    }
    assert min(near.values()) >= APART, {pair: far for pair, far in near.items() if far < APART}


def test_letters_on_a_seat_and_lines_around_it_are_visible():
    values = tokens()
    for seat in range(6):
        assert contrast(values[f"seat-dark-{seat}"], values["paper"]) >= 4.5
        assert contrast(values[f"seat-{seat}"], values["paper"]) >= 3


def test_the_badges_of_six_seats_have_six_shapes():
    shapes = re.search(r"const SHAPES = \[(.*?)\];", (STATIC / "mixed/dom.js").read_text(), re.S)
    assert shapes is not None
    assert len(set(re.findall(r'"([^"]+)"', shapes.group(1)))) == 6
