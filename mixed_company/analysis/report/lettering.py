"""The font that figures are lettered with, and the part of it that their PDF files are made from.

A PDF has in it the few glyphs that it shows. To take them out of all of DejaVu Sans takes longer
than to draw the figure, so the usual scripts are taken out once, and figures take their glyphs
from those.
"""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from fontTools import subset
from matplotlib.font_manager import findfont

__all__ = ["FONT", "covers", "font_file"]

FONT = "DejaVu Sans"
_COMMON = frozenset([*range(0x20, 0x250), *range(0x370, 0x530), *range(0x2000, 0x2300), 0xA])
"""Latin, Greek and Cyrillic; punctuation, arrows and signs; the end of a line."""

_folders: list[tempfile.TemporaryDirectory[str]] = []
"""Of this process; gone when it ends."""


def covers(text: str) -> bool:
    """Is the text written in what `font_file` has?"""
    return _COMMON.issuperset(map(ord, text))


@lru_cache(maxsize=1)
def font_file() -> Path:
    """A font file with the common scripts alone, without what only laying out needs."""
    options = subset.Options(glyph_names=True, layout_features=[], name_IDs=["*"])
    options.drop_tables += ["FFTM", "GDEF", "GPOS", "GSUB", "MATH", "kern"]
    font = subset.load_font(str(findfont(FONT)), options)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=_COMMON)
    chosen.subset(font)
    _folders.append(tempfile.TemporaryDirectory(prefix="lettering-"))
    path = Path(_folders[-1].name) / f"{FONT}.ttf"
    subset.save_font(font, str(path), options)
    return path
