"""Pages draw the data that they are sent and compute no rules. This is checked in the modules of
`_static`.

A stage gets its `setting` and, with every view, `shown`, both from the `stage.py` of its game. It
gets none of the game's parameters and layers. So a module that computes a rule must use a value
that is not sent, or raise a chance or a factor to a power itself.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.pages.guide import STATIC, guide_of
from tests.scripts import code
from tests.server.played import first_view

GAMES = [name for name in engine.game_ids() if (STATIC / name / "stage.js").exists()]
MODULES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.glob("*/*.js"))


def parameters() -> set[str]:
    """Return the names of all games' parameters and of the layers."""
    names = {
        name for game_id in engine.game_ids() for name in engine.find(game_id).Core.model_fields
    }
    layers = set(type(engine.make(GAMES[0]).config.layers).model_fields)
    return names | layers | {"core", "layers"}


def asked(text: str, of: str) -> set[str]:
    """Return the names that a module reads from `setting` or from `view.shown`."""
    text, path = code(text), of.replace(".", r"\.")
    names = set(re.findall(rf"\b{path}\??\.(\w+)", text))
    for inside in re.findall(rf"\{{([^{{}}]*)\}}\s*=\s*{path}\s*;", text):
        names |= keys(inside)
    for inside in re.findall(rf"\b{of.rpartition('.')[2]}: \{{([^{{}}]*)\}}", text):
        names |= keys(inside)
    return names


def keys(inside: str) -> set[str]:
    """Return the keys of `{a, b: c}`."""
    return {part.split(":")[0].strip() for part in inside.split(",") if part.strip()}


def wrong(text: str, sent: set[str]) -> list[str]:
    """Return the signs that a game's module computes a rule: parameters that are not sent, and
    powers."""
    plain = code(text)
    read = set(re.findall(r"\b(?:setting|core|layers)\??\.(\w+)", plain)) | asked(text, "setting")
    faults = [f"reads {name}, which is not sent" for name in sorted(read - sent)]
    faults += [f"names {name}" for name in ("core", "layers") if re.search(rf"\b{name}\b", plain)]
    if re.search(r"\*\*|Math\.(pow|exp|tanh|sqrt)\b", plain.replace("10 ** Math.floor", "")):
        faults.append("computes a power")
    return faults


@pytest.mark.parametrize("game_id", GAMES)
def test_a_stage_computes_no_rule(game_id):
    game = engine.make(game_id, archetype="lab")
    sent = set(guide_of(game_id).setting(game, 0))
    for path in (STATIC / game_id).glob("*.js"):
        assert wrong(path.read_text(), sent) == [], path.name


@pytest.mark.parametrize("game_id", GAMES)
def test_a_stage_draws_everything_it_is_sent(game_id):
    everything = " ".join(code(path.read_text()) for path in (STATIC / game_id).glob("*.js"))
    view: dict[str, Any] = first_view(game_id)
    for name in (*view["shown"], *guide_of(game_id).setting(engine.make(game_id), 0)):
        assert re.search(rf"\b{name}\b", everything), name


@pytest.mark.parametrize("game_id", GAMES)
def test_a_stage_reads_only_shown_values_of_a_view(game_id):
    shown = set(first_view(game_id)["shown"])
    for path in (STATIC / game_id).glob("*.js"):
        assert asked(path.read_text(), "view.shown") <= shown, path.name


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("mixed/")])
def test_modules_for_all_games_know_no_parameter_of_any(name):
    used = set(re.findall(r"\b[a-z]+_[a-z_]+\b", code((STATIC / name).read_text())))
    assert not used & {
        name_of_parameter for name_of_parameter in parameters() if "_" in name_of_parameter
    }


@pytest.mark.parametrize(
    "planted",
    [
        "const born = core.growth_rate * stock * (1 - stock / core.capacity);",
        "const chance = Math.min(setting.truncation, base * setting.worker_bonus);",
        "const {growth_rate} = setting;",
        "export function create({setting: {capacity, pool_decay}, seat}) {}",
        "const chance = base * bonus ** (workers - 1);",
        "const sharp = layers.information.intensity === 0;",
    ],
)
def test_a_planted_rule_is_found(planted):
    assert wrong(planted, {"capacity"})


def test_a_drawing_is_not_a_rule():
    drawing = "const level = HEIGHT * (1 - stock / setting.capacity);  // core of the picture"
    assert wrong(drawing, {"capacity"}) == []
