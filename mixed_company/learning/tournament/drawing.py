"""Parts of pictures in SVG of our own: the same parts give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["dot", "drawn", "line", "text", "turned"]


def text(x: float, y: float, text: str, anchor: str = "start") -> str:
    """Words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>\n'


def turned(x: float, y: float, text: str) -> str:
    """Words that rise to the right."""
    where = f"{x:.1f} {y:.1f}"
    return f'<text transform="translate({where}) rotate(-60)">{escape(text)}</text>\n'


def dot(x: float, y: float, colour: str) -> str:
    """A point."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>\n'


def line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    """A line from one place to another."""
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="2"/>\n'


def drawn(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """A picture of these parts, on white."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
    )
    return head + "".join(parts) + "</svg>\n"
