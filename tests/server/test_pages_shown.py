"""Data for templates and scripts of the game's pages, with people in memory."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.open.showing import MOST_PERIODS
from mixed_company.server.pages import (
    choosing,
    guide,
    instructions,
    pages,
    play,
    quiz,
    results,
    shared,
    talking,
    texts,
    wording,
)
from mixed_company.server.pages import notice as notices
from mixed_company.table.options import Options


class Page:
    """Page with a replaced frame and replaced rules."""

    @classmethod
    def frame(cls, player: Any) -> dict[str, Any]:
        return {"frame": player.name}

    @classmethod
    def rules(cls, player: Any) -> list[Any]:
        return [f"rules of {player.name}"]


@pytest.fixture(autouse=True)
def framed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("frame", "rules"):
        monkeypatch.setattr(shared.Shared, name, vars(Page)[name])


GUIDE = SimpleNamespace(
    digits=2,
    scenes=lambda game: {"scenes of": game.name},
    setting=lambda game, seat: {"setting of": seat},
    texts=lambda core: {f"words of {core}": "x"},
    summary=lambda table, log, seat: [f"{table.name} {log} {seat}"],
    details=lambda table, log, seat: [{"rows": [[table.name, log, seat]]}],
    picture=lambda table, log, seat: {"picture": [table.name, log, seat]},
)


def person(**attributes: Any) -> Any:
    here = {"name": "ann", "status": "arriving", "seat": 0, "session": "session"}
    here["subsession"] = SimpleNamespace(plan="")
    points = {"points": 1.25, "group": "group", "get_folder_name": lambda: "commons_game"}
    return SimpleNamespace(**{**here, **points, **attributes})


def setup_with(monkeypatch: pytest.MonkeyPatch, *modules: Any, **chosen: Any) -> Any:
    """Return a setup with these options, which these modules then find."""
    rules, rule = chosen.pop("rules", {}), chosen.pop("rule", "")
    config = {"identity": {"game": "commons_game"}}
    game = SimpleNamespace(name="game", core="core", horizon=7, told_horizon=7, seats=4, peers=None)
    setup = SimpleNamespace(
        options=Options(**chosen),
        game=game,
        config=config,
        rules=rules,
        rule=rule,
        practice="practice",
    )
    for module in modules:
        monkeypatch.setattr(module, "setup_of", lambda player: setup)
    for module in (pages, play, shared):
        monkeypatch.setattr(module, "guide", lambda argument: {id(setup): GUIDE}[id(argument)])
    return setup


WORDS = {**wording.play(), "words of core": "x"}


# -- instructions, lobby, play ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "again", "shown", "assigned"),
    [("arriving", False, True, 1), ("arriving", True, False, 1), ("seated", False, False, 0)],
)
def test_a_newcomer_reads_the_instructions_once_and_is_assigned(
    monkeypatch, status, again, shown, assigned
):
    calls: list[Any] = []
    monkeypatch.setattr(pages, "assign", calls.append)
    monkeypatch.setattr(pages, "again", lambda player: again)
    player = person(status=status)
    assert pages.Instructions.is_displayed(player) is shown
    assert calls == [player] * assigned


def test_the_instructions_get_their_screens_words_and_pictures(monkeypatch):
    setup = setup_with(monkeypatch, pages)
    disclosed: list[Any] = []
    monkeypatch.setattr(pages, "disclose", lambda player, setup: disclosed.append((player, setup)))
    monkeypatch.setattr(pages.money, "equation", lambda session: f"rate of {session}")
    player = person()
    shown = pages.Instructions.vars_for_template(player)
    assert shown == {"frame": "ann", "screens": ["rules of ann"]}
    assert disclosed == [(player, setup)]
    assert pages.Instructions.js_vars(player) == {
        "game": "commons_game",
        "pictures": {
            "own": {"scenes of": "game"},
            "shared": {"pays": {"rate": "rate of session"}, "ends": {"periods": 7}},
        },
        "texts": {**WORDS, **texts.shared()},
    }
    assert instructions.scenes(7, "") == {"ends": {"periods": 7}}


@pytest.mark.parametrize(
    ("status", "people", "admitted", "shown"),
    [
        ("arriving", 1, True, False),
        ("arriving", 2, False, True),
        ("waiting", 1, False, True),
        ("seated", 1, False, False),
    ],
)
def test_a_person_who_plays_alone_skips_the_lobby(monkeypatch, status, people, admitted, shown):
    setup_with(monkeypatch, play, people_per_group=people)
    calls: list[Any] = []
    let_in: list[Any] = []
    monkeypatch.setattr(play, "assign", calls.append)

    def admit(player: Any) -> None:
        let_in.append(player)
        player.status = "seated"

    monkeypatch.setattr(play, "lobbies", SimpleNamespace(admit=admit))
    player = person(status=status)
    assert play.Lobby.is_displayed(player) is shown
    assert calls == ([player] if status == "arriving" else [])
    assert let_in == ([player] if admitted else [])


@pytest.mark.parametrize(
    ("leaving", "status", "parted", "error"),
    [
        *(("yes", status, 1, None) for status in ("waiting", "arriving")),
        *(("", status, 0, "not_yet") for status in ("waiting", "arriving")),
        *((leaving, "seated", 0, None) for leaving in ("yes", "")),
    ],
)
def test_a_person_leaves_the_lobby_by_choice_or_with_a_seat(
    monkeypatch, leaving, status, parted, error
):
    left: list[Any] = []

    def part(player: Any) -> None:
        left.append(player)
        player.status = "left"

    monkeypatch.setattr(play, "lobbies", SimpleNamespace(part=part, hurry=left.append))
    player = person(status=status)
    message = play.Lobby.error_message(player, {"leaving": leaving})
    assert (message, len(left)) == (wording.lobby()[error] if error else None, parted)
    assert play.Lobby.hurry(player) is False
    assert left[-1] is player


@pytest.mark.parametrize(
    ("later", "outcome", "leave"), [(False, "release", "leave_sure"), (True, "bots", "leave_later")]
)
def test_the_lobby_gets_its_words_and_its_promise(monkeypatch, later, outcome, leave):
    chosen = {"lobby_outcome": "release", "lobby_seconds": 2.5, "people_per_group": 3}
    setup_with(monkeypatch, play, disclosure="count", **chosen)
    monkeypatch.setattr(play, "is_planned", lambda player: later)
    shown = play.Lobby.vars_for_template(person())
    words = wording.lobby()
    assert shown == {"frame": "ann", "lobby": {**words, "leave_sure": words[leave]}}
    assert play.Lobby.js_vars(person()) == {
        "texts": words,
        "outcome": outcome,
        "promise_ms": 2500.0,
        "bots": 1,
    }
    unsaid = [({"disclosure": disclosure}, 0) for disclosure in ("none", "possible")]
    for changes, bots in (({}, 1), ({"people_per_group": 6}, 0), *unsaid):
        setup_with(monkeypatch, play, **{"disclosure": "labels", **chosen, **changes})
        assert play._bots(person()) == bots


def test_the_script_of_a_play_gets_everything_that_stays_the_same(monkeypatch):
    for name in ("besides", "accepted"):
        monkeypatch.setattr(play.rules, name, lambda game, name=name: [name, game.name])
    monkeypatch.setattr(play.rules, "role_of", lambda game, seat: f"role of {seat}")
    monkeypatch.setattr(play.talking, "setting", lambda setup, seat: f"talk of {seat}")
    monkeypatch.setattr(play.peers, "setting", lambda game: f"points of {game.name}")
    quiet = setup_with(monkeypatch, play)
    same = {
        "game": "commons_game",
        "setting": {"setting of": 3},
        "besides": ["besides", "game"],
        "accepts": ["accepted", "game"],
        "role": "role of 3",
        "periods": 7,
        "history_periods": MOST_PERIODS,
        "turn_ms": None,
        "seat": 3,
        "peers": "points of game",
        "digits": 2,
        "rules": [],
        "rule": "",
        "texts": WORDS,
    }
    assert play.stage_vars(quiet, 3) == same
    monkeypatch.setattr(play.money, "equation", lambda session: f"rate of {session}")
    assert play.Play.js_vars(person(seat=3)) == {**same, "rate": "rate of session"}
    rule = {"rules": ["r"], "rule": ""}
    monkeypatch.setattr(choosing, "sent", lambda setup: rule)
    talks = setup_with(monkeypatch, play, talk="free", pace="clock", decision_seconds=1.5)
    timed = {"turn_ms": 1500.0, "talk": "talk of 3", **rule}
    assert play.stage_vars(talks, 3) == {**same, **timed}


@pytest.mark.parametrize(
    ("horizon", "number", "matching", "words"),
    [
        (1, 1, "partners", ["Game 1 of 2", "On to the next game", "On to the next game."]),
        (1, 1, "strangers", ["Game 1 of 2", "You are now joining a new group", None]),
        (7, 2, "strangers", ["Game 2 of 2: Period {period} of {periods}", None, None]),
    ],
)
def test_a_game_of_a_repeated_block_has_a_number(monkeypatch, horizon, number, matching, words):
    setup = setup_with(monkeypatch, play)
    setup.game.horizon = horizon
    course = SimpleNamespace(matching=matching)
    planned = SimpleNamespace(round=(number, 2), is_last_of_part=number == 2, course=course)
    monkeypatch.setattr(play, "planned_of", lambda subsession: planned)
    monkeypatch.setattr(play, "words_of", lambda setup: {"period": "Period {period} of {periods}"})
    texts_shown = play._repeated(person())
    shown = [texts_shown.get(name) for name in ("period", "over", "over_said")]
    assert [text for text, wanted in zip(shown, words, strict=True) if wanted] == [
        text for text in words if text
    ]
    assert ("to_results" in texts_shown) is (number == 1)


@pytest.mark.parametrize("talk", ["off", "free"])
def test_the_page_of_a_play_has_the_parts_of_the_session(monkeypatch, talk):
    setup = setup_with(monkeypatch, play, attention=True, talk=talk, rules={})
    monkeypatch.setattr(play, "modules", lambda game_id: (game_id,))
    monkeypatch.setattr(play.asking, "in_play", lambda options, seat: f"asks {seat}")
    seen = SimpleNamespace(seen=lambda player: {"seen by": [player.seat, "</script>"]})
    for name in ("tables", "practices"):
        monkeypatch.setattr(play, name, seen)
    page = {
        "frame": "ann",
        "first_view": r'{"seen by":[1,"\u003c/script>"]}',
        "attentive": True,
        "talk": talking.words() if talk == "free" else None,
        "asks": "asks 1",
        "modules": ("commons_game",),
        "play": WORDS,
        "screens": ["rules of ann"],
        "choosing": False,
        "assigns": False,
    }
    assert play.Play.vars_for_template(person(seat=1)) == page
    monkeypatch.setattr(play, "setup_of", lambda player: setup)
    banner = {"practice": "Practice. Nothing here counts."}
    data = {"attentive": False, "talk": None, "asks": "", "play": play._words(setup)}
    assert play.Practice.vars_for_template(person(seat=1)) == {**page, **data, **banner}
    over = "The practice is over"
    assert play._words(setup) == {
        **WORDS,
        "saved": "Connected",
        "over": over,
        "out": over,
        "to_results": "Continue",
        "over_said": f"{over}.",
        "out_said": f"{over}.",
        "out_ended": "",
    }


@pytest.mark.parametrize(
    ("attention", "sent", "kept"),
    [
        (True, '{"idle_ms": 5, "other": 1}', '{"idle_ms": 5}'),
        (True, "nonsense", ""),
        (False, '{"idle_ms": 5}', ""),
    ],
)
@pytest.mark.parametrize("over", [True, False])
def test_a_play_is_left_when_it_is_over_with_the_counts_of_the_page(
    monkeypatch, attention, sent, kept, over
):
    settled: list[Any] = []
    table = SimpleNamespace(parted=lambda seat: over and seat == 2)
    open_tables = SimpleNamespace(settled=lambda player: settled.append(player) or table)
    monkeypatch.setattr(play, "tables", open_tables)
    setup_with(monkeypatch, play, attention=attention)
    player = person(seat=2, attention=sent, status="seated")
    message = play.Play.error_message(player, {})
    assert message == (None if over else wording.play()["not_over"])
    play.Play.before_next_page(player, False)
    assert (player.attention, settled) == (kept, [player, player])
    assert play.Play.is_displayed(player)
    assert not play.Play.is_displayed(person())


def test_a_policy_decides_once_for_a_person_who_is_advanced_at_play(monkeypatch):
    directives: list[Any] = []
    open_tables = SimpleNamespace(
        manage=lambda player, directive: directives.append((player, directive))
    )
    monkeypatch.setattr(play, "tables", open_tables)
    player = person(seat=2)
    assert [play.Play.hurry(player), play.Play.hurry(player)] == [False, False]
    assert [(player_of, done.kind, done.seat) for player_of, done in directives] == [
        (player, "skip", 2)
    ] * 2
    names = {done.id for _, done in directives}
    assert len(names) == 2
    assert all(name.startswith("advance ") and len(name) == 24 for name in names)


# -- results ----------------------------------------------------------------------------------


class Ended:
    """Replacements for the play, money and blocks that the results page reads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, done: bool, over: bool, between: bool):
        episode = SimpleNamespace(done=done)
        game = SimpleNamespace(core="core")
        table = SimpleNamespace(name="table", game=game, episode=episode, over=over)
        past = SimpleNamespace(history=lambda seat: [f"history of {seat}"])
        opened = SimpleNamespace(past=past)
        open_tables = SimpleNamespace(settled=lambda player: table, of=lambda player: opened)
        storage = SimpleNamespace(
            log_class=lambda player: f"class of {player.name}",
            log_of=lambda model, group: f"{model} {group}",
        )
        monkeypatch.setattr(pages, "tables", open_tables)
        monkeypatch.setattr(pages, "storage", storage)
        planned = SimpleNamespace(blocks=["first", "second"])
        monkeypatch.setattr(pages, "planned_of", lambda subsession: planned)
        monkeypatch.setattr(pages, "goes_on", lambda player, plan: between)
        monkeypatch.setattr(pages, "is_planned", lambda player: False)
        monkeypatch.setattr(pages, "payment", lambda player: 2.5)
        monkeypatch.setattr(pages, "link_for", lambda player, links: f"<{links['finished']}")
        monkeypatch.setattr(pages, "_follows", lambda player: True)
        monkeypatch.setattr(results, "cents", lambda *arguments: ["cents"])
        monkeypatch.setattr(results, "parts", lambda log, seat, words, digits: [words["fee"]])
        monkeypatch.setattr(pages.results, "peer_summary", lambda *arguments: ["of peers"])
        monkeypatch.setattr(results, "course", lambda *arguments: {"course of": [*arguments]})
        monkeypatch.setattr(results, "notes", lambda table, log, *seat: [f"{log} {seat}"])
        monkeypatch.setattr(choosing, "notes", lambda setup: ["chosen"])
        monkeypatch.setattr(pages.money, "equation", lambda session: "rate")
        monkeypatch.setattr(pages.money, "written", lambda amount: f"{amount} EUR")
        functions = {
            "headed": lambda player, plan, between: f"headed {between}",
            "earned": lambda player, plan: ["earned"],
            "drawn": lambda player, plan: "drawn",
            "title": lambda plan, between: {"title": "over"} if between else {},
        }
        for name, function in functions.items():
            monkeypatch.setattr(pages.blocks, name, function)
        setup_with(monkeypatch, pages, completion_links={"finished": "https://a.org/?a&b"})


LOG = "class of ann group"
TABLE = {"is_long": False, "rows": [{"head": "table", "cells": [LOG, 0]}]}


@pytest.mark.parametrize(
    ("done", "over", "between"),
    [(True, True, False), (True, True, True), (False, False, False), (False, True, False)],
)
def test_the_results_get_the_outcome_of_a_play(monkeypatch, done, over, between):
    Ended(monkeypatch, done, over, between)
    words = wording.results()
    has_details = done and not between
    waits = [words["others_play"]] if not over and not has_details else []
    player = person(status="finished", seat=0)
    assert pages.Results.vars_for_template(player) == {
        "frame": "ann",
        "results": words,
        "title": "over" if between else words["title"],
        "between": between,
        "part": f"headed {between}",
        "blocks": [] if between else ["earned"],
        "drawn": "" if between else "drawn",
        "played": True,
        "points": "1.25",
        "unit": "points earned",
        "pay": "2.5 EUR",
        "rate": "rate",
        "cents": [] if between else ["cents"],
        "notes": [*waits, "chosen", f"{LOG} (0, True)"],
        "is_over": has_details,
        "parts": ["Fee"],
        "details": [TABLE] if has_details else [],
        "summary": [f"table {LOG} 0", "of peers"] if has_details else [],
        "link": "&lt;https://a.org/?a&amp;b",
        "goes_on": True,
    }
    assert pages.Results.js_vars(player) == {
        "game": "commons_game",
        "setting": {"setting of": 0} if has_details else {},
        "periods": 7,
        "seat": 0,
        "history": ["history of 0"] if has_details else [],
        "picture": {"picture": ["table", LOG, 0]} if has_details else {},
        "course": {"course of": [LOG, 0, {}]} if has_details else {},
        "texts": WORDS,
    }


@pytest.mark.parametrize(("status", "goes_on"), [("released", True), ("left", False)])
def test_a_person_without_a_seat_reads_how_the_part_ended(monkeypatch, status, goes_on):
    Ended(monkeypatch, done=True, over=True, between=False)
    words = wording.results()
    player = person(status=status, seat=-1)
    shown = pages.Results.vars_for_template(player)
    name = {"released": "released", "left": "left_lobby"}[status]
    kept = ("title", "played", "notes", "parts", "details", "summary", "goes_on", "cents")
    assert {name: shown[name] for name in kept} == {
        "title": words["over"],
        "played": False,
        "notes": [words[name]],
        "parts": [],
        "details": [],
        "summary": [],
        "goes_on": goes_on,
        "cents": ["cents"],
    }
    script = pages.Results.js_vars(player)
    assert (script["setting"], script["history"], script["picture"]) == ({}, [], {})


@pytest.mark.parametrize(
    ("sequence", "follows"),
    [
        (["commons_game"], False),
        (["survey", "commons_game"], False),
        (["commons_game", "commons_game_2"], False),
        (["commons_game", "survey"], True),
        (["commons_game", "commons_game_2", "gem_mining"], True),
    ],
)
def test_an_app_that_follows_is_not_a_later_block(monkeypatch, sequence, follows):
    monkeypatch.setattr(pages, "sequence_of", {"session": sequence}.__getitem__)
    assert pages._follows(person()) is follows


# -- every page -------------------------------------------------------------------------------


FRAME = shared.Shared.frame


@pytest.mark.parametrize(
    ("chosen", "again", "later", "steps"),
    [
        ({"quiz": False}, False, False, "instructions play results"),
        (
            {"consent": "?", "practice_periods": 1, "people_per_group": 2},
            *(False, False, "consent instructions quiz practice lobby play results"),
        ),
        (
            {"consent": "?", "practice_periods": 1, "people_per_group": 2},
            *(True, True, "instructions lobby play results"),
        ),
        ({"consent": "?"}, False, True, "instructions quiz play results"),
    ],
)
def test_the_frame_names_the_game_and_the_existing_steps(monkeypatch, chosen, again, later, steps):
    setup_with(monkeypatch, shared, **chosen)
    monkeypatch.setattr(GUIDE, "title", "Fish", raising=False)
    monkeypatch.setattr(shared, "again", lambda player: again)
    monkeypatch.setattr(shared, "is_later", lambda player: later)
    words = texts.shared()
    shown = FRAME.__func__(play.Play, person())
    assert shown == {
        "game_title": "Fish",
        "game_id": "commons_game",
        "words": words,
        "plain": False,
        "steps": [
            {"name": words[f"step_{name}"], "here": name == "play"} for name in steps.split()
        ],
    }


def test_the_setup_of_a_group_that_chooses_is_that_of_its_table(monkeypatch):
    chosen = SimpleNamespace(table=SimpleNamespace(setup="chosen"))
    for rules, seat, expected in ((["r"], 0, "chosen"), (["r"], -1, None), ([], 0, None)):
        setup = SimpleNamespace(rules=rules)
        monkeypatch.setattr(shared, "treatments", SimpleNamespace(setup_of=lambda _, s=setup: s))
        monkeypatch.setattr(shared, "tables", SimpleNamespace(of=lambda player: chosen))
        assert shared.setup_of(person(seat=seat)) == (expected or setup)


def test_the_consent_is_shown_in_paragraphs_and_answered_by_one_of_two(monkeypatch):
    setup_with(monkeypatch, pages, consent="One\n\n<two>")
    monkeypatch.setattr(pages, "clock", SimpleNamespace(wall_ms=lambda: 7))
    words = texts.consent()
    shown = pages.Consent.vars_for_template(person())
    assert shown == {"frame": "ann", "consent": words, "paragraphs": ["One", "&lt;two&gt;"]}
    errors = [
        pages.Consent.error_message(person(), {"consented": choice}) for choice in ("yes", "no", "")
    ]
    assert errors == [None, None, words["choose"]]
    for answer, status in (("yes", "arriving"), ("no", "no_consent")):
        player = person(consented=answer)
        pages.Consent.before_next_page(player, False)
        assert (player.consented_ms, player.status) == (7.0, status)
    page = pages.Comments.vars_for_template(person())
    assert page == {"frame": "ann", "comments": texts.comments(), "most": 5000}


ASKED = [{"name": "a", "options": ["1", "2"], "right": "1"}, {"name": "b", "options": ["x"]}]


@pytest.mark.parametrize("failures_before", [0, 1, 2])
def test_the_quiz_shows_each_question_with_its_last_answer(monkeypatch, failures_before):
    setup_with(monkeypatch, quiz, quiz_tries=5)
    monkeypatch.setattr(quiz, "questions", lambda player: ASKED)
    attempt = {"at_ms": 1, "answers": {"a": "2", "b": "x"}, "wrong": ["a"]}
    tried = bool(failures_before)
    shown = quiz.Quiz.vars_for_template(person(quiz_log=json.dumps([attempt] * failures_before)))
    assert shown == {
        "frame": "ann",
        "quiz": {**texts.quiz(), "lead": texts.quiz_lead(5, failures_before)},
        "questions": [
            {
                **ASKED[0],
                "options": [{"text": "1", "chosen": False}, {"text": "2", "chosen": tried}],
                "wrong": tried,
                "missing": False,
                "correct": False,
                "helped": failures_before == 2,
            },
            {
                **ASKED[1],
                "options": [{"text": "x", "chosen": tried}],
                "wrong": False,
                "missing": False,
                "correct": tried,
                "helped": False,
            },
        ],
        "screens": ["rules of ann"],
    }


def test_a_question_without_an_answer_is_called_missing_and_not_wrong(monkeypatch):
    setup_with(monkeypatch, quiz, quiz_tries=5)
    monkeypatch.setattr(quiz, "questions", lambda player: ASKED)
    attempt = {"at_ms": 1, "answers": {"a": "2"}, "wrong": ["a", "b"]}
    shown = quiz.Quiz.vars_for_template(person(quiz_log=json.dumps([attempt])))["questions"]
    marks = [(item["wrong"], item["missing"], item["correct"]) for item in shown]
    assert marks == [(True, False, False), (False, True, False)]


# -- talk, practice, failures, guides ---------------------------------------------------------

EARLY = "The time to talk ends early if everybody is ready to continue."
NAMED = "Names are not shown, only player numbers. All messages are recorded."
FREELY = "You can write anything you like, up to 300 characters per message."


@pytest.mark.parametrize(
    ("chosen", "lines"),
    [
        ({"talk": "off"}, []),
        (
            {"talk_when": "before", "talk_seconds": 20.0},
            ["You can talk for 20 seconds before the game begins.", EARLY, FREELY]
            + ["All players can read all messages.", NAMED],
        ),
        (
            {"talk_when": "periods", "talk_seconds": 20.0, "talk": "list"},
            ["You can talk for 20 seconds before each period.", EARLY]
            + ["You choose your messages from a list of sentences."]
            + ["All players can read all messages.", NAMED],
        ),
        (
            {"talk_when": "stages", "talk_seconds": 20.0},
            ["You can talk for 20 seconds in each period, before you assign points.", EARLY, FREELY]
            + ["All players can read all messages.", NAMED],
        ),
        (
            {"talk_when": "always", "talk_seconds": 20.0, "talk_with": "one"},
            ["You can talk in the first 20 seconds of each period.", FREELY]
            + [
                "Each message goes to one player of your choice. No other player can read it.",
                NAMED,
            ],
        ),
        (
            {"talk_when": "always", "talk_with": "neighbours", "talk_roles": ["boss", "clerk"]},
            ["You can talk during the game.", FREELY, "Your neighbours can read your messages."]
            + ["Only players in these roles can send messages: Boss, Clerk.", NAMED],
        ),
    ],
)
def test_the_time_and_manner_of_talk_are_described(chosen, lines):
    defaults = {"talk": "free", "talk_length": 300, "talk_seconds": 0.0, "talk_with": "all"}
    options = SimpleNamespace(**{**defaults, "talk_roles": [], **chosen})
    options.talks = options.talk != "off"
    setup: Any = SimpleNamespace(options=options)
    assert talking.sentences(setup) == lines


def test_the_talk_card_says_who_writes_to_whom(monkeypatch):
    monkeypatch.setattr(talking, "can_write", lambda game, options, seat: seat == 2)
    monkeypatch.setattr(talking, "partners", lambda game, options, seat: [game, seat])
    talk_options = SimpleNamespace(talk_sentences=["s"], talk_length=9, talk_with="one")
    setup: Any = SimpleNamespace(game="game", options=talk_options)
    card = {"sentences": ["s"], "length": 9, "one": True, "texts": talking.words()}
    assert talking.setting(setup, 2) == {**card, "writes": True, "partners": ["game", 2]}
    talk_options.talk_with = "all"
    alone = {"one": False, "writes": False, "partners": ["game", 1]}
    assert talking.setting(setup, 1) == {**card, **alone}


@pytest.mark.parametrize(
    ("periods", "by_clock", "roles", "disclosure", "lines"),
    [
        (0, False, ["a", "b"], "labels", []),
        (
            *(1, False, ["a"], "none"),
            ["Before the game, you practise for 1 period. It does not count, and you can take as "]
            + ["much time as you like."],
        ),
        (
            *(2, False, ["a"], "none"),
            ["Before the game, you practise for 2 periods. They do not count, and you can take as "]
            + ["much time as you like."],
        ),
        (
            *(1, True, ["a"], "none"),
            ["Before the game, you practise for 1 turn. It does not count, and it lasts until "]
            + ["you choose."],
        ),
        (
            *(9, True, ["a"], "none"),
            ["Before the game, you practise for 3 turns. They do not count, and each one lasts "]
            + ["until you choose."],
        ),
    ],
)
def test_a_practice_is_announced_with_its_length(
    monkeypatch, periods, by_clock, roles, disclosure, lines
):
    options = SimpleNamespace(
        practice_periods=periods,
        by_clock=by_clock,
        disclosure=disclosure,
        practice_bots="random, random",
    )
    config = SimpleNamespace(agents="agents")
    game = SimpleNamespace(horizon=3, config=config, seats=2)
    setup: Any = SimpleNamespace(options=options, game=game)
    monkeypatch.setattr(instructions, "roles_of_seats", lambda agents, seats: roles)
    whole = ["".join(lines)] if lines else []
    assert instructions._practice(setup) == whole
    roles.append("other")
    options.disclosure = "labels"
    for bots, how in (("random, random", " that choose at random"), ("random,greedy", "")):
        options.practice_bots = bots
        assert instructions._practice(setup) == (
            [
                *whole,
                "Your role during practice may differ from your role in the game.",
                f"During practice, all other players are computer programs{how}.",
            ]
            if lines
            else []
        )


@pytest.mark.parametrize(
    ("status", "method", "path", "again"),
    [
        (408, "GET", "/p/a", True),
        (429, "POST", "/p/a", True),
        (500, "GET", "/sessions", True),
        (503, "POST", "/sessions", True),
        (404, "POST", "/p/a", False),
        (499, "GET", "/join", False),
    ],
)
def test_the_page_of_a_failure_leads_to_where_it_failed(monkeypatch, status, method, path, again):
    def notice(words: Any, link: str, button: str, **more: Any) -> Any:
        return SimpleNamespace(body=json.dumps([words, link, button, more]))

    monkeypatch.setattr(notices, "notice", notice)
    monkeypatch.setattr(notices, "bytes", lambda body: body, raising=False)
    scope = {"path": path, "method": method, "query_string": b"a=\xe4", "headers": []}
    data = json.loads(notices.failure(status, "why", scope, b"a=1&b="))
    more = {
        "sentence": "why" if path == "/sessions" else "",
        "form": [["a", "1"], ["b", ""]] if method == "POST" else None,
        "seconds": 3 if status in (429, 503) else 0,
    }
    link = f"{path}?a=\xe4" if again else ""
    assert data == [notices._words(status), link, "Try again", more]


def test_parts_that_a_game_leaves_out_are_empty():
    parts: Any = dict.fromkeys(("texts", "sections", "quiz", "setting", "summary"))
    minimal: Any = guide.Guide(title="T", digits=1, **parts)
    assert (minimal.scenes(0), minimal.derived(0, 0, 0), minimal.look_back(0)) == ({}, {}, 0)
    assert (minimal.counted(0, 0, 0), minimal.tallied(0, 0)) == ((), {})
    assert (minimal.details(0, 0, 0), minimal.picture(0, 0, 0), minimal.prepare(0)) == (
        [],
        {},
        None,
    )


def test_a_missing_import_inside_a_file_of_an_app_is_raised(monkeypatch):
    def load(path: str) -> Any:
        raise ModuleNotFoundError("no numpy", name="numpy")

    monkeypatch.setattr(guide, "import_module", load)
    with pytest.raises(ModuleNotFoundError, match="no numpy"):
        guide.guide_of.__wrapped__("new")
