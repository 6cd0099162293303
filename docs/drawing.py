"""Pictures for the documents, as small SVG files. The same numbers always produce the same file."""

from __future__ import annotations

__all__ = ["line", "svg", "text"]


def svg(title: str, width: int, height: int, parts: str) -> str:
    """Return an SVG picture of this size in pixels, on a white background."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{height}" fill="white"/>\n{parts}</svg>\n'
    )


def line(points: str, colour: str) -> str:
    """Return an SVG line through points, such as `0,10 20,30`."""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>\n'


def text(x: int, y: int, words: str) -> str:
    """Return an SVG text that starts at this position."""
    return f'<text x="{x}" y="{y}">{words}</text>\n'
