"""Line below a page's heading that states the date and release of the measured figures."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from docs.requirements import declared

__all__ = ["PAGES", "dated", "is_dated", "undated"]

PAGES = (
    *("behaviour", "classics", "coverage", "faults", "judged", "metagame", "pace", "patterns"),
    *("policies", "populations", "reliability", "stakes", "tournaments", "trained"),
    *("developers/figures", "developers/mutants", "developers/tests"),
)
"""Pages in docs/ with figures that no test recomputes."""
_DAY = r"\d{4}-\d\d-\d\d"
_VERSION = r"\d+\.\d+\.\d+(?: to \d+\.\d+\.\d+)?"
_LINE = re.compile(rf"\n\n\*Figures from {_DAY}(?: to {_DAY})?, releases? {_VERSION}\.\*(?=\n\n)")


def dated(page: str, day: date | None = None) -> str:
    """Return a page with a line that states the date of its figures (by default today) and the
    project's release."""
    heading, _, rest = page.partition("\n\n")
    release = re.match(r"\d+\.\d+\.\d+", declared()["version"])
    if release is None:
        raise ValueError(
            f"pyproject.toml, version {declared()['version']!r}: not the version of a release"
        )
    shown = (day or datetime.now(UTC).date()).isoformat()
    return f"{heading}\n\n*Figures from {shown}, release {release[0]}.*\n\n{rest}"


def undated(page: str) -> str:
    """Return a page without the line that `dated` adds."""
    return _LINE.sub("", page, count=1)


def is_dated(page: str) -> bool:
    """Return whether a page has the line that `dated` adds."""
    heading = re.match(r"# .*", page)
    return heading is not None and _LINE.match(page, heading.end()) is not None
