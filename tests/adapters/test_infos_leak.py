"""The adapters' infos reveal nothing that observations hide, and planted leaks are found."""

from __future__ import annotations

from functools import lru_cache

import pytest

from mixed_company import engine
from mixed_company.adapters.play import Play
from mixed_company.engine.play import told
from tests.engine.plays import every_archetype
from tests.telling import telling_faults, tells_nothing_hidden


@lru_cache(maxsize=4)
def started(game, seed):
    play = Play(game)
    play.reset(seed)
    return play


def infos(game, seed, period, seat):
    """Return an adapter's info, without the action mask, as the facts, and no components."""
    info = started(game, seed).info(seat, period)
    return {name: value for name, value in info.items() if name != "action_mask"}, {}


@pytest.mark.few(2)
@pytest.mark.parametrize(("game_id", "archetype"), every_archetype())
def test_infos_tell_nothing_that_observations_hide(game_id, archetype):
    assert telling_faults(engine.make(game_id, archetype=archetype), infos) == []


@pytest.mark.long
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_infos_tell_nothing_that_layers_or_roles_hide(game_id):
    game = engine.make(game_id, archetype=engine.find(game_id).reference)
    assert tells_nothing_hidden(game, infos) == []


def faults(tell):
    """Return the faults of an archetype in which nearly everything is hidden."""
    return telling_faults(engine.make("sanctions", archetype="reputation"), tell)


def test_a_seed_in_the_infos_is_found():
    def with_seed(game, seed, period, seat):
        facts, components = infos(game, seed, period, seat)
        return {**facts, "seed": seed}, components

    assert any("is told seed of what" in fault for fault in faults(with_seed))


def test_facts_that_ignore_what_is_hidden_are_found(monkeypatch):
    monkeypatch.setattr(told, "_seen", lambda *_: True)
    sentences = faults(infos)
    assert any("mean_trust" in fault for fault in sentences)
    assert any("memory_averages.0->1" in fault for fault in sentences)


def test_components_that_are_always_in_the_infos_are_found():
    def with_components(game, seed, period, seat):
        parts = {name: float(part[seat]) for name, part in period.components.items()}
        return infos(game, seed, period, seat)[0], parts

    sentences = faults(with_components)
    assert any("delayed, sanctions" in fault for fault in sentences)


def test_components_as_facts_are_found():
    def with_components(game, seed, period, seat):
        facts, _ = infos(game, seed, period, seat)
        return {**facts, **{name: part[seat] for name, part in period.components.items()}}, {}

    assert any("told sanctions" in fault for fault in faults(with_components))
