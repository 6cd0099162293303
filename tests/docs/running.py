"""Runner for the blocks of one page: in order, and in a folder with links to the shipped files."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import sys
import tomllib
from copy import deepcopy
from pathlib import Path
from string import Template
from typing import Any

import pytest

import settings
from mixed_company import policies
from mixed_company.__main__ import main
from mixed_company.agents.llm.treatment import checked as prompt
from mixed_company.analysis.importing.mapping import Map
from mixed_company.experiment import treatments
from mixed_company.experiment.plan import Plan
from mixed_company.server.sessions import session_configs
from tests.docs.blocks import Block
from tests.loops import aside
from tests.project import ROOT, link

__all__ = ["Page", "Wrong"]

_ASSIGNED = re.compile(r"(?:export )?(\w+)=(\S*)")
_WIDTH = 100
"""Printed lines longer than this may be wrapped in a document."""


class Wrong(AssertionError):
    """Error for a block that does not do what its document says."""


class Page:
    """State shared by a page's blocks: folder, Python names, variables, output."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        link(folder)
        patch.chdir(folder)
        patch.setattr(sys, "path", list(sys.path))
        patch.setattr(policies, "_folders", {})
        self._patch = patch
        self._variables: dict[str, str] = {}
        self._printed: str | None = None
        self._plan = tomllib.loads((ROOT / "plans/commons_governance.toml").read_text("utf-8"))
        self.names: dict[str, Any] = {"__name__": "document"}

    def run(self, block: Block) -> None:
        """Run a block, and save it if it is marked as a file. Raise Wrong, or the errors of the
        block.
        """
        if block.is_output:
            return self._compare(block)
        runners = {"python": self._python, "toml": self._toml, "json": self._json, "": self._shell}
        if block.language not in runners:
            raise Wrong(f"{block.place}: {block.language} cannot be run; mark it as an excerpt")
        self._printed = None
        if block.mark == "file":
            self._save(block)
        if block.language or block.mark != "file":
            runners[block.language](block)
        return None

    def _compare(self, block: Block) -> None:
        """Compare an output block with the printed text. Long lines may be wrapped in the block."""
        printed = self._line(block.value, block) if block.value else self._printed
        if printed is None:
            raise Wrong(f"{block.place}: no earlier block was run")
        if block.value:
            same = " ".join(block.text.split()) in " ".join(printed.split())
        elif any(len(line) > _WIDTH for line in printed.splitlines()):
            same = printed.split() == block.text.split()
        else:
            same = printed == block.text
        if not same:
            raise Wrong(f"{block.place}: prints\n{printed}instead of\n{block.text}")

    def _python(self, block: Block) -> None:
        code = compile("\n" * block.line + block.text, block.document, "exec")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            aside(exec, code, self.names)
        self._printed = out.getvalue()

    def _toml(self, block: Block) -> None:
        """Read an import map, a prompt, a plan, or keys that change the previous plan or a shipped
        one."""
        content = tomllib.loads(block.text)
        if "columns" in content:
            Map.model_validate(content)
            return
        if "response_format" in content:
            prompt(Path("page"), content)
            return
        if content.keys() & {"treatments", "space"}:
            self._plan = content
        else:
            content = deepcopy({**self._plan, **content})
        for hypothesis in content["hypotheses"].values() if "blocks" in content else ():
            hypothesis.setdefault("block", content["blocks"][0]["name"])
        treatments.session_config("page", Plan.model_validate(content), settings.SESSION_CONFIGS)

    def _json(self, block: Block) -> None:
        self.names["json_block"] = json.loads(block.text)

    def _save(self, block: Block) -> None:
        """Save a block as a file. A linked folder on its path becomes a real folder of links."""
        path = Path(block.value)
        for folder in [*reversed(path.parents)][1:]:
            if folder.is_symlink():
                shipped = folder.resolve()
                folder.unlink()
                folder.mkdir()
                for entry in shipped.iterdir():
                    (folder / entry.name).symlink_to(entry)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        if path.parts[0] == "plans":
            self._patch.setattr(settings, "SESSION_CONFIGS", session_configs())
        if path.parts[:2] == ("bots", "commons_game"):
            self._find_bots(path.parent)

    def _find_bots(self, folder: Path) -> None:
        """Make the policies of a folder available, even though `bots` was imported from
        elsewhere."""
        import bots.commons_game as package

        if str(folder.resolve()) not in package.__path__:
            self._patch.setattr(package, "__path__", [*package.__path__, str(folder.resolve())])
        policies._all.cache_clear()

    def _shell(self, block: Block) -> None:
        lines = re.sub(r"\\\n\s*", " ", block.text).splitlines()
        printed = [self._line(line, block) for line in lines if line.strip()]
        self._printed = "".join(printed)

    def _line(self, line: str, block: Block) -> str:
        """Run one line and return its output."""
        filled = Template(line).safe_substitute(self._variables)
        words = shlex.split(filled, comments=True)
        assigned = _ASSIGNED.fullmatch(" ".join(words))
        if assigned:
            self._variables[assigned[1]] = assigned[2]
            if words[0] == "export":
                self._patch.setenv(assigned[1], assigned[2])
        elif words[0] == "make" and len(words) == 2:
            if not re.search(rf"^{words[1]}:", Path("Makefile").read_text(), flags=re.M):
                raise Wrong(f"{block.place}: the Makefile has no {words[1]}")
        elif words[0] == "mixed":
            return self._mixed(words, block)
        elif words:
            raise Wrong(f"{block.place}: {words[0]} cannot be run; mark it as an excerpt")
        return ""

    def _mixed(self, words: list[str], block: Block) -> str:
        """Run a command in this process. Write redirected output to its file."""
        target = words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if target else words
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            try:
                code = main(words[1:])
            except SystemExit as end:
                code = int(end.code or 0)
        if code != 0:
            raise Wrong(f"{block.place}: {' '.join(words)}: exit code {code}\n{errors.getvalue()}")
        if target is None:
            return out.getvalue()
        Path(target).write_text(out.getvalue(), "utf-8")
        return ""

    def close(self) -> None:
        """Forget the policy modules that the page saved."""
        here = str(Path.cwd()) + os.sep
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", "") or "").startswith(here):
                del sys.modules[name]
        policies._all.cache_clear()
