"""One copy of the tree for all tests here; those in `house/` are run in it, not in this tree."""

from __future__ import annotations

import pytest

from tests.fifth_game.copied import Copy

collect_ignore = ["house"]


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The tree with the fifth game in it."""
    return Copy.laid_out(tmp_path_factory.mktemp("fifth") / "tree")
