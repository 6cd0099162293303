"""Fixture with a copy of the tree. Tests in `house/` run in the copy, not here."""

from __future__ import annotations

import pytest

from tests.fifth_game.copied import Copy

collect_ignore = ["house"]


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Copy the tree, with the fifth game in it."""
    return Copy.laid_out(tmp_path_factory.mktemp("fifth") / "tree")
