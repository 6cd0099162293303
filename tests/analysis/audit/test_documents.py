"""What docs/analysis.md says of the audit is what the audit says."""

from __future__ import annotations

from pathlib import Path

import analysis
from analysis.__main__ import main

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/analysis.md"


def test_the_line_of_counts_in_the_document_is_that_of_its_example(tmp_path, capsys):
    given = {"people": ["random"] * 4, "groups": 20, "seed": 1, "archetype": "lab"}
    analysis.save(analysis.simulated("commons_game", **given), tmp_path / "simulated.zip")
    assert main(["check", str(tmp_path / "simulated.zip")]) == 0
    text = DOCUMENT.read_text()
    assert capsys.readouterr().out in text
    assert 'people=["random"] * 4, groups=20, seed=1, archetype="lab"' in text
