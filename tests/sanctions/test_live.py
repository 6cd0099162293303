"""Tests of the sanctions game over live channels: rejections, long plays, every session config."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import pandas as pd
import pytest

from mixed_company.experiment.checking import PLAN
from settings import SESSION_CONFIGS
from tests.door.audit import differences, table, wrong_numbers
from tests.door.harness import seated, synced
from tests.server.wire import Live, Server, server

__all__ = ["server"]  # a fixture

AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}
SANCTIONS = [
    entry
    for entry in SESSION_CONFIGS
    if entry["app_sequence"] == ["sanctions"] and PLAN not in entry  # plans: test_plans_door.py
]
FEW = 8
MATRICES = {"trust", "reputation", "reciprocity_effects", "dependence"}


def contribute(live: Live, period: int, amount: float) -> None:
    assert live.act(period, f"p{period}", contribution=amount)["kind"] == "ack"


# -- refusals -----------------------------------------------------------------------------------


def act(name: str, period: Any = 1, **action: Any) -> dict[str, Any]:
    fields = {"contribution": 1, **action}
    return {"kind": "act", "id": name, "period": period, "action": fields}


HOSTILE: list[Any] = [
    act("not a number", contribution=float("nan")),
    act("infinity", contribution=float("inf")),
    act("below all", contribution=float("-inf")),
    act("huge", contribution=10**500),
    act("text", contribution="10"),
    act("words", contribution="all"),
    act("nothing", contribution=None),
    act("a flag", contribution=True),
    act("all seats", contribution=[1, 1, 1, 1]),
    act("an object", contribution={"seat 1": 5}),
    act("another field", harvest=1),
    act("another seat", seat=2),
    act("sanctions", reciprocity_effects=-3),
    act("the next period", period=2),
    act("the period before", period=0),
    act("a far period", period=10**9),
    act("a farther period", period=10**12),
    act("a period as text", period="1"),
    act("a period in between", period=1.5),
    {"kind": "act", "id": "no field", "period": 1, "action": {}},
    {"kind": "act", "id": "a bare number", "period": 1, "action": 10},
    {"kind": "act", "id": "no period", "action": {"contribution": 1}},
    {"kind": "act", "period": 1, "action": {"contribution": 1}},
    {"kind": "sanction", "id": "another kind", "period": 1, "action": {"contribution": 1}},
]


def test_bad_input_is_rejected_with_a_reason_and_changes_nothing(server):
    session = server.session("sanctions", 1, **AT_ONCE)
    [(_, live)] = seated(server, session)
    contribute(live, 0, 5)
    before = synced(live)
    assert (before["period"], before["phase"]) == (1, "decide")
    exported = server.table("pairs", session)
    for message in HOSTILE:
        answer = live.ask(message)
        assert answer["kind"] == "refused", message
        assert 0 < len(answer["reason"]) < 300
    assert {**synced(live), "remaining_ms": 0} == {**before, "remaining_ms": 0}
    assert server.table("pairs", session) == exported
    contribute(live, 1, 6)
    assert wrong_numbers(server, session) == []
    decisions = table(server, "decisions", session)
    assert decisions[decisions["occupant"] == "person"]["sent_contribution"].tolist() == [5, 6]


def test_amounts_beyond_the_range_count_as_everything_or_nothing(server):
    has = [8, 9, 10, 20]
    session = server.session("sanctions", 1, **AT_ONCE, endowment=str(has), baseline=5)
    [(_, live)] = seated(server, session)
    for period, amount in enumerate((-3, 1e9, 8)):
        contribute(live, period, amount)
    assert wrong_numbers(server, session) == []
    decisions = table(server, "decisions", session)
    person_rows = decisions[decisions["occupant"] == "person"].sort_values("period")
    [endowment] = {has[seat] for seat in person_rows["seat"]}
    assert person_rows["sent_contribution"].tolist() == [-3, 1e9, 8]
    assert person_rows["used_contribution"].tolist() == [0, endowment, 8]
    assert person_rows["reward_kept"].tolist() == [endowment, 0, endowment - 8]
    assert synced(live)["limits"] == {"contribution": [0.0, endowment]}
    assert (decisions["used_contribution"] <= [has[seat] for seat in decisions["seat"]]).all()


# -- a long history ----------------------------------------------------------------------------


def test_a_history_is_limited_and_holds_no_matrix(server, monkeypatch):
    """Use a limit below 200, because the test of the punishment vote covers 200."""
    for module in ("showing", "tables"):
        monkeypatch.setattr(f"mixed_company.server.open.{module}.MOST_PERIODS", FEW)
    session = server.session(
        "sanctions_source", 1, **AT_ONCE, periods=FEW + 4, bots="baseline_keeper"
    )
    [(_, live)] = seated(server, session)
    for period in range(FEW - 1):
        contribute(live, period, period % 50)
    # the whole history, and the start
    assert [entry["period"] for entry in synced(live)["history"]] == list(range(-1, FEW - 1))
    for period in range(FEW - 1, FEW + 4):
        contribute(live, period, period % 50)
        first = synced(live)["history"][0]["period"]
        assert first == (-1 if period == FEW - 1 else period + 1 - FEW)
    view = synced(live)
    assert view["phase"] == "over"
    n = len(view["seats"])
    for name in MATRICES:
        assert [len(row) for row in view["observation"][name]] == [n] * n
    assert len(view["history"]) == FEW
    for entry in view["history"]:
        assert entry["used"] == {"contribution": float(entry["period"] % 50)}
        assert not MATRICES & set(entry["observation"])
        for name in ("contribution", "memory_averages", "baseline"):
            assert len(entry["observation"][name]) == n
    assert wrong_numbers(server, session) == []
    pairs = table(server, "pairs", session)
    assert len(pairs) == (FEW + 4) * n * (n - 1)


# -- exports ------------------------------------------------------------------------------------


@pytest.mark.few(1)
@pytest.mark.parametrize("config", SANCTIONS, ids=[entry["name"] for entry in SANCTIONS])
def test_every_session_config_ends_with_an_export_that_replays_exactly(server, config):
    people = config["people_per_group"]
    session = server.session(config["name"], people, **AT_ONCE, periods=4)
    players = seated(server, session, people)
    for period in range(4):
        for key, (_, live) in enumerate(players):
            contribute(live, period, 3.7 * period + key)
        if config["peer"] != "none":  # the second stage of the period
            for _, live in players:
                points = {"assign": [0] * config["seats"]}
                assert live.act(period, f"points {period}", **points)["kind"] == "ack"
    for person, _ in players:
        person.next()
        assert person.page_name == "Results"
    assert wrong_numbers(server, session) == []
    n = config["seats"]
    pairs = table(server, "pairs", session)
    assert len(pairs) == 4 * n * (n - 1)
    sanctioned = config["archetype"] != "unsanctioned"
    assert (pairs["after_reciprocity_effects"].abs().max() > 0) == sanctioned
    assert not [name for name in pairs if name.endswith("_contributions")]
    assert table(server, "periods", session)["ended"].tolist()[-1] == "horizon"
    decisions = table(server, "decisions", session)
    parts = [name for name in decisions if name.startswith("reward_")]
    assert decisions["reward"].to_numpy() == pytest.approx(decisions[parts].sum(axis=1).to_numpy())
    adds_up(config, decisions, pairs)


def test_codes_made_of_digits_stay_strings_in_the_tables(server, monkeypatch):
    codes = count(6826156)
    monkeypatch.setattr("otree.common.random_chars", lambda _: f"{next(codes):08}")
    monkeypatch.setattr("mixed_company.server.mends.fleet.ending", lambda code, _: code)
    session = server.session("sanctions_reputation", 1, **AT_ONCE, periods=2)
    [(person, live)] = seated(server, session, 1)
    for period in range(2):
        contribute(live, period, 1.0)
    person.next()
    assert set(table(server, "decisions", session)["session"]) == {"06826156"}
    assert wrong_numbers(server, session) == []


def adds_up(config: dict[str, Any], decisions: pd.DataFrame, pairs: pd.DataFrame) -> None:
    """Check that a seat's sanctions are the sum of the effects between it and each other seat."""
    falls_on = "partner" if config["falls_on"] == "deviator" else "seat"
    effects = pairs.groupby(["period", falls_on])["after_reciprocity_effects"].sum()
    rewards = decisions.sort_values(["period", "seat"])["reward_sanctions"]
    assert rewards.to_numpy() == pytest.approx(effects.sort_index().to_numpy())


def test_an_edited_export_of_pairs_is_detected(server):
    session = server.session("sanctions", 1, **AT_ONCE, periods=2)
    [(_, live)] = seated(server, session)
    for period in range(2):
        contribute(live, period, 3)
    tables = [table(server, name, session) for name in ("decisions", "periods", "config", "pairs")]
    assert list(differences(*tables)) == []
    for column in ("after_trust", "after_reciprocity_effects", "partner_memory_averages"):
        edited = [frame.copy() for frame in tables]
        edited[3].loc[5, column] += 0.5
        assert any(f", {column}:" in line for line in differences(*edited))


# -- impossible sessions ------------------------------------------------------------------------

DIAGONAL = [[0.1, 0.3, 0.3, 0.3], [0.3, 0, 0.3, 0.3], [0.3, 0.3, 0, 0.3], [0.3, 0.3, 0.3, 0]]
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"share": 0.3}, "share"),
    ({"share": "[0.2, 0.2, 0.2, 0.2]"}, "share"),
    ({"memory": 0}, "memory"),
    ({"seats": 1}, "seats"),
    ({"mpcr": 0.2}, "mpcr"),
    ({"mpcr": 1}, "mpcr"),
    ({"baseline": 21}, "baseline"),
    ({"baseline": "[10, 10, 10, 30]"}, "baseline"),
    ({"endowment": 0}, "endowment"),
    ({"dependence": str(DIAGONAL)}, "dependence"),
    ({"dependence": DIAGONAL}, "dependence"),
    ({"dependence": "[[0, 0.3], [0.3, 0]]"}, "dependence"),
    ({"dependence": "[[0, 0.3]"}, "dependence"),
    ({"endowment": "[20, 20, 20]"}, "endowment"),
    ({"endowment": [20, 20, 20, 20, 20]}, "endowment"),
    ({"baseline": "[10]"}, "baseline"),
    ({"share": "[0.5, 0.5]"}, "share"),
    ({"seats": 6, "mpcr": 0.15}, "mpcr"),
    ({"window": "later"}, "window"),
    ({"bots": "sustainable"}, "bots"),
    ({"people_per_group": 5}, "people_per_group"),
]


@pytest.mark.long  # test_sanctions_parameters.py covers refusals
def test_impossible_sessions_are_refused_by_name_and_the_server_keeps_running(server):
    before = sessions(server)
    for changes, name in IMPOSSIBLE:
        refusal = server.create("sanctions", 1, **changes)
        assert refusal.status_code == 400, changes
        assert re.search(rf"\b{name}( =|:)", refusal.text), (changes, refusal.text)
    assert sessions(server) == before  # they leave nothing behind
    session = server.session("sanctions", 1, **AT_ONCE, periods=1)
    [(person, live)] = seated(server, session)
    contribute(live, 0, 10)
    person.next()
    assert person.page_name == "Results"
    assert wrong_numbers(server, session) == []


def sessions(server: Server) -> list[str]:
    return sorted(entry["code"] for entry in server.get("/api/sessions").json())


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "changes",
    [
        {"share": "[0.1, 0.2, 0.3, 0.4]"},
        {"endowment": "[20, 30, 15.5, 10]", "baseline": "[10, 12, 0, 10]"},
        {"dependence": str([[0, 0.1, 0.2, 0.3], [1, 0, 0, 0], [0, 0, 0, 0], [0.5, 0.5, 0.5, 0]])},
        {"mpcr": 0.2, "allow_any_mpcr": True},
        {"seats": 2, "mpcr": 0.6, "memory": 1},
        {"archetype": "source", "periods": 3, "seats": 3},
        {"archetype": "coopetition_gym", "periods": 3},
    ],
)
def test_possible_sessions_are_played_as_requested(server, changes):
    session = server.session("sanctions", 1, **AT_ONCE, **{"periods": 3, **changes})
    [(_, live)] = seated(server, session)
    for period in range(3):
        contribute(live, period, 4.5)
    assert synced(live)["phase"] == "over"
    assert wrong_numbers(server, session) == []
