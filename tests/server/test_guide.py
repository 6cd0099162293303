"""The functions and texts that pages need from a game are complete and in its app's files."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import settings
from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.pages import guide as contract
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.sessions import session_configs
from mixed_company.table.options import Options
from tests.server.played import opened, shown_now

GAMES = [name for name in engine.game_ids() if Path(name, "__init__.py").exists()]
OF_PAGES = {"words", "instructions", "scenes", "quiz", "stage", "results"}
FILES = {"__init__", "sessions", "tests", *OF_PAGES}


@pytest.mark.parametrize("game_id", GAMES)
def test_every_app_has_the_same_files(game_id):
    sources = {path.stem: path.read_text() for path in Path(game_id).glob("*.py")}
    assert set(sources) >= FILES
    for module in set(sources) - FILES:  # shared by the files of the app
        users = [name for name, text in sources.items() if f"from {game_id}.{module} im" in text]
        assert len(users) > 1, module
    assert all(f"{name}.py" in (contract.__doc__ or "") for name in FILES)
    assert {path.suffix for path in Path("_static", game_id).iterdir()} - {".svg"} == {
        ".js",
        ".css",
    }


@pytest.mark.parametrize("game_id", GAMES)
def test_every_app_reads_the_same_but_for_its_names(game_id):
    first, other = (_models(name) for name in (GAMES[0], game_id))
    assert first == other


def _models(game_id: str) -> list[str]:
    """Return the lines of an app that come after its constants."""
    return Path(game_id, "__init__.py").read_text().split("class Subsession")[1].splitlines()


def test_the_sessions_of_all_apps_are_on_the_list():
    assert session_configs() == settings.SESSION_CONFIGS
    assert {config["app_sequence"][0] for config in settings.SESSION_CONFIGS} == set(GAMES)
    names = [config["name"] for config in settings.SESSION_CONFIGS]
    assert len(set(names)) == len(names)


def test_an_app_without_a_file_or_a_part_is_named(monkeypatch):
    files = {name: ModuleType(name) for name in ("words", "instructions", "quiz", "stage")}
    for file, names in (("words", ("TITLE", "texts")), ("instructions", ("section",))):
        vars(files[file]).update(dict.fromkeys(names))

    def load(path: str) -> ModuleType:
        name = path.partition(".")[2]
        if name not in files:
            raise ModuleNotFoundError(path, name=path)
        return files[name]

    monkeypatch.setattr(contract, "import_module", load)
    with pytest.raises(ConfigError, match=r"^new/instructions.py: has no sections; did you mean"):
        guide_of.__wrapped__("new")
    del files["words"]
    with pytest.raises(ConfigError, match=r"^new/words.py: is missing"):
        guide_of.__wrapped__("new")


def _hidden(value: Any, generator: np.random.Generator) -> Any:
    """Return an observation that is partly or completely hidden."""
    if isinstance(value, list):
        return [_hidden(item, generator) for item in value]
    return None if generator.random() < 0.5 else value


ARCHETYPES = [(game_id, name) for game_id in GAMES for name in engine.find(game_id).archetypes]


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_a_page_is_sent_plain_json_whatever_it_shows(game_id, archetype):
    game = engine.make(game_id, archetype=archetype)
    guide, table = guide_of(game_id), opened(game)
    maskable = {field.name for field in game.declaration.observations if field.maskable}
    generator = np.random.default_rng(5)
    seen: list[Any] = []
    json.dumps(guide.setting(game, 0), allow_nan=False)
    for _ in range(min(6, game.horizon)):
        sent = shown_now(table, 0, seen)
        json.dumps(sent["shown"], allow_nan=False)
        for _hiding in range(5):
            blind = [
                {k: _hidden(v, generator) if k in maskable else v for k, v in observation.items()}
                for observation in [*seen[-2:], sent["observation"]]
            ]
            json.dumps(guide.derived(game, 0, blind), allow_nan=False)
        seen.append(sent["observation"])
        table.advance(10**9 * (1 + len(seen)), 1)
        if table.episode.done:
            return


@pytest.mark.parametrize("game_id", GAMES)
def test_a_guide_says_something_about_everything(game_id):
    game = engine.make(game_id, archetype="lab")
    guide = guide_of(game_id)
    assert guide.title
    assert guide.sections(game, Options())
    assert guide.quiz(game, Options())
    assert all(guide.texts(game.core).values())
