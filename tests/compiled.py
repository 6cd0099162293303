"""One-time compilation of all modules before the workers of `make test` import them.

    python -m tests.compiled

Otherwise every worker in a fresh clone would compile all modules, and pytest would rewrite the
assertions of all tests in every worker. Files that have not changed are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from compileall import compile_file
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from _pytest.assertion import AssertionState
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _read_pyc,
    _rewrite_test,
    _write_pyc,
    get_cache_dir,
)
from _pytest.config import get_config

from tests.project import ROOT, shipped

__all__ = ["compile_all", "rewritten"]

PROCESSES = 2


def compile_all(paths: Sequence[Path]) -> None:
    """Save compiled versions of these modules. Modules with tests are compiled as pytest rewrites
    them."""
    for path in paths:
        if path.name == "conftest.py" or path.name.startswith("test_"):
            _save_rewritten(path)
        else:
            compile_file(path, quiet=1)


def _save_rewritten(path: Path) -> None:
    """Save a test module as pytest compiles it, unless it has been saved."""
    saved = rewritten(path)
    if _read_pyc(path, saved) is None:
        config = get_config()
        digest, code = _rewrite_test(path, config)
        saved.parent.mkdir(exist_ok=True)
        _write_pyc(AssertionState(config, "rewrite"), code, digest, saved)


def rewritten(path: Path) -> Path:
    """Return the file in which pytest saves a test module."""
    return get_cache_dir(path) / f"{path.stem}{PYC_TAIL}"


def main() -> None:
    paths = [ROOT / path for path in shipped() if path.endswith(".py")]
    with ProcessPoolExecutor(PROCESSES) as pool:
        list(pool.map(compile_all, [paths[place::PROCESSES] for place in range(PROCESSES)]))


if __name__ == "__main__":
    main()
