"""The command: see `tests/planted/__init__.py`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.planted.planter import Planter, Wish
from tests.planted.planting import Room
from tests.planted.results import Results, document
from tests.planted.rooms import PARTS
from tests.project import ROOT

KEPT = ROOT / ".planted"
"""What was measured and found so far; whoever deletes it begins anew."""
QUIET = ("-qq", "--capture=no", "--no-header", "--hypothesis-profile=planted")
WITHOUT = ("cacheprovider", "xdist", "faulthandler")


def main(arguments: list[str]) -> int:
    """Plant, or write what was found."""
    given = _parser().parse_args(arguments)
    if given.part is None:
        print(document({part: Results.read(KEPT / part / "results.json") for part in PARTS}))
        return 0
    wish = Wish(given.sample, given.seed, given.only, given.again, given.seconds)
    part = PARTS[given.part]
    planter = Planter(Room(ROOT, part.paths()), wish, KEPT / given.part)
    if not wish.again:
        planter.results.command = f"python -m tests.planted {' '.join(arguments)}"
    run(planter, given.tests or part.test_paths())
    return 0


def run(planter: Planter, tests: list[str]) -> None:
    """Collect these tests, and plant."""
    # The same cases for all faults, fewer of them, and none made smaller: one is enough.
    settings.register_profile(
        "planted",
        settings(
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
            derandomize=True,
            database=None,
            max_examples=30,
            phases=(Phase.explicit, Phase.generate),
        ),
    )
    with tempfile.TemporaryDirectory() as folder:
        options = [*QUIET, f"--basetemp={Path(folder) / 'tests'}"]
        options += [word for name in WITHOUT for word in ("-p", f"no:{name}")]
        pytest.main([*options, *tests], plugins=[planter])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS, help="a room; without: print the results")
    parser.add_argument("--sample", type=int, help="so many faults, drawn; all if not given")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--only", default="", help="faults whose key has this in it")
    parser.add_argument("--again", action="store_true", help="those that survived the last time")
    parser.add_argument("--seconds", type=float, default=20.0, help="of tests for one fault")
    parser.add_argument("--tests", nargs="+", help="files of tests; all of the room if not given")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
