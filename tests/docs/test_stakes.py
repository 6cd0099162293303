"""Tests of docs/stakes.md: conditions computed by hand, and the shipped sessions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from docs import earning, stakes
from docs.dating import undated
from docs.earning import Dilemma, Earned, Stake, Table
from mixed_company import engine, policies
from mixed_company.analysis import games
from mixed_company.analysis.games import Stakes
from mixed_company.engine import solutions
from settings import SESSION_CONFIGS
from tests.project import ROOT

GREEDY = Dilemma("greedy", gain=24.0, loss=30.0)
CONFIGS = {config["name"]: config for config in SESSION_CONFIGS}
COMMONS = earning.stake_of(CONFIGS["commons"], Stakes(common="best_plan"))
STAKE = replace(COMMONS, rate=0.2, fee=2.0)
SHIPPED = list(earning.shipped())


def earned(*points: float) -> Earned:
    return Earned(np.array(points))


def table(**changed: object) -> Table:
    """Return a table of two plays. The best policy earns 46 or 54, random 20 on average."""
    alone = {"greedy": earned(46, 54), "sustainable": earned(30, 30), "random": earned(10, 30)}
    group = {"greedy": earned(20, 20), "sustainable": earned(40, 40), "random": earned(18, 22)}
    values = {"stake": STAKE, "alone": alone, "reply": {}, "group": group}
    more = {"best": 60.0, "dilemma": GREEDY}
    return Table(**{**values, **more, **changed})  # type: ignore[arg-type]


def numbers(table: Table) -> list[tuple[str, bool]]:
    return [(condition.number, condition.met) for condition in stakes.conditions(table)]


def test_the_conditions_are_right_by_hand() -> None:
    assert numbers(table()) == [
        ("0.40", True),  # 20 of 50
        ("0.33", True),  # 20 of 60
        ("0.13", True),  # 4 of 50 - 20
        ("`greedy`: +0.40 alone, -0.50 if all", True),  # 24 and 30 of 60
        ("0% of plays", True),
        ("6.00 to 10.00 EUR", True),  # 2 + 0.2 * 20 and 2 + 0.2 * 40
    ]


def test_an_unmet_condition_is_reported() -> None:
    alone = {"greedy": earned(30, -10), "random": earned(9, 9)}
    reply = {"fixed:harvest=3": earned(12, 12)}
    group = {"greedy": earned(14, 14), "random": earned(9, 9)}
    measured = table(
        alone=alone, reply=reply, group=group, best=None, dilemma=Dilemma("greedy", 2.0, -3.0)
    )
    assert numbers(measured) == [
        ("0.75", False),  # 9 of 12: a simple reply beats greedy, which earns 10
        ("0.64", False),  # 9 of 14, the best group in the table
        ("20.00", False),  # 20 of 10 - 9
        ("`greedy`: +0.14 alone, +0.21 if all", False),
        ("50% of plays", False),
        ("4.80 to 4.80 EUR", False),
    ]


@pytest.mark.parametrize(
    ("otherwise", "gain", "loss", "met"),
    [
        ("pays", 12.0, 12.0, True),  # a fifth of 60 each
        ("pays", 12.0, 11.9, False),
        ("costs", 0.3, -5.0, True),  # half a percent is treated as nothing
        ("costs", 0.4, 30.0, False),
        ("crowds", -0.3, 12.0, True),
        ("crowds", 0.0, 12.0, False),
        ("crowds", -0.3, 11.9, False),
    ],
)
def test_deviating_has_the_promised_effect(
    otherwise: str, gain: float, loss: float, met: bool
) -> None:
    promises = Stakes(common="best_plan", otherwise=otherwise)  # type: ignore[arg-type]
    measured = table(stake=replace(STAKE, promises=promises), dilemma=Dilemma("greedy", gain, loss))
    assert numbers(measured)[3][1] is met


def short(bots_of: str, **core: object) -> Stake:
    return earning.stake_of({**CONFIGS["commons"], "bots": bots_of, **core}, STAKE.promises)


def test_a_play_of_the_person_among_the_default_bots_by_hand() -> None:
    stake = short("fixed:harvest=1", periods=3, initial_stock=100.0)
    # 12 in each of 3 periods; the others take only 3 a period from a lake of 100
    assert earning.beside(stake, "greedy").points.tolist() == [36.0] * earning.PLAYS
    assert earning.together(stake, "fixed:harvest=2").points.tolist() == [6.0] * earning.PLAYS


def test_deviating_is_measured_against_what_is_best_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(earning, "PLAYS", 1)
    promises = Stakes(common="fixed:harvest=2", tempting="fixed:harvest=5")
    stake = replace(short("fixed", periods=3, initial_stock=100.0), promises=promises)
    # 5 or 2 in each of 3 periods; the lake has enough for 20 a period
    assert earning._dilemma(stake, []) == Dilemma("fixed:harvest=5", 9.0, -9.0)


def test_the_search_for_a_reply_tries_the_whole_range() -> None:
    tried = earning.replies(STAKE.game)
    assert tried[0] == "fixed:harvest=0"
    assert tried[-1] == "fixed:harvest=12"
    assert len(tried) == earning.LEVELS


def test_the_document_covers_the_shipped_sessions() -> None:
    text = (ROOT / "docs/stakes.md").read_text()
    assert undated(text).startswith(stakes.INTRODUCTION)
    for stake in SHIPPED:
        part = text.split(f"\n## {stake.game.id}: `{stake.name}`\n")[1].split("\n## ")[0]
        assert f"1 point = {stake.rate:g} EUR" in part
        for policy_id in earning.fitting(stake.game):
            assert f"\n| `{policy_id}`" in part
        assert ("not known" in part) is (solutions.best(stake.game) is None)


def test_the_document_covers_what_people_play_by_default() -> None:
    measured = {(stake.game.id, stake.game.config.identity.archetype) for stake in SHIPPED}
    assert {(game_id, "lab") for game_id in engine.game_ids()} <= measured


def test_promises_name_only_existing_sessions_and_policies() -> None:
    for game_id in engine.game_ids():
        assert "random" in policies.ids(game_id)
        for name, promises in games.find(game_id).stakes.items():
            stake = earning.stake_of(CONFIGS[name], promises)
            assert 0 < promises.most_random < 1
            for spec in filter(None, (promises.common, promises.tempting)):
                policies.make(spec, stake.game)
