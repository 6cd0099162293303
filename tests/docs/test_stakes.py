"""Tests of docs/stakes.md: conditions calculated by hand, and the shipped sessions."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from docs.dating import undated
from docs.stakes import __main__, earning, page
from docs.stakes.conditions import conditions, shipped
from docs.stakes.earning import Earned, Stake, Table
from mixed_company import engine
from mixed_company.engine import solutions
from settings import SESSION_CONFIGS
from tests.project import ROOT

CONFIGS = {config["name"]: config for config in SESSION_CONFIGS}
STAKE = replace(earning.stake_of(CONFIGS["commons"]), rate=0.2, fee=2.0)
SHIPPED = list(shipped())


def earned(*points: float) -> Earned:
    return Earned(np.array(points))


def table(**changed: object) -> Table:
    """Return a table of two plays. The best policy earns 46 or 54, and random earns 20 on
    average."""
    alone = {"greedy": earned(46, 54), "sustainable": earned(30, 30), "random": earned(10, 30)}
    group = {"greedy": earned(20, 20), "sustainable": earned(40, 40), "random": earned(18, 22)}
    group["population:fischbacher_gaechter_2010_moving"] = earned(1, 1)  # types move
    group["population:kurzban_houser_2005"] = earned(20, 30)
    values = {"stake": STAKE, "alone": alone, "reply": {}, "group": group, "best": 60.0}
    return Table(**{**values, **changed})  # type: ignore[arg-type]


def numbers(table: Table) -> list[tuple[str, bool]]:
    """Return the measurements of all games' conditions, which come first."""
    return [(condition.number, condition.met) for condition in islice(conditions(table), 4)]


def test_the_conditions_are_right_by_hand():
    assert numbers(table()) == [
        ("0.13", True),  # 4 of 50 - 20
        ("0% of plays", True),
        ("10.00", True),  # 2 + 0.2 * 40, of `sustainable`
        ("7.00", False),  # 2 + 0.2 * 25: people would earn too little
    ]


def test_an_unmet_condition_is_reported():
    alone = {"greedy": earned(30, -10), "random": earned(9, 9)}
    group = {"greedy": earned(14, 14), "random": earned(9, 9)}
    group["population:kurzban_houser_2005"] = earned(61, 61)
    assert numbers(table(alone=alone, group=group)) == [
        ("20.00", False),  # 20 of 10 - 9
        ("50% of plays", False),
        ("4.80", False),
        ("14.20", False),
    ]


def short(bots_of: str, **core: object) -> Stake:
    return earning.stake_of({**CONFIGS["commons"], "bots": bots_of, **core})


def test_a_play_of_the_person_among_the_default_bots_by_hand():
    stake = short("fixed:harvest=1", periods=3, initial_stock=100.0, max_harvest=12.0)
    # 12 in each of 3 periods; the others take only 3 per period from a lake of 100
    assert earning.beside(stake, "greedy").points.tolist() == [36.0] * earning.PLAYS
    assert earning.together(stake, "fixed:harvest=2").points.tolist() == [6.0] * earning.PLAYS


def test_the_search_for_a_reply_tries_every_whole_number():
    tried = earning.replies(short("fixed", max_harvest=3.0).game)
    assert tried == [f"fixed:harvest={amount}" for amount in range(4)]


def test_the_search_for_a_reply_tries_equal_steps_if_numbers_are_many():
    tried = earning.replies(short("fixed", max_harvest=100.0).game)
    assert tried == [f"fixed:harvest={amount}" for amount in range(0, 101, 10)]


def test_the_check_names_what_does_not_hold(monkeypatch, capsys):
    poor = table(alone={"greedy": earned(30, -10), "random": earned(9, 9)})
    monkeypatch.setattr(__main__, "shipped", lambda: [STAKE])
    monkeypatch.setattr(__main__, "measured", lambda stake: poor)
    monkeypatch.setattr(__main__, "conditions", lambda table: islice(conditions(table), 2))
    assert __main__.main(["--check", "commons"]) == 1
    assert capsys.readouterr().out == (
        "commons: luck is at most a quarter of the gain from skill: 20.00\n"
        "commons: no sensible policy ends below 0: 50% of plays\n"
    )


def test_the_check_refuses_a_session_without_promises(capsys):
    with pytest.raises(SystemExit):
        __main__.main(["--check", "commons_trained"])
    assert "session 'commons_trained': not one of commons, " in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("name", [stake.name for stake in SHIPPED])
def test_the_default_sessions_keep_their_promises(name, capsys):
    assert __main__.main(["--check", name]) == 0, capsys.readouterr().out


def test_the_document_covers_the_shipped_sessions():
    text = (ROOT / "docs/stakes.md").read_text()
    assert undated(text).startswith(page.INTRODUCTION)
    for stake in SHIPPED:
        part = text.split(f"\n## {stake.game.id}: `{stake.name}`\n")[1].split("\n## ")[0]
        assert f"1 point = {stake.rate:g} EUR" in part
        for policy_id in earning.fitting(stake.game):
            assert f"`{policy_id}`" in part
        assert ("not known" in part) is (solutions.best(stake.game) is None)


def test_the_document_covers_what_people_play_by_default():
    measured = {(stake.game.id, stake.game.config.identity.archetype) for stake in SHIPPED}
    assert {(game_id, "lab") for game_id in engine.game_ids()} <= measured
