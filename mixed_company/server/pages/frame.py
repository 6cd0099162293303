"""The frame that oTree 6.0.15 puts around every page of a participant, as a screen reader needs it.

oTree does not say in which language a page is, and calls the form that holds all of it a landmark
of its own, so that the landmarks of the page are nested in it.
"""

from __future__ import annotations

from html import escape

__all__ = ["framed"]


def framed(page: str, language: str) -> str:
    """The HTML of a page with its language, a code such as `en`, and a form that is no landmark."""
    page = page.replace("<html>", f'<html lang="{escape(language)}">', 1)
    return page.replace('role="form"', "", 1)
