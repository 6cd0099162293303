"""The conformance kit passes every shipped game, and catches games broken on purpose."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.engine import kit as check
from mixed_company.engine.kit.layers import settings, with_layers
from tests.engine.broken import BROKEN, cases
from tests.engine.plays import commons
from tests.engine.toys import toy

OTHERS = [
    (game, archetype)
    for game in engine.game_ids()
    for archetype in (None, *engine.find(game).archetypes)
    if archetype != engine.find(game).reference
]
CASES = cases(check.CHECKS)


def case_name(value):
    return getattr(value, "__name__", "no broken game")


def played_for_a_while(game_id, archetype):
    """Return a game unchanged, or an archetype with at most 4 periods."""
    game = engine.make(game_id, archetype=archetype)
    if archetype is None or game.horizon <= 4:
        return game
    length = "turns" if "turns" in game.Core.model_fields else "periods"
    return engine.make(game_id, archetype=archetype, **{length: 4})


@pytest.mark.parametrize("game", engine.game_ids())
def test_every_game_keeps_the_contract(game):
    assert list(check.faults(played_for_a_while(game, engine.find(game).reference))) == []


@pytest.mark.long
@pytest.mark.parametrize(("game", "archetype"), OTHERS)
def test_every_archetype_of_every_game_keeps_the_contract(game, archetype):
    assert list(check.faults(played_for_a_while(game, archetype))) == []


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 7])
def test_the_commons_keeps_the_contract_with_any_number_of_seats(seats):
    check.conformance(commons(seats=seats, observation="local", stock_noise=2))


def test_a_game_with_choices_and_counts_can_keep_the_contract():
    assert check.conformance(toy()) is None


@pytest.mark.long
def test_a_game_with_a_flag_to_set_can_keep_the_contract():
    assert list(check.faults(toy(may_flag=True))) == []


@pytest.mark.long
@pytest.mark.parametrize("game", engine.game_ids())
def test_layers_leaving_and_turns_together_keep_the_contract(game):
    agents = {"may_leave": True}
    if not engine.find(game).own_timing:
        agents["timing"] = "sequential"
    length = {"turns": 4} if game == "punishment_vote" else {"periods": 4}
    plain = engine.make(game, agents=agents, seats=4, **length)
    layers = {name: {**setting, "intensity": 0.4} for name, setting in settings(plain).items()}
    assert len(layers) >= 5
    assert list(check.faults(with_layers(plain, layers))) == []


@pytest.mark.long
def test_roles_do_not_break_the_contract():
    agents = {
        "roles": {"member": {}, "idle": {"acts": [], "sees": []}},
        "seats": ["member", "idle", "member", "member"],
    }
    check.conformance(commons(agents=agents, governance="per_step", initial_wealth=5))


@pytest.mark.long
def test_roles_do_not_break_the_contract_of_choices():
    roles = {"member": {}, "idle": {"acts": [], "sees": []}}
    agents = {"roles": roles, "seats": ["member", "idle"]}
    assert list(check.faults(toy(agents=agents))) == []


@pytest.mark.parametrize(("which", "broken"), CASES, ids=case_name)
def test_each_check_catches_a_game_broken_for_it(which, broken):
    assert broken, f"no broken game tests {which.__name__}"
    faults = which(engine.make(broken, periods=6))
    assert faults
    assert all(isinstance(fault, str) and fault for fault in faults)


def test_conformance_names_the_rule_that_a_game_breaks(monkeypatch):
    which, broken = CASES[0]
    monkeypatch.setattr(check, "CHECKS", (check.log_replays, which))
    with pytest.raises(check.ConformanceError) as refused:
        check.conformance(engine.make(broken))
    assert str(refused.value).startswith("commons_game:\n")
    assert f"{which.__name__}: " in str(refused.value)


def test_an_error_in_a_check_is_a_fault_of_the_game(monkeypatch):
    def raises(game):
        raise ValueError("no number")

    monkeypatch.setattr(check, "CHECKS", (raises, check.log_replays))
    assert list(check.faults(commons())) == [("raises", "ValueError: no number")]


def test_every_broken_game_belongs_to_an_existing_check():
    assert set(BROKEN) == {rule.__name__ for rule in check.CHECKS}


@pytest.mark.parametrize("instrumentation", [{"period": 0}, {"episode": False}])
def test_a_log_that_is_not_kept_is_not_replayed(instrumentation):
    assert check.log_replays(commons(instrumentation=instrumentation)) == []


def test_a_random_walk_ends_with_the_play():
    outcomes = [outcome for _, _, outcome in check.walk(commons(periods=3), seed=0)]
    assert [bool(outcome.done) for outcome in outcomes] == [False, False, True]
