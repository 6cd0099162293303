"""Projects in another folder, on machines with and without symbolic links."""

from __future__ import annotations

from pathlib import Path

import pytest

from mixed_company.server.rehearse import server


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "tree"
    shown = (
        "mixed_company/engine/game.py",
        "_static/page.js",
        "_locale/de.po",
        "README.md",
        "settings.py",
    )
    for name in (*shown, ".venv/x", "_other/x", "db.sqlite3"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("here", encoding="utf-8")
    monkeypatch.setattr(server, "ROOT", root)
    return root


@pytest.mark.parametrize("links", [True, False])
def test_everything_except_databases_and_hidden_files_is_copied(links, tree, tmp_path, monkeypatch):
    def refused(*_: object, **__: object) -> None:
        raise OSError(22, "a required privilege is not held by the client")

    if not links:
        monkeypatch.setattr(Path, "symlink_to", refused)
    project = tmp_path / "runs" / "project"
    if links:
        project.mkdir(parents=True)
    server.lay_out(project, settings="höher = 1\n")
    names = ["README.md", "_locale", "_static", "mixed_company", "settings.py"]
    assert sorted(path.name for path in project.iterdir()) == names
    assert (project / "README.md").read_text(encoding="utf-8") == "here"
    assert (project / "mixed_company/engine/game.py").read_text(encoding="utf-8") == "here"
    assert (project / "settings.py").read_text(encoding="utf-8") == "höher = 1\n"
    assert (tree / "settings.py").read_text(encoding="utf-8") == "here"
