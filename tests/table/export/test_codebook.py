"""The codebook in the documentation matches the columns, and an export names the code that wrote
it."""

from __future__ import annotations

import platform
import re
import tomllib
from importlib.metadata import version

from docs import codebook
from mixed_company import engine
from mixed_company.table.export import whole
from mixed_company.table.export.archive import software
from tests.project import ROOT


def test_the_codebook_is_up_to_date() -> None:
    assert (ROOT / "docs/codebook.md").read_text("utf-8") == codebook.document()


def test_the_codebook_of_the_documents_has_every_line_that_the_command_prints() -> None:
    rows = [line for line in whole([]).splitlines() if line.startswith("| ")]
    document = codebook.document()
    columns, _, index = document.partition("## Index")
    assert [line for line in columns.splitlines() if line.startswith("| ")] == rows
    assert "| `delay_ms` | [decisions: commons_game](#decisions-commons_game), " in index
    titles = re.findall(r"^#+ .*", document, flags=re.M)
    assert len(titles) == len(set(titles)), "two tables have the same heading"


def test_a_codebook_of_one_game_is_followed_by_the_columns_of_layers() -> None:
    text = whole(["sanctions"])
    heads = [line for line in text.splitlines() if line.startswith("# ")]
    assert heads == [
        "# Codebook: sanctions",
        "# Codebook: columns added by layers, leaving, questions, talk and peer points",
        "# Codebook: all games",
    ]
    assert "| `points_1..2` | real | points | in the block with this number: " in text
    assert len(engine.game_ids()) > 1


def test_an_export_names_the_code_that_wrote_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert software("numpy") == {
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "mixed_company": project["version"],
    }
