"""Pictures of the documents: a few lines of SVG, so that the same numbers give the same file."""

from __future__ import annotations

__all__ = ["line", "svg", "text"]


def svg(title: str, width: int, height: int, parts: str) -> str:
    """A picture of this size, in pixels, on white."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{height}" fill="white"/>\n{parts}</svg>\n'
    )


def line(points: str, colour: str) -> str:
    """A line through points: `0,10 20,30`."""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>\n'


def text(x: int, y: int, words: str) -> str:
    """Words that begin at a place."""
    return f'<text x="{x}" y="{y}">{words}</text>\n'
