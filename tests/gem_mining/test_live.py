"""Tests of gem mining over live channels: rejections, observations, exports, every session
config."""

from __future__ import annotations

import io
import re
from typing import Any

import pandas as pd
import pytest

from mixed_company.experiment.checking import PLAN
from settings import SESSION_CONFIGS
from tests.door.audit import differences, table, wrong_numbers
from tests.door.harness import seated, synced, worked_out
from tests.server.wire import Live, Server, server

__all__ = ["server"]  # a fixture

AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}
GEMS = [
    entry
    for entry in SESSION_CONFIGS
    if entry["app_sequence"] == ["gem_mining"] and PLAN not in entry  # plans: test_plans_door.py
]
JUDGED = ["expected_gems_0", "expected_points", "best_expected_points", "efficiency"]


def reached(live: Live) -> range:
    """Return the mines within reach according to the page."""
    first, last = map(int, synced(live)["limits"]["mine"])
    return range(first, last + 1)


def go(live: Live, period: int, mine: int) -> None:
    answer = live.act(period, f"p{period}", mine=mine)
    assert answer["kind"] == "ack", answer


def play_on(live: Live, mines: range, start: int, end: int) -> None:
    """Choose these mines in turn."""
    for period in range(start, end):
        go(live, period, mines[period % len(mines)])


# -- refusals -----------------------------------------------------------------------------------


def act(name: str, action: Any, period: Any = 1) -> dict[str, Any]:
    return {"kind": "act", "id": name, "period": period, "action": action}


def test_a_mine_out_of_reach_is_rejected_with_the_mines_in_reach(server):
    session = server.session("gems", 1, **AT_ONCE)
    [(_, live)] = seated(server, session)
    mines = reached(live)
    go(live, 0, mines[-1])
    before = synced(live)
    assert (before["period"], before["phase"]) == (1, "decide")
    exported = server.table("periods", session)
    listed = "choose one of " + ", ".join(map(str, mines))
    assert len(mines) < 7
    others = [mine for mine in range(7) if mine not in mines]  # within reach of some village
    for wrong in (*others, -1, 7, 10**9, 1e300, mines[0] + 0.5, mines[0] + 1e-9):
        answer = live.ask(act(f"to {wrong}", {"mine": wrong}))
        assert answer["kind"] == "refused"
        assert answer["reason"].startswith("mine = ")
        whole = wrong % 1 == 0
        rule = f"not allowed right now; {listed}" if whole else "must be a whole number"
        assert answer["reason"].endswith(f": {rule}"), answer
    assert {**synced(live), "remaining_ms": 0} == {**before, "remaining_ms": 0}
    assert server.table("periods", session) == exported
    go(live, 1, mines[0])
    decisions = table(server, "decisions", session)
    person_rows = decisions[decisions["occupant"] == "person"].sort_values("period")
    assert (
        person_rows["sent_mine"].tolist()
        == person_rows["used_mine"].tolist()
        == [mines[-1], mines[0]]
    )
    assert wrong_numbers(server, session) == []


NO_MINE: list[tuple[Any, str]] = [
    ({"mine": "a"}, "mine = 'a': must be a number"),
    ({"mine": "1"}, "mine = '1': must be a number"),
    ({"mine": None}, "mine = None: must be a number"),
    ({"mine": True}, "mine = True: must be a number"),
    ({"mine": [1]}, "mine = [1]: must be a number"),
    ({"mine": {"village": 1}}, "mine = {'village': 1}: must be a number"),
    ({"mine": float("nan")}, "mine = nan: must be a finite number"),
    ({"mine": float("inf")}, "mine = inf: must be a finite number"),
    ({"mine": float("-inf")}, "mine = -inf: must be a finite number"),
    ({"mine": 10**500}, "mine = a huge number: must be a finite number"),
    ({}, "action field 'mine': is missing"),
    ({"mines": 1}, "action field 'mines': unknown; did you mean 'mine'?"),
    ({"harvest": 3}, "action field 'harvest': unknown"),
    (None, "action = None: should be an object"),
    (2, "action = 2: should be an object"),
]


def test_an_invalid_mine_is_rejected_with_a_reason_and_changes_nothing(server):
    session = server.session("gems", 1, **AT_ONCE)
    [(_, live)] = seated(server, session)
    mines = reached(live)
    go(live, 0, mines[0])
    before = synced(live)
    for number, (action, reason) in enumerate(NO_MINE):
        answer = live.ask(act(f"no mine {number}", action))
        assert answer["kind"] == "refused"
        assert answer["reason"].startswith(reason), answer
    for name, extra in (("seat", 2), ("workers", 5), ("village", 0)):  # next to a valid one
        answer = live.ask(act(f"more {name}", {"mine": mines[0], name: extra}))
        assert answer["kind"] == "refused"
        assert answer["reason"].startswith(f"action field '{name}': unknown")
    for period in (0, 2, 10**9):
        answer = live.ask(act(f"in {period}", {"mine": mines[0]}, period))
        assert answer["kind"] == "refused"
        assert "period" in answer["reason"]
    assert {**synced(live), "remaining_ms": 0} == {**before, "remaining_ms": 0}
    go(live, 1, mines[1])
    assert len(table(server, "periods", session)) == 2
    assert wrong_numbers(server, session) == []


@pytest.mark.long  # tests/table/test_refusals.py covers it
def test_a_decision_cannot_be_changed_by_a_later_one(server):
    session = server.session("gems_four_people", 4, **AT_ONCE)
    players = seated(server, session, 4)
    mines = [reached(live) for _, live in players]
    first = players[0][1]
    go(first, 0, mines[0][1])
    assert first.act(0, "again", mine=mines[0][0])["kind"] == "refused"
    for (_, live), reach in zip(players[1:], mines[1:], strict=True):
        go(live, 0, reach[0])
    decisions = table(server, "decisions", session)
    own_rows = decisions[decisions["participant"] == players[0][0].code]
    assert own_rows["used_mine"].tolist() == [mines[0][1]]
    assert wrong_numbers(server, session) == []


# -- observations -------------------------------------------------------------------------------

ALWAYS = {"nothing", "reach", "seat", "period", "ended"}
OWN = ALWAYS | {"workers", "own_mine", "own_found", "gems", "purse"}
ALL = OWN | {"found", "workers_at", "mines"}
KNOWN = {"base_probabilities", "reaches", "workforces"}


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("information", "fields", "chances_known"),
    [("none", ALWAYS, False), ("none", ALWAYS, True), ("own", OWN, True), ("all", ALL, False)],
)
def test_a_page_receives_only_what_its_session_shows(server, information, fields, chances_known):
    session = server.session(
        "gems",
        1,
        **AT_ONCE,
        periods=3,
        information=information,
        known_probabilities=chances_known,
        bots="random",
    )
    [(person, live)] = seated(server, session)
    mines = reached(live)
    play_on(live, mines, 0, 3)
    view = synced(live)
    wanted = fields | KNOWN if chances_known else fields
    assert set(view["observation"]) == wanted
    assert [set(entry["observation"]) for entry in view["history"]] == [wanted] * 4
    for entry in view["history"][1:]:
        assert set(entry) == {"period", "observation", "reward", "components", "used"}
    assert not {"found", "workers_at", "state", "mine"} & set(view)
    if information != "none":  # of the village's own mine
        decisions = table(server, "decisions", session).sort_values(["period", "seat"])
        own_decisions = decisions[decisions["participant"] == person.code]
        periods = table(server, "periods", session)
        for entry, (_, row), (_, whole) in zip(
            view["history"][1:], own_decisions.iterrows(), periods.iterrows(), strict=True
        ):
            seen, own_mine = entry["observation"], int(row["used_mine"])
            assert seen["own_mine"] == own_mine
            assert seen["own_found"] == [whole[f"after_found_{own_mine}_{kind}"] for kind in (0, 1)]
            assert seen["gems"] == [whole[f"after_gems_{kind}"] for kind in (0, 1)]
            assert seen["purse"] == [whole[f"after_purse_{kind}"] for kind in (0, 1)]
    assert wrong_numbers(server, session) == []


# -- exports ------------------------------------------------------------------------------------


def whole_play(server: Server, config: dict[str, Any]) -> dict[str, Any]:
    """Play a session of a shipped config to its end, with people in their seats."""
    people = config["people_per_group"]
    session = server.session(config["name"], people, **AT_ONCE, periods=6)
    players = seated(server, session, people)
    mines = [reached(live) for _, live in players]
    for period in range(6):
        for (_, live), reach in zip(players, mines, strict=True):
            go(live, period, reach[(period * 3) % len(reach)])
    for person, _ in players:
        person.next()
        assert person.page_name == "Results"
    return session


def adds_up(config: dict[str, Any], decisions: pd.DataFrame, periods: pd.DataFrame) -> None:
    """Check that a period's columns agree with each other and with the seats' columns."""
    kinds, weights = range(config["gem_types"]), weights_of(config)
    purse = [0] * len(weights)
    for (_, whole), (_, rows) in zip(periods.iterrows(), decisions.groupby("period"), strict=True):
        workers = rows.groupby("used_mine")["after_workers"].sum()
        mines = sum(name.startswith("after_workers_at_") for name in periods)
        assert mines == config["seats"] + config["max_connectivity"] - 1
        for mine in range(mines):
            assert whole[f"after_workers_at_{mine}"] == workers.get(mine, 0)
        gems = [sum(whole[f"after_found_{mine}_{kind}"] for mine in range(mines)) for kind in kinds]
        assert [whole[f"after_gems_{kind}"] for kind in kinds] == gems
        purse = [before + more for before, more in zip(purse, gems, strict=True)]
        assert [whole[f"after_purse_{kind}"] for kind in kinds] == purse
        worth = sum(count * weight for count, weight in zip(gems, weights, strict=True))
        assert set(rows["reward"]) == {worth}
        expected = sum(whole[f"expected_gems_{kind}"] * weights[kind] for kind in kinds)
        assert whole["expected_points"] == pytest.approx(expected)
        assert 0 < whole["efficiency"] <= 1 + 1e-12
        assert whole["efficiency"] == pytest.approx(
            whole["expected_points"] / whole["best_expected_points"]
        )
    moving = periods["after_base_probabilities_0_0"].nunique() > 1
    assert (periods["best_expected_points"].nunique() == 1) == (not moving)


def weights_of(config: dict[str, Any]) -> list[float]:
    value = config["weights"]
    text = value if isinstance(value, str) else ""
    return [float(number) for number in re.findall(r"[\d.]+", text)] or [1.0] * config["gem_types"]


@pytest.mark.few(1)
@pytest.mark.parametrize("config", GEMS, ids=[entry["name"] for entry in GEMS])
def test_every_session_config_ends_with_an_export_that_replays_exactly(server, config):
    session = whole_play(server, config)
    assert wrong_numbers(server, session) == []
    decisions, periods = (table(server, name, session) for name in ("decisions", "periods"))
    assert len(decisions) == 6 * config["seats"]
    assert set(periods["ended"].dropna()) == {"horizon"}
    adds_up({**config, **worked_out(config["name"])}, decisions, periods)


COLUMNS = [
    "after_base_probabilities_6_1",
    "after_workers_at_3",
    "after_found_0_0",
    "after_gems_1",
    "after_purse_0",
    *JUDGED,
]


def test_an_edited_export_is_detected_in_every_array_and_judgement(server):
    session = server.session("gems", 1, **AT_ONCE, periods=2)
    [(_, live)] = seated(server, session)
    play_on(live, reached(live), 0, 2)
    tables = [table(server, name, session) for name in ("decisions", "periods", "config")]
    assert list(differences(*tables)) == []
    for column in COLUMNS:
        edited = [frame.copy() for frame in tables]
        value = edited[1].loc[1, column]
        wrong = 1 - value if "_found_" in column else value + 1  # whether a gem was found
        if column in JUDGED:  # the last digit counts
            edited[1][column] = edited[1][column].astype(float)
            wrong = value * (1 + 2**-50)
        edited[1].loc[1, column] = wrong
        [difference] = differences(*edited)
        assert difference.startswith(f"period 1, {column}:")
    for column in COLUMNS:  # a missing number is an error too
        edited = [frame.copy() for frame in tables]
        edited[1][column] = edited[1][column].astype(object)
        edited[1].loc[0, column] = float("nan")
        assert any(f", {column}:" in line for line in differences(*edited)), column
    for column in ("used_mine", "after_mine", "after_workers", "after_reach", "reward_gem_1"):
        edited = [frame.copy() for frame in tables]
        edited[0].loc[1, column] += 1
        assert any(f", {column}:" in line for line in differences(*edited)), column


@pytest.mark.long
def test_a_missing_column_is_detected(server):
    session = server.session("gems", 1, **AT_ONCE, periods=1)
    [(_, live)] = seated(server, session)
    play_on(live, reached(live), 0, 1)
    tables = [table(server, name, session) for name in ("decisions", "periods", "config")]
    for column in COLUMNS:
        with pytest.raises(KeyError, match=column):
            list(differences(tables[0], tables[1].drop(columns=column), tables[2]))


def test_an_undefined_efficiency_is_empty_and_replays(server):
    session = server.session("gems", 1, **AT_ONCE, periods=2, weights="[0, 0]", bots="random")
    [(person, live)] = seated(server, session)
    play_on(live, reached(live), 0, 2)
    periods = table(server, "periods", session)
    assert periods["efficiency"].isna().all()
    assert periods["expected_points"].tolist() == [0, 0]
    assert (periods["expected_gems_0"] > 0).all()
    assert wrong_numbers(server, session) == []
    tables = [table(server, name, session) for name in ("decisions", "periods", "config")]
    tables[1].loc[1, "efficiency"] = 1.0
    assert [line.split(":")[0] for line in differences(*tables)] == ["period 1, efficiency"]
    person.next()
    assert "worth 0 points to every village" in person.page.text
    assert "the best possible result" not in person.page.text


@pytest.mark.long  # tests/server/test_archive.py covers it
def test_sessions_of_different_sizes_can_be_exported_together(server):
    """Export all sessions in one table, as oTree's Data page does."""
    played = {}
    for config in ("gems", "gems_three_kinds"):
        session = server.session(config, 1, **AT_ONCE, periods=2)
        [(_, live)] = seated(server, session)
        play_on(live, reached(live), 0, 2)
        played[config] = session
    query = {"app": "gem_mining", "function_name": "custom_export_periods"}
    answer = server.get("/api/export_app_custom", params=query)
    answer.raise_for_status()
    together = pd.read_csv(io.StringIO(answer.content.decode("utf-8-sig")), low_memory=False)
    for session in played.values():
        alone = table(server, "periods", session)
        rows = together[together["session"] == session["code"]]
        assert len(rows) == 2
        for name in together:
            if name in alone:
                for expected, exported in zip(alone[name], rows[name], strict=True):
                    assert (pd.isna(expected) and pd.isna(exported)) or expected == exported, name
            else:
                assert rows[name].isna().all(), name
    assert not together["after_workers_at_6"].isna().all()  # of the four villages
    assert not together["expected_gems_2"].isna().all()  # of the three kinds


@pytest.mark.long  # the same test of the commons covers it
def test_acknowledged_decisions_survive_a_crash_and_replay(server):
    session = server.session("gems_four_people", 4, **AT_ONCE, periods=3)
    players = seated(server, session, 4)
    mines = [reached(live) for _, live in players]
    for (_, live), reach in zip(players, mines, strict=True):
        go(live, 0, reach[1])
    first = players[0][1]
    go(first, 1, mines[0][0])
    before = synced(first)
    server.crash()
    lives = []
    for person, _ in players:
        person.reload()
        lives.append(person.live())
    view = synced(lives[0])
    assert (view["period"], view["phase"]) == (1, "waiting")
    assert view["observation"] == before["observation"]
    assert view["history"] == before["history"]
    # a repeated message is acknowledged and changes nothing
    assert lives[0].act(1, "p1", mine=mines[0][1])["kind"] == "ack"
    for live, reach in zip(lives[1:], mines[1:], strict=True):
        go(live, 1, reach[0])
    for live, reach in zip(lives, mines, strict=True):
        go(live, 2, reach[0])
    decisions = table(server, "decisions", session)
    own_rows = decisions[decisions["participant"] == players[0][0].code]
    assert own_rows["used_mine"].tolist() == [mines[0][1], mines[0][0], mines[0][0]]
    assert len(table(server, "periods", session)) == 3
    assert wrong_numbers(server, session) == []


# -- sessions -----------------------------------------------------------------------------------

INSTANCE = '{"reach": [2, 2], "workers": [3, 1], "base_probabilities": [[1, 0], [0, 1], [1, 1]]}'
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"seats": 0}, "seats"),
    ({"gem_types": 11}, "gem_types"),
    ({"weights": "[1, 2, 3]"}, "weights"),
    ({"weights": "[1, 2"}, "weights"),
    ({"weights": "[1, -2]"}, "weights"),
    ({"min_connectivity": 5}, "min_connectivity"),
    ({"min_workers": 6}, "min_workers"),
    ({"min_probability": 0.3}, "min_probability"),
    ({"truncation": 1.1}, "truncation"),
    ({"information": "some"}, "information"),
    ({"instance": INSTANCE}, "instance.reach"),  # for two villages instead of four
    ({"instance": "[1, 2]"}, "instance"),
    ({"instance": '{"reach": [2, 2'}, "instance"),
    ({"seats": 2, "max_connectivity": 2, "instance": '{"reach": [2, 2]}'}, "instance"),
    ({"bots": "sustainable"}, "bots"),
    ({"people_per_group": 5}, "people_per_group"),
    ({"periods": 0}, "periods"),
]


def test_impossible_sessions_are_refused_by_name_and_the_server_keeps_running(server):
    before = sessions(server)
    for changes, name in IMPOSSIBLE:
        refusal = server.create("gems", 1, **changes)
        assert refusal.status_code == 400, changes
        assert re.search(rf"\b{re.escape(name)}\b", refusal.text), (changes, refusal.text)
    assert sessions(server) == before  # they leave nothing behind
    session = server.session("gems", 1, **AT_ONCE, periods=1)
    [(person, live)] = seated(server, session)
    play_on(live, reached(live), 0, 1)
    person.next()
    assert person.page_name == "Results"
    assert wrong_numbers(server, session) == []


def sessions(server: Server) -> list[str]:
    return sorted(entry["code"] for entry in server.get("/api/sessions").json())


SMALLEST = {"seats": 2, "min_connectivity": 2, "max_connectivity": 2}
POSSIBLE: list[dict[str, Any]] = [
    {**SMALLEST, "instance": INSTANCE, "truncation": 1},
    {"seats": 2, "gem_types": 2},  # as many kinds as villages
    {"seats": 7, "max_connectivity": 3},  # nine mines
    {"seats": 20, "information": "own"},
    {"gem_types": 1, "weights": "[2.5]"},
    {"gem_types": 10, "correlated": False},
    {"archetype": "source", "bots": "random"},
    {"worker_bonus": 0, "truncation": 1},
    {"max_connectivity": 10, "max_workers": 100, "seats": 3},
    {
        "max_connectivity": 10,
        "min_connectivity": 10,
        "seats": 20,
    },  # too wide to search for the best
]


TOLD_APART = (0, 2, 4, 9)
"""Indices of the main cases; the others are variations of them."""


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "changes",
    [
        changes if place in TOLD_APART else pytest.param(changes, marks=pytest.mark.long)
        for place, changes in enumerate(POSSIBLE)
    ],
    ids=str,
)
def test_possible_sessions_are_played_as_requested(server, changes):
    session = server.session("gems", 1, **AT_ONCE, **{"periods": 3, **changes})
    [(person, live)] = seated(server, session)
    play_on(live, reached(live), 0, 3)
    assert synced(live)["phase"] == "over"
    assert wrong_numbers(server, session) == []
    person.next()
    assert person.page_name == "Results"
    assert "Your team found " in person.page.text


def test_a_given_instance_is_played_as_configured(server):
    """A has a ruby, B an emerald and C both, all with certainty."""
    changes = {**SMALLEST, "instance": INSTANCE, "truncation": 1, "bots": "random"}
    session = server.session("gems", 1, **AT_ONCE, periods=8, **changes)
    [(_, live)] = seated(server, session)
    play_on(live, reached(live), 0, 8)
    holds = {0: (1, 0), 1: (0, 1), 2: (1, 1)}
    decisions = table(server, "decisions", session)
    periods = table(server, "periods", session)
    for (_, rows), (_, whole) in zip(decisions.groupby("period"), periods.iterrows(), strict=True):
        gems = [sum(holds[mine][kind] for mine in set(rows["used_mine"])) for kind in (0, 1)]
        assert [whole["after_gems_0"], whole["after_gems_1"]] == gems
        assert [whole["expected_gems_0"], whole["expected_gems_1"]] == gems
        # village 0 reaches A and B, village 1 B and C: A and C, two rubies and an emerald
        assert whole["best_expected_points"] == 3


@pytest.mark.long
def test_the_demo_page_offers_the_gem_mines(server):
    page = server.get("/demo").text
    offered = [entry for entry in SESSION_CONFIGS if entry["app_sequence"] == ["gem_mining"]]
    assert len(offered) == 7
    for config in offered:
        assert config["display_name"] in page
