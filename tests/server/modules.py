"""A page on which a test loads the pages' scripts, without a server."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page

from mixed_company.server.pages.guide import STATIC

__all__ = ["AT", "blank"]

AT = "http://pages.invalid"


def blank(browser: Browser, **options: Any) -> Page:
    """Open an empty page at `AT`, with scripts and styles below it as in `_static`."""

    def answer(route: Any) -> None:
        path = STATIC / route.request.url.removeprefix(AT).strip("/")
        if path.suffix in TYPES:
            route.fulfill(body=path.read_text(), content_type=TYPES[path.suffix])
        else:
            route.fulfill(body="<!doctype html><title>A box</title>", content_type="text/html")

    page = browser.new_page(**options)
    page.route(f"{AT}/**", answer)
    return page


TYPES = {".js": "text/javascript", ".css": "text/css"}
