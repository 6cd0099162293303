"""Command line of the mutation tests: see `tests/planted/__init__.py`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from docs.dating import dated
from tests.planted.planter import Planter, Wish
from tests.planted.planting import Room
from tests.planted.results import Results, document
from tests.planted.rooms import PARTS
from tests.project import ROOT

KEPT = ROOT / ".planted"
"""Folder for measurements and results. Delete it to start over."""
QUIET = ("-qq", "--capture=no", "--no-header", "--hypothesis-profile=planted")
WITHOUT = ("cacheprovider", "xdist", "faulthandler")


def main(arguments: list[str]) -> int:
    """Plant faults, or print the results if no part is named."""
    options = _parser().parse_args(arguments)
    if options.part is None:
        results = {part: Results.read(KEPT / part / "results.json") for part in PARTS}
        print(dated(document(results)))
        return 0
    wish = Wish(options.sample, options.seed, options.only, options.again, options.seconds)
    part = PARTS[options.part]
    planter = Planter(Room(ROOT, part.paths()), wish, KEPT / options.part)
    if not wish.again:
        planter.results.command = f"python -m tests.planted {' '.join(arguments)}"
    run(planter, options.tests or part.test_paths())
    return 0


def run(planter: Planter, tests: list[str]) -> None:
    """Collect these tests, and plant faults."""
    # The same few cases for all faults, without shrinking, because one failure is enough.
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
    parser.add_argument(
        "part", nargs="?", choices=PARTS, help="part of the code; print the results if omitted"
    )
    parser.add_argument(
        "--sample", type=int, help="number of faults to draw at random; default: all"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    parser.add_argument("--only", default="", help="only faults whose key contains this text")
    parser.add_argument("--again", action="store_true", help="only the survivors of the last run")
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="CPU seconds of tests per fault"
    )
    parser.add_argument("--tests", nargs="+", help="test files; default: all of the part")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
