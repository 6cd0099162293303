"""Replay page: its contents, and a check that strings from a log cannot inject markup."""

from __future__ import annotations

import json
import re

import pytest

from mixed_company import engine
from mixed_company.engine import LogError
from mixed_company.engine.play import record
from mixed_company.engine.play.replay_page import page
from tests.engine.golden.write import GAMES, SCRIPTS, SEED
from tests.engine.golden.write import game as golden
from tests.engine.plays import acts, commons
from tests.engine.toys import Toy, moves, toy


def log(game, script, seed=7):
    return [json.loads(line) for line in record.to_text(record.play(game, script, seed)).split()]


def data(text):
    """Return the data that the page's script reads."""
    (content,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(content)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_page_contains_everything_in_a_verbose_log(game_id):
    lines = log(golden(game_id), SCRIPTS[game_id], SEED)
    periods = [line for line in lines if line["level"] == "period"]
    shown = data(page(lines))
    assert [{**period, "events": []} for period in shown["periods"]] == [
        {**period, "events": []} for period in periods
    ]
    assert shown["start"]["observations"] == lines[0]["observations"]
    events = [line for line in lines if line["level"] == "event"]
    assert [
        {"level": "event", "period": number, **event}
        for number, period in enumerate(shown["periods"])
        for event in period["events"]
    ] == events


def test_a_terse_log_gives_the_same_page_as_a_verbose_one():
    script = [acts(3), acts(4)]
    loud = {"verbose": True, "seat": 1}
    quiet = {"event": False}
    pages = [
        data(page(log(commons(periods=2, instrumentation=level), script)))
        for level in (loud, quiet)
    ]
    for data_of_page in pages:
        del data_of_page["config"]
    assert pages[0] == pages[1]


def test_the_start_shows_the_world_before_the_first_period():
    shown = data(page(log(commons(archetype="lab_0_7", initial_stock=80.0), [acts(10)])))
    assert shown["start"]["state"]["stock"] == 80
    # 80 - 40 and growth 0.4 * 80 * 0.2
    assert shown["periods"][0]["state"]["stock"] == pytest.approx(46.4)
    assert shown["summary"] == "seats: 4, periods: 1; the log stops before the play is over"


def test_a_page_says_how_the_play_ended():
    shown = data(page(log(commons(archetype="lab_0_7"), [acts(10)] * 3)))
    assert shown["title"] == "commons_game (lab_0_7), seed 7"
    assert shown["summary"] == "seats: 4, periods: 3; ended by collapse (failure)"


def test_every_value_of_the_configuration_is_on_the_page():
    game = commons(archetype="lab_0_7", capacity=120.0)
    rows = {row[0]: row[1] for row in data(page(log(game, [acts(1)])))["config"]}
    assert rows["core.capacity"] == "120.0"
    assert rows["identity.archetype"] == "lab_0_7"
    assert rows["agents.roles.member.sees"] == "all"


def test_the_page_knows_how_to_draw_each_field():
    game = golden("punishment_vote")
    fields = data(page(log(game, SCRIPTS["punishment_vote"], SEED)))["fields"]
    window = next(field for field in fields["observations"] if field["name"] == "window")
    grid = next(field for field in fields["state"] if field["name"] == "grid")
    assert (window["one_hot"], grid["one_hot"]) == (True, False)
    assert (
        window["names"]
        == grid["names"]
        == [*("empty", "wall", "A", "B", "C", "D", "E", "seat 0", "seat 1", "seat 2")]
    )
    assert fields["actions"][0]["names"][:2] == ["up", "down"]


def test_an_axis_is_labelled_with_seats_if_the_game_declares_it():
    game = golden("gem_mining")
    fields = data(page(log(game, SCRIPTS["gem_mining"], SEED)))["fields"]["state"]
    assert {field["name"] for field in fields if field["of_seats"]} == {"reach", "workers", "mine"}


def test_up_to_twenty_differences_are_on_the_page():
    lines = log(commons(periods=1), [acts(1)])
    assert data(page(lines))["wrong"] == []
    lines_shown = data(page(lines, [f"difference {number}" for number in range(23)]))["wrong"]
    assert lines_shown[:2] == ["difference 0", "difference 1"]
    assert lines_shown[19:] == ["difference 19", "and 3 more"]


def test_strings_in_a_log_stay_text():
    nasty = '</script><script>alert("1")</script>&__DATA__\u2028'
    agents = {"roles": {nasty: {}}, "seats": [nasty] * 4}
    text = page(log(commons(periods=1, agents=agents), [acts(1)]), [nasty])
    assert text.count("</script>") == 2
    assert text.count("<script") == 2
    assert data(text)["wrong"] == [nasty]
    assert data(text)["roles"] == [nasty] * 4


def test_a_page_needs_no_network():
    text = page(log(commons(periods=1), [acts(1)]))
    assert "default-src 'none'" in text
    assert not re.search(r"\b(src|href)=", text)
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]  # not an address


def test_a_game_that_is_not_installed_can_be_passed_in():
    game = toy(may_flag=False)
    assert isinstance(game, Toy)
    lines = log(game, [moves(door=(2, 0))])
    assert data(page(lines, game=game))["periods"][0]["state"]["doors"] == [2, 0]
    with pytest.raises(LogError, match="game = 'toy': unknown"):
        page(lines)


def test_a_log_that_cannot_be_replayed_has_no_page():
    lines = log(commons(instrumentation={"period": 2}), [acts(1)] * 3)
    with pytest.raises(LogError, match=r"instrumentation\.period is not 1"):
        page(lines)


def test_a_log_without_periods_gives_a_page_of_the_start():
    shown = data(page(log(engine.make("sanctions"), [])))
    assert shown["periods"] == []
    assert shown["start"]["state"]["trust"][0][0] == 1
