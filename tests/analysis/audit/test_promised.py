"""An export is compared with the sealed plans of the project in which it is checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis.audit.promised import not_as_sealed
from tests.analysis.planned.made import TEXT, export, sealed
from tests.experiment.planned import plan


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a sealed plan, and an export of a session that was played like it."""
    seal = sealed(plan(TEXT))
    (tmp_path / "plans").mkdir()
    text = json.dumps(seal.model_dump(mode="json"))
    (tmp_path / "plans/small.seal.json").write_text(text, encoding="utf-8")
    analysis.save(export(), tmp_path / "export.zip")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_export_of_the_sealed_plan_is_as_promised(project: Path) -> None:
    assert not_as_sealed("export.zip", project / "plans") == []
    assert main(["check", "export.zip"]) == 0


def test_a_treatment_that_differs_from_the_seal_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    analysis.save(export(decision_seconds=46.0), "export.zip")
    assert main(["check", "export.zip"]) == 1
    lines = capsys.readouterr().out.splitlines()[-2:]
    assert lines == [
        f"manifest.json: sessions: plan1: plan: treatment {name} is not as sealed in "
        "plans/small.seal.json"
        for name in ("open", "pool")
    ]


def test_a_plan_without_a_seal_and_a_rehearsal_are_not_compared(project: Path) -> None:
    data = export(decision_seconds=46.0)
    data.manifest["rehearsed"] = {"people": ["random"], "seed": 7}
    analysis.save(data, "rehearsed.zip")
    assert not_as_sealed("rehearsed.zip", project / "plans") == []
    analysis.save(export(decision_seconds=46.0), "export.zip")
    assert not_as_sealed("export.zip", project) == []
