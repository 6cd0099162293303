"""Tests of the texts of the punishment vote: every number comes from the session."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.games.punishment_vote import PunishmentVote, VoteCore
from mixed_company.server.pages import instructions, wording
from mixed_company.server.pages.guide import Guide, guide_of
from mixed_company.table.options import Options
from mixed_company.table.protocol import Ack, Message
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from settings import SESSION_CONFIGS
from tests.project import ROOT
from tests.server.guides import OTHER_PAGES, asked_of, game_of, in_all_forms, page_words, told

guide = guide_of("punishment_vote")


# All numbers differ, so that none can be mistaken for another.
ODD: dict[str, Any] = {
    "seats": 6,
    "turns": 37,
    "height": 9,
    "width": 14,
    "vision": 4,
    "spawn_probability": 0.17,
    "resources": {"Gold": {"value": 4.5, "harm": 0.2}, "Rum": {"value": 8, "harm": 2.5}},
    "taboo": ("Rum",),
    "initial_level": 0.55,
    "vote_step": 0.15,
    "vote_cost": 0.4,
    "magnitude": 13,
}


MINUS = "\N{MINUS SIGN}"


def core(archetype: str | None = None, **changes: Any) -> VoteCore:
    game_core: VoteCore = engine.make("punishment_vote", archetype=archetype, **changes).core
    return game_core


def rules(game_core: VoteCore, options: Options | None = None) -> str:
    return told(guide, game_core, options)


def numbers(text: str) -> set[str]:
    return set(re.findall(r"-?\d+(?:\.\d+)?", text))


def questions(game_core: VoteCore) -> dict[str, Any]:
    return asked_of(guide, game_core)


# -- the instructions -----------------------------------------------------------------------


def test_the_instructions_contain_exactly_the_numbers_of_the_session():
    # 7 x 12 cells inside the walls; a window of 2 * 4 + 1; half of 13 at a level of 50%
    core_numbers = {"6", "7", "12", "37", "17", "4.5", "0.2", "8", "2.5", "13", "6.5", "55", "15"}
    assert numbers(rules(core(**ODD))) == core_numbers | {"0.4", "9", "50", "0", "100"}


def test_the_instructions_put_the_numbers_where_they_belong():
    text = rules(core(**ODD))
    for words in (
        "one of 6 players who walk on the same field of 7 x 12 cells.",
        "The game has 37 turns, no matter what the players collect",
        "the chance that an empty cell gets a new resource is 17%.",
        "Kind: Gold Rum",
        "Points for you: 4.5 8",
        "Points every other player loses: 0.2 2.5",
        "Taboo: no yes",
        "Taboo: Rum.",
        "loses 13 points times the punishment level. At a level of 50%, that is 6.5.",
        "At the start the level is 55%.",
        "by 15 percentage points. The level always stays between 0% and 100%.",
        "A vote costs you 0.4 points.",
        "You see the 9 x 9 cells around you",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("changes", "present", "absent"),
    [
        ({}, "is punished. The player loses 10 points times the punishment level.",
         "can be punished"),
        ({"punishment": "lottery"},
         "can be punished by losing 10 points. The punishment level is the chance that this "
         "happens. At a level of 50%, it happens in 50% of cases.",
         "points times"),
        ({}, "chance decides who gets it", "one after the other"),
        ({"timing": "sequential"}, "one after the other, in the order of their numbers", "If two"),
        ({}, "taken away at the end of the same turn", "These points add up"),
        ({"timing": "sequential"}, "These points add up. They are taken away after each of your "
         "moves", "Votes are counted at the end"),
        ({}, "You can do only one thing per turn.", "You can vote only if you also move"),
        ({"actions": "composite"}, "You can vote only if you also move.",
         "You can do only one thing per turn"),
        ({}, "walk on the same field", "separate field"),
        ({"worlds": "separate"}, "Each player walks on a separate field", "the same field"),
        ({"worlds": "separate"}, "even though the other players walk on separate fields",
         "If two players wa"),
        ({"views": "composite"}, "You also see what every other player sees.",
         "Parts of the field that you have"),
        ({"map_memory": True}, "Parts of the field that you have already seen stay visible",
         "You also see"),
        ({"taboo": ()}, "No kind is taboo, so nobody is ever punished.", "At a level"),
        ({"spawn_probability": 0}, "The game has 100 turns, no matter", "new resource"),
        ({"seats": 1}, "collect it", "other players lose"),
    ],
)  # fmt: skip
def test_each_variant_is_explained_as_it_is_played(changes, present, absent):
    text = rules(core(**changes))
    assert present in text
    assert absent not in text


def test_the_instructions_say_that_points_can_be_lost_unless_a_floor_is_paid():
    assert "Your points can be below 0, but you never have to pay anything." in rules(core())
    assert "below 0" not in rules(core(), Options(pay_floor=2))


def test_all_kinds_are_taboo_unless_the_session_lists_some():
    assert "Taboo: A, B, C, D, E." in rules(core("source"))
    assert "Taboo: B." in rules(core("lab_0_7"))


def timed(options: Options) -> list[str]:
    return [*instructions.rhythm(options), *instructions.absence(options)]


def test_the_pace_of_turns_is_explained_with_the_seconds_of_the_session():
    text = " ".join(timed(Options(pace="clock", decision_seconds=1.25, grace_seconds=33)))
    assert (
        "A turn lasts 1.25 seconds. You can change your choice until the turn ends. Only your last "
        "choice counts."
    ) in text
    assert numbers(text) == {"1.25", "33"}
    text = " ".join(timed(Options(decision_seconds=41, grace_seconds=33)))
    assert "You have 41 seconds for each decision." in text
    assert "change your choice" not in text


# -- the quiz -----------------------------------------------------------------------------------

CONFIGS: dict[str, tuple[str | None, dict[str, Any]]] = {
    **{name: (name, {}) for name in PunishmentVote.archetypes},
    "odd": (None, ODD),
    "alone": ("source", {"seats": 1}),
    "two": ("lab_0_7", {"seats": 2}),
    "no taboo": ("source", {"taboo": ()}),
    "lottery": ("lab_0_7", {"punishment": "lottery"}),
    "votes do nothing": ("lab_0_7", {"vote_step": 0}),
    "votes do all": ("lab_0_7", {"vote_step": 1}),
    "votes do half": ("lab_0_7", {"vote_step": 0.5}),
    "votes do a little": ("lab_0_7", {"vote_step": 0.01}),
    "no magnitude": ("lab_0_7", {"magnitude": 0}),
    "small magnitude": ("source", {"magnitude": 0.5}),
    "huge magnitude": ("lab_0_7", {"magnitude": 1e6}),
    "taken away as much as it brings": ("lab_0_7", {"magnitude": 7 / 0.3}),
    "taboo costs": ("source", {"taboo": ("D",)}),
    "one kind": (None, {"resources": {"X": {"value": 2, "harm": 1}}}),
    "all at once": ("composite", {"timing": "sequential", "worlds": "separate", "seats": 2}),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_every_quiz_question_has_exactly_one_right_answer(name):
    archetype, changes = CONFIGS[name]
    items = guide.quiz(game_of(core(archetype, **changes)), Options())
    assert len({question["name"] for question in items}) == len(items) >= 2
    for question in items:
        assert question["options"].count(question["right"]) == 1
        assert len(set(question["options"])) == len(question["options"]) >= 2, question
        assert question["text"]
        assert question["why"]
        assert "{" not in question["text"] + question["why"] + "".join(question["options"])


VOTES = [entry["name"] for entry in SESSION_CONFIGS if entry["app_sequence"] == ["punishment_vote"]]


@pytest.mark.parametrize("config", VOTES)
def test_the_quiz_of_every_session_config_asks_every_applicable_question(config):
    entry = next(entry for entry in SESSION_CONFIGS if entry["name"] == config)
    names = set(questions(core(entry["archetype"])))
    assert names == {"blocked", "vote", "harm", "punished", "end"}


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        ({}, "30%", "50%"),
        ({"vote_step": 0.15}, "35%", "50%"),
        ({"vote_step": 0.01}, "49%", "50%"),
        ({"vote_step": 0.5}, "0%", "50%"),
        ({"vote_step": 0.7}, "0%", "70%"),
        ({"vote_step": 1}, "0%", "100%"),
        ({"vote_step": 0}, "50%", "50%"),
    ],
)
def test_the_level_after_a_vote_is_right_by_hand(changes, before, after):
    question = questions(core(**changes))["vote"]
    assert question["text"].startswith(
        f"The punishment level is {before}. One player votes for more punishment,"
    )
    assert question["right"] == after
    assert numbers(question["why"]) == {f"{100 * changes.get('vote_step', 0.2):g}"}


@pytest.mark.parametrize(
    ("archetype", "changes", "kind", "right"),
    [
        ("lab_0_7", {}, "B", "4"),  # 7 - 0.3 * 10
        ("source", {}, "A", "0"),  # 3 - 0.3 * 10
        ("source", {"taboo": ("D",)}, "D", "-5"),  # -2 - 3
        ("source", {"taboo": ("E", "C")}, "C", "-1"),  # in the order of the kinds
        ("lab_0_7", {"magnitude": 0}, "B", "7"),
        ("lab_0_7", {"magnitude": 25}, "B", "-0.5"),  # 7 - 7.5
        (None, ODD, "Rum", "4.1"),  # 8 - 0.3 * 13 = 8 - 3.9
    ],
)
def test_the_points_for_a_taboo_kind_are_right_by_hand(archetype, changes, kind, right):
    question = questions(core(archetype, **changes))["punished"]
    assert question["text"].startswith(
        f"The punishment level is 30%. You collect {kind}, which is taboo."
    )
    assert question["right"] == right.replace("-", MINUS)


def test_no_question_is_asked_about_an_impossible_or_random_punishment():
    assert "punished" not in questions(core(taboo=()))
    assert "punished" not in questions(core(punishment="lottery"))


def test_the_question_about_harm_uses_the_most_harmful_kind():
    question = questions(core("lab_0_7"))["harm"]
    assert question["text"] == "A player collects B. Who loses 3 points because of this?"
    assert question["right"] == "All players except the collector"
    question = questions(core("source"))["harm"]
    assert question["text"] == "A player collects D. Who loses 1.5 points because of this?"
    assert "harm" not in questions(core("lab_0_7", seats=1))


def test_a_question_asks_what_a_blocked_move_does():
    question = questions(core())["blocked"]
    assert question["right"] == "You stay where you are and lose nothing"


def test_the_position_of_an_option_does_not_reveal_the_right_answer():
    places = {
        questions(core(vote_step=step, magnitude=size))[name]
        ["options"].index(questions(core(vote_step=step, magnitude=size))[name]["right"])
        for step, size in ((0.2, 10), (1, 3), (0.01, 40), (0, 1))
        for name in ("vote", "punished")
    }  # fmt: skip
    assert len(places) > 1


# -- the results ------------------------------------------------------------------------------

UP, LEFT, RIGHT, MORE, LESS, NOOP = 0, 2, 3, 4, 5, 6


def corridor(seats: int = 3, turns: int = 3, **changes: Any) -> Table:
    """Return a table in which each seat walks between its own two cells, and A always grows back.

    A is worth 3 and costs each other seat 0.5; it is the only taboo, of magnitude 10, at a level of
    10%. X never appears. People have all seats, and everyone connects at time 0.
    """
    game = engine.make(
        "punishment_vote",
        seats=seats,
        turns=turns,
        height=3,
        width=4,
        worlds="separate",
        resources={"X": {"value": 1, "harm": 9}, "A": {"value": 3, "harm": 0.5}},
        spawn_weights={"X": 0, "A": 1},
        taboo=("A",),
        initial_resources=1,
        spawn_probability=1,
        **changes,
    )
    options = Options(pace="clock", decision_seconds=1, bots="forager", grace_seconds=600)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, list(range(seats)), seed=5, now=0)
    for seat in range(seats):
        table.hear(seat, 0)
    return table


def collect(table: Table, seat: int) -> int:
    """Return the action that collects, which is the step to the other cell."""
    column = table.episode.state_record()["column"][seat]
    return LEFT if column == 2 else RIGHT


def turn(table: Table, **by_seat: int) -> None:
    """Play one turn. `s0=MORE` is the choice of seat 0. Other seats do not choose anything."""
    period = table.episode.period
    for name, action in by_seat.items():
        message = Message("act", f"{name} {period}", period, {"action": action})
        assert isinstance(table.act(int(name[1:]), message, 1000 * period + 10), Ack)
    table.advance(1000 * (period + 1))
    assert table.episode.period == period + 1


def summary(table: Table, seat: int) -> list[str]:
    return guide.summary(table, table.rows, seat)


def short_play() -> Table:
    table = corridor()
    turn(table, s0=collect(table, 0), s1=MORE)  # punished at 10%: 1; the level is 30% afterwards
    turn(table, s0=collect(table, 0), s1=collect(table, 1))  # punished at 30%: 3 each
    turn(table, s0=LESS, s1=collect(table, 1))  # still at 30%: 3; the level is 10% afterwards
    assert table.episode.done
    return table


def test_the_summary_adds_up_by_hand():
    table = short_play()
    group = (
        f"Your group earned {MINUS}2.2 points together. Votes for more punishment: 1, for less: 1."
    )
    level = "At the end the punishment level was 10%."
    # Seat 0: 2 A for 6; punished by 1 + 3; a vote; harmed by 0.5 in turns 2 and 3: 0.9 in total.
    assert summary(table, 0) == [
        "You collected: 2 A. That earned you 6 points.",
        "You lost 4 points to punishment, 0.1 to voting costs and 1 to harm from other players.",
        "The resources you collected cost the other players 2 points in total.",
        group,
        # each player can collect an A, worth 3 - 2 * 0.5 to the group, in each of 3 turns: 3 * 3 *
        # 2
        "No group could have earned more than 18 points together in this game, even if it had "
        "known where all resources would appear.",
        level,
    ]
    # Seat 1: 2 A for 6; punished by 3 + 3; a vote; harmed by 0.5 in turns 1 and 2: -1.1 in total.
    assert summary(table, 1)[1] == (
        "You lost 6 points to punishment, 0.1 to voting costs and 1 to harm from other players."
    )
    # Seat 2 does nothing and is harmed by 0.5 + 1 + 0.5: -2. The sum is 0.9 - 1.1 - 2 = -2.2.
    assert summary(table, 2)[:3] == [
        "You collected: nothing. That earned you 0 points.",
        "You lost 0 points to punishment, 0 to voting costs and 2 to harm from other players.",
        "The resources you collected cost the other players 0 points in total.",
    ]
    assert [chair.points for chair in table.seats] == pytest.approx([0.9, -1.1, -2.0])


def test_the_picture_at_the_end_adds_up_by_hand():
    """Use the numbers in the test above, for the seat and for everyone, without names."""
    table = short_play()
    shown = [guide.picture(table, table.rows, seat) for seat in range(3)]
    assert [set(picture) for picture in shown] == [{"own", "all", "course"}] * 3
    own_parts = [picture["own"] for picture in shown]
    assert [part["points"] for part in own_parts] == pytest.approx([0.9, -1.1, -2.0])
    assert [part["collected"] for part in own_parts] == [[0, 2], [0, 2], [0, 0]]  # X, A
    assert [(part["up"], part["down"]) for part in own_parts] == [(0, 1), (1, 0), (0, 0)]
    costs = [part["cost"] for part in own_parts]
    assert costs == pytest.approx([2.0, 2.0, 0.0])  # 2 A, 0.5 to 2 each
    for picture in shown:
        together = {"collected": [0, 4], "up": 1, "down": 1}
        assert picture["all"] == {
            "points": pytest.approx(-2.2),
            "cost": pytest.approx(4.0),
            **together,
        }
        assert picture["course"]["others"]


def test_a_seat_that_has_left_is_not_counted_among_the_harmed():
    """Seat 1 leaves before the second turn. So an A that seat 0 collects costs 0.5 twice, then
    once.
    """
    table = corridor(agents={"may_leave": True})
    for _ in range(2):
        turn(table, s0=collect(table, 0))
    periods = [row for row in table.rows if row["kind"] == "period"]
    assert guide.picture(table, table.rows, 0)["own"]["cost"] == pytest.approx(2.0)
    periods[1]["state"]["seat_reason"] = [0, 1, 0]
    assert guide.picture(table, table.rows, 0)["own"]["cost"] == pytest.approx(1.5)
    assert summary(table, 0)[2] == (
        "The resources you collected cost the other players 1.5 points in total."
    )


def test_the_summary_is_the_same_after_the_table_is_stored_and_reloaded():
    table = short_play()
    again = Table.from_json(table.setup, table.to_json())
    assert guide.summary(again, table.rows, 1) == summary(table, 1)


def test_the_summary_of_accumulated_harm_paid_after_the_last_turn():
    # Sequential: seat 1 collects after seat 0 has moved, so seat 0 pays a turn later, and for the
    # last turn immediately. The vote of seat 0 counts before seat 1 collects: 30%.
    table = corridor(seats=2, turns=2, timing="sequential")
    turn(table, s0=MORE, s1=collect(table, 1))
    assert table.episode.state_record()["harm"] == [0.5, 0.0]
    turn(table, s1=collect(table, 1))
    assert summary(table, 0)[1] == (
        "You lost 0 points to punishment, 0.1 to voting costs and 1 to harm from other players."
    )
    assert summary(table, 1)[:3] == [
        "You collected: 2 A. That earned you 6 points.",
        "You lost 6 points to punishment, 0 to voting costs and 0 to harm from other players.",
        "The resources you collected cost the other players 1 point in total.",
    ]
    # 6 - 6 and -0.1 - 1
    assert summary(table, 1)[3] == (
        f"Your group earned {MINUS}1.1 points together. Votes for more punishment: 1, for less: 0."
    )
    assert summary(table, 1)[5] == "At the end the punishment level was 30%."


def test_the_summary_of_a_single_player():
    table = corridor(seats=1, turns=1)
    turn(table, s0=collect(table, 0))
    assert summary(table, 0) == [
        "You collected: 1 A. That earned you 3 points.",
        "You lost 1 point to punishment, 0 to voting costs and 0 to harm from other players.",
        "The resources you collected cost the other players 0 points in total.",
        "Your group earned 2 points together. Votes for more punishment: 0, for less: 0.",
        # an A for 3, minus 10 times the 10% of the first turn
        "No group could have earned more than 2 points together in this game, even if it had "
        "known where all resources would appear. Your group earned 100% of that.",
        "At the end the punishment level was 10%.",
    ]


def test_a_group_sees_its_earnings_as_a_share_of_the_upper_bound():
    # An A is worth 3 - 10 * 0.1 = 2 in each of two turns, as votes do nothing; one is collected
    table = corridor(seats=1, turns=2, vote_step=0.0)
    turn(table, s0=collect(table, 0))
    turn(table)
    assert (
        "No group could have earned more than 4 points together in this game, even if it had "
        "known where all resources would appear. Your group earned 50% of that."
    ) in summary(table, 0)
    course = guide.picture(table, table.rows, 0)["course"]
    assert not course["others"]  # with a single player there are none
    assert course["best"] == {"name": "Maximum per player", "points": [4, 4]}


def test_the_upper_bound_is_rounded_up():
    # 3 - 10 * 0.096 = 2.04; rounding to 2.0 would be below a group's earnings of 2.04
    table = corridor(seats=1, turns=1, initial_level=0.096)
    turn(table, s0=collect(table, 0))
    assert "more than 2.1 points" in " ".join(summary(table, 0))


@pytest.mark.parametrize(
    "changes",
    [
        {"layers": {"uncertainty": {"intensity": 1, "shocks": {"level": 0.1}}}},  # no bound
        {"magnitude": 1000, "vote_step": 0},  # nothing to gain: an A costs 100
    ],
)
def test_there_is_no_comparison_without_a_positive_bound(changes):
    table = corridor(seats=1, turns=1, **changes)
    turn(table)
    assert "No group could have earned" not in " ".join(summary(table, 0))
    assert guide.picture(table, table.rows, 0)["course"]["best"] is None


def test_there_is_no_comparison_if_a_player_left():
    """The others suffer less harm than the bound assumes."""
    table = corridor(agents={"may_leave": True})
    turn(table, s0=collect(table, 0))
    assert "No group could have earned" in " ".join(summary(table, 0))
    for row in table.rows:
        if row["kind"] == "period":
            row["state"]["seat_reason"] = [0, 1, 0]
    assert "No group could have earned" not in " ".join(summary(table, 0))


def test_votes_and_level_hidden_during_the_play_stay_hidden_at_the_end():
    hide = {"information": {"intensity": 1.0, "hide": ["increases", "level"]}}
    table = corridor(layers=hide)
    turn(table, s0=collect(table, 0), s1=MORE)
    text = " ".join(summary(table, 0))
    assert "Your group earned" in text
    assert "Votes for" not in text
    assert "punishment level was" not in text
    drawn = guide.picture(table, table.rows, 1)
    assert (drawn["all"]["up"], drawn["all"]["down"], drawn["own"]["up"]) == (None, None, 1)


def test_there_is_no_summary_before_the_first_turn_is_over():
    assert summary(corridor(), 0) == []


# -- the words of the page ----------------------------------------------------------------------

GUIDES: dict[str, Guide] = {"punishment_vote": guide, "commons_game": guide_of("commons_game")}
OTHER_CARD = {"punishment_vote": "form.js", "commons_game": "pad.js"}
"""Decision card that is not used by the app's stage."""


def scripts(app: str) -> dict[str, str]:
    """Return the JavaScript of the play and results pages of an app, by file."""
    files = [*(ROOT / "_static" / app).glob("*.js"), *(ROOT / "_static/mixed").glob("*.js")]
    left_out = (*OTHER_PAGES, OTHER_CARD[app])
    sources = {path.name: path.read_text() for path in files if path.name not in left_out}
    assert {"stage.js", "play.js", "dom.js"} <= set(sources)
    return sources


def words(app: str, archetype: str) -> dict[str, Any]:
    game = engine.make(app, archetype=archetype)
    return {**page_words(), **GUIDES[app].texts(game.core)}


def plays() -> list[tuple[str, str]]:
    return [(app, name) for app in GUIDES for name in engine.find(app).archetypes]


@pytest.mark.parametrize(("app", "archetype"), plays())
def test_the_page_has_every_word_its_scripts_use(app, archetype):
    available = set(words(app, archetype))
    for name, script in scripts(app).items():
        requested = set(re.findall(r"\btexts\.(\w+)", script))
        if name == "controls.js":
            requested |= set(re.findall(r"\bwords\.(\w+)", script))
        assert requested <= available, f"{name}: {sorted(requested - available)}"
    all_requested = set(re.findall(r"\btexts\.(\w+)", "".join(scripts(app).values())))
    assert len(all_requested) > 30  # check that the pattern still matches the scripts


@pytest.mark.parametrize(("app", "archetype"), plays())
def test_the_page_has_every_word_its_scripts_look_up_by_name(app, archetype):
    """Check connection states, parts of a reward, reasons for an end, and moves on the pad."""
    requests = sorted(
        request
        for script in scripts(app).values()
        for request in re.findall(r"texts\[.*?\]", script)
    )
    vote = app == "punishment_vote"
    pad = ["texts[name]"] * 2 if vote else []  # moves.js, stage.js
    out = ["texts[`out_${view.ended.reason}`]"]
    lies = ['texts[`lies_${along.join("_")}`]'] if vote else []
    assert requests == lies + out + ["texts[name]"] * 3 + pad, (
        "a script looks up a word by name: list its possible names here"
    )
    available = words(app, archetype)
    states = re.findall(r"\bstate\(([^)]*)\)", scripts(app)["table.js"])
    named = {name for state in states for name in re.findall(r'"(\w+)"', state)}
    assert {"connected", "saving", "saved", "lost"} <= named
    declared = engine.make(app, archetype=archetype).declaration
    named |= {field.name for field in declared.components} | {"connecting"}
    named |= {f"out_{reason}" for reason in declared.seat_endings}
    if app == "punishment_vote":
        named |= set(re.findall(r"\b(\w+): \[\"(?:Arrow|\w\")", scripts(app)["moves.js"]))
        assert {"up", "down", "left", "right", "vote_increase", "vote_decrease", "noop"} <= named
        named |= {f"lies_{way}" for way in ("up", "down", "left", "right")}
        named |= {f"lies_{way}_{side}" for way in ("up", "down") for side in ("left", "right")}
    assert named <= set(available), sorted(named - set(available))


@pytest.mark.parametrize(("app", "archetype"), plays())
def test_the_page_has_every_word_its_template_uses(app, archetype):
    template = (ROOT / "_templates/mixed/Play.html").read_text()
    requested = set(re.findall(r"\{\{\s*play\.(\w+)", template))
    assert len(requested) > 5
    assert requested <= set(words(app, archetype))


def test_the_lobby_has_every_word_its_script_uses():
    script = (ROOT / "_static/mixed/lobby.js").read_text()
    requested = set(re.findall(r"\btexts\.(\w+)", script))
    assert len(requested) > 5
    assert requested <= set(wording.lobby())


def test_the_scripts_fill_every_gap_in_the_words():
    """Check every `text(texts.key, {gap: ...})` that a script writes as one expression."""
    available = in_all_forms(words("punishment_vote", "lab_0_7"))
    checked = set()
    for name, script in scripts("punishment_vote").items():
        for key, filled in re.findall(r"text\(texts\.(\w+), \{([^{}]*)\}\)", script):
            gaps = set(re.findall(r"\{(\w+)\}", available[key]))
            names = {part.split(":")[0].strip() for part in re.split(r",(?![^(]*\))", filled)}
            assert gaps <= names, f"{name}: {key}: {sorted(gaps - names)}"
            checked.add(key)
    assert {"sees", "you_collected", "pending", "chosen"} <= checked


def test_the_words_of_the_page_contain_no_number_and_do_not_depend_on_the_session():
    words_by_key = guide.texts(core("lab_0_7"))
    assert numbers(" ".join(words_by_key.values())) == set()
    assert guide.texts(core(**ODD)) == words_by_key
    assert all(words_by_key.values())
