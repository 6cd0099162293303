"""An experiment: seeds by treatment, a row per play and seat, the same again, through JSON."""

from __future__ import annotations

import json

import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, LogError
from mixed_company.engine.play.experiment import Experiment, Results
from tests.engine.plays import commons

ROLES = {"agents": {"roles": {"strong": {}, "weak": {}}, "seats": ["strong", "weak"]}}
GAMES = {
    "open": commons(seats=2, periods=2, **ROLES),
    "fee": commons(
        seats=2, periods=2, layers={"incentives": {"intensity": 1, "fee": {"harvest": 0.5}}}
    ),
}


def takes(*fish):
    """Everybody takes so much in every period."""

    def players(episode):
        while not episode.done:
            yield episode.step({"harvest": list(fish), "contribution": [0] * len(fish)})

    return players


def made(plays=2, seed=7, games=None):
    return Experiment.of("fees", games or GAMES, plays, seed)


def test_every_seat_of_every_play_has_a_row_with_what_it_got():
    rows = made().run(takes(4, 2)).rows
    assert [(row.treatment, row.play, row.seat) for row in rows] == [
        (treatment, play, seat)
        for treatment in ("open", "fee")
        for play in (0, 1)
        for seat in (0, 1)
    ]
    # two periods of 4 and 2; with a fee of a half, half of it
    assert [row.points for row in rows] == [8, 4, 8, 4, 4, 2, 4, 2]
    assert [row.role for row in rows[:2]] == ["strong", "weak"]
    assert {row.role for row in rows[4:]} == {"member"}
    assert {(row.periods, row.reason, row.result) for row in rows} == {(2, "horizon", "neither")}


def test_the_end_of_a_play_is_in_its_rows():
    lab = {"lab": commons(archetype="lab_0_7")}
    rows = made(1, games=lab).run(takes(10, 10, 10, 10)).rows
    assert {(row.periods, row.reason, row.result) for row in rows} == {(3, "collapse", "failure")}
    assert [row.points for row in rows] == pytest.approx([27.4] * 4)


def test_no_seed_is_there_twice_and_more_plays_or_treatments_leave_those_of_before():
    few, many = made(3), made(50)
    assert few.seeds("open").tolist() == many.seeds("open").tolist()[:3]
    both = [seed for name in GAMES for seed in many.seeds(name).tolist()]
    assert len(set(both)) == 100
    alone = made(3, games={"fee": GAMES["fee"]})
    assert alone.seeds("fee").tolist() == few.seeds("fee").tolist()
    assert made(3, seed=8).seeds("open").tolist() != few.seeds("open").tolist()


def test_a_row_can_be_played_again_alone():
    row = made().run(takes(4, 2)).rows[2]
    play = engine.Episode(GAMES["open"], row.seed)
    total = sum(float(step.rewards[row.seat]) for step in takes(4, 2)(play))
    assert total == row.points


def test_results_are_the_same_again_and_go_through_json():
    first, second = (made().run(takes(4, 2)) for _ in range(2))
    text = json.dumps(first.to_json())
    assert text == json.dumps(second.to_json())
    assert Results.from_json(json.loads(text)) == first
    assert json.dumps(Results.from_json(json.loads(text)).to_json()) == text


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"treatments": {}}, "experiment 'x': treatments: is empty"),
        ({"plays": 0}, "plays = 0: a whole number, at least 1"),
        ({"plays": True}, "plays = True: a whole number, at least 1"),
        ({"seed": -1}, "seed = -1"),
        (
            {"treatments": {"odd": {"identity": {"game": "chess"}}}},
            "treatment 'odd': game = 'chess'",
        ),
    ],
)
def test_what_cannot_be_run_is_refused_by_name(given, message):
    treatments = {"open": GAMES["open"].config.model_dump(mode="json")}
    with pytest.raises(ConfigError, match=message):
        Experiment(**{"name": "x", "treatments": treatments, "plays": 2, **given})


def test_players_who_stop_early_are_refused():
    def once(episode):
        yield episode.step({"harvest": [1, 1], "contribution": [0, 0]})

    with pytest.raises(ConfigError, match="treatment 'open', play 0: was not played to its end"):
        made().run(once)


def test_what_are_no_results_is_refused():
    with pytest.raises(LogError, match="not the results of an experiment"):
        Results.from_json({"rows": []})
