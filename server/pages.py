"""The pages every app has, in order: Instructions, Quiz, Lobby, Play, Results.

They are the same for all games. What the game itself says and shows is its guide (`server.guide`,
which lists the files that a game needs), found by the name of the app.
"""

from __future__ import annotations

import json
from typing import Any

from otree.api import Page, cu

from server import clock, live, results, rules, storage, texts
from server.guide import Guide, guide_of
from server.modules import modules
from table.options import QUIZ_ATTEMPTS_KEPT
from table.setup import Setup, setup_from

__all__ = ["Instructions", "Lobby", "Play", "Quiz", "Results"]

UNTIMED_SECONDS = 86_400.0
"""How long a play without a time limit may last before its page ends by itself."""


def setup_of(player: Any) -> Setup:
    """The setup of the session a player is in."""
    return setup_from(player.subsession.setup)


def guide(setup: Setup) -> Guide:
    """What the game of a session says and shows."""
    return guide_of(setup.config["identity"]["game"])


def questions(setup: Setup) -> list[dict[str, Any]]:
    """The game's own questions, then those of all games."""
    return [*guide(setup).quiz(setup.game.core, setup.options), *rules.questions(setup)]


def _words(setup: Setup) -> dict[str, str]:
    """The words of the play page, and of the play once more at the end."""
    return {**texts.play(), **guide(setup).texts(setup.game.core)}


class Shared(Page):
    """What all pages have: one look, texts from one place."""

    step = ""
    use_blank_layout = True

    @classmethod
    def frame(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        words = texts.shared()
        names = ["instructions", "quiz", "lobby", "play", "results"]
        skipped = {"quiz": not setup.options.quiz, "lobby": setup.options.people_per_group == 1}
        shown = [name for name in names if not skipped.get(name)]
        return {
            "game_title": guide(setup).title,
            "game_id": setup.config["identity"]["game"],
            "words": words,
            "steps": [{"name": words[f"step_{name}"], "here": name == cls.step} for name in shown],
        }

    @classmethod
    def rules(cls, player: Any) -> list[dict[str, Any]]:
        """The instructions: the game's own sections, then those of all games."""
        setup, config = setup_of(player), player.session.config
        rate = str(cu(1).to_real_world_currency(player.session))
        shared = rules.sections(setup, rate, str(config["participation_fee"]))
        return [*guide(setup).sections(setup.game.core, setup.options), *shared]

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        return cls.frame(player)


class Instructions(Shared):
    """The rules, with this session's own numbers."""

    template_name = "mixed/Instructions.html"
    step = "instructions"

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        return {**cls.frame(player), "sections": cls.rules(player)}


class Quiz(Shared):
    """Comprehension questions. Every attempt is kept with its time."""

    template_name = "mixed/Quiz.html"
    step = "quiz"
    form_model = "player"
    form_fields = ["quiz_answers"]

    @staticmethod
    def is_displayed(player: Any) -> bool:
        return bool(setup_of(player).options.quiz)

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        attempts = json.loads(player.quiz_log)
        last = attempts[-1] if attempts else {"answers": {}, "wrong": []}
        shown = [
            {
                **question,
                "options": [
                    {"text": text, "chosen": last["answers"].get(question["name"]) == text}
                    for text in question["options"]
                ],
                "wrong": question["name"] in last["wrong"],
                "correct": bool(attempts) and question["name"] not in last["wrong"],
            }
            for question in questions(setup)
        ]
        return {
            **cls.frame(player),
            "quiz": texts.quiz(),
            "questions": shown,
            "sections": cls.rules(player),
        }

    @classmethod
    def error_message(cls, player: Any, values: dict[str, Any]) -> str | None:
        quiz_questions = questions(setup_of(player))
        answers = _answers(values["quiz_answers"], quiz_questions)
        wrong = [one["name"] for one in quiz_questions if answers.get(one["name"]) != one["right"]]
        attempts = json.loads(player.quiz_log)
        attempts.append({"at_ms": clock.now_ms(), "answers": answers, "wrong": wrong})
        player.quiz_attempts = player.quiz_attempts + 1
        player.quiz_log = json.dumps(attempts[-QUIZ_ATTEMPTS_KEPT:])
        if not wrong:
            return None
        words = texts.quiz()
        return words["answer_all" if len(answers) < len(quiz_questions) else "wrong_some"]


def _answers(text: Any, questions: list[dict[str, Any]]) -> dict[str, str]:
    """The options chosen, by question; what is no option of its question is left out."""
    try:
        sent = json.loads(text) if isinstance(text, str) and text else {}
    except (ValueError, RecursionError):
        return {}
    sent = sent if isinstance(sent, dict) else {}
    return {
        question["name"]: sent[question["name"]]
        for question in questions
        if sent.get(question["name"]) in question["options"]
    }


class Lobby(Shared):
    """People meet here; the page moves on by itself."""

    template_name = "mixed/Lobby.html"
    step = "lobby"

    @staticmethod
    def is_displayed(player: Any) -> bool:
        options = setup_of(player).options
        if player.status == "arriving" and options.people_per_group == 1:
            live.arrive(player, clock.now_ms())
            live.settle_lobby(player, clock.now_ms())
        return player.status in ("arriving", "waiting")

    @staticmethod
    def live_method(player: Any, data: Any) -> dict[int, Any]:
        return live.lobby(player, data)

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        return {**cls.frame(player), "lobby": texts.lobby()}

    @staticmethod
    def js_vars(player: Any) -> dict[str, Any]:
        options = setup_of(player).options
        return {
            "texts": texts.lobby(),
            "outcome": options.lobby_outcome,
            "promise_ms": 1000 * options.lobby_seconds,
        }

    @staticmethod
    def get_timeout_seconds(player: Any) -> float:
        """For those who closed the page: twice the promise (it may be extended), and a margin."""
        return 2 * setup_of(player).options.lobby_seconds + 60

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        return texts.lobby()["not_yet"] if player.status in ("arriving", "waiting") else None

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        if timeout_happened and player.status in ("arriving", "waiting"):
            player.status = "left"


class Play(Shared):
    """The one live page on which all periods are played."""

    template_name = "mixed/Play.html"
    step = "play"

    @staticmethod
    def is_displayed(player: Any) -> bool:
        return bool(player.status == "seated")

    @staticmethod
    def live_method(player: Any, data: Any) -> dict[int, Any]:
        return live.play(player, data)

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        return {
            **cls.frame(player),
            "modules": modules(setup.config["identity"]["game"]),
            "play": _words(setup),
            "sections": cls.rules(player),
        }

    @classmethod
    def js_vars(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        options = setup.options
        return {
            "game": setup.config["identity"]["game"],
            "setting": guide(setup).setting(setup.game, player.seat),
            "besides": rules.besides(setup.game),
            "role": rules.role_of(setup.game, player.seat),
            "periods": setup.game.horizon,
            "history_periods": live.MOST_PERIODS,
            "turn_ms": 1000 * options.decision_seconds if options.by_clock else None,
            "seat": player.seat,
            "digits": guide(setup).digits,
            "texts": _words(setup),
        }

    @staticmethod
    def get_timeout_seconds(player: Any) -> float:
        """If nobody is connected any more, the page ends after the longest play there can be."""
        setup = setup_of(player)
        options = setup.options
        if options.decision_seconds == 0:
            return UNTIMED_SECONDS
        turns = setup.game.seats if rules.order_of(setup.game) is not None else 1
        longest = setup.game.horizon * turns * options.decision_seconds
        return longest + 2 * options.grace_seconds + 10

    @staticmethod
    def error_message(player: Any, values: dict[str, Any]) -> str | None:
        over = live.settle_now(player).out(player.seat)
        return None if over else texts.play()["not_over"]

    @staticmethod
    def before_next_page(player: Any, timeout_happened: bool) -> None:
        live.settle_now(player)


class Results(Shared):
    """What was earned, and why."""

    template_name = "mixed/Results.html"
    step = "results"

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        options, own = setup.options, guide(setup)
        words = texts.results()
        participant = player.participant
        notes = [words[player.status]] if player.status in ("released", "left") else []
        summary: list[str] = []
        parts: list[dict[str, str]] = []
        details: list[dict[str, Any]] = []
        if player.seat >= 0:
            table = storage.load(player.group)
            log = storage.log_of(storage.log_class(player), player.group)
            parts = results.parts(log, player.seat, own.texts(table.game.core), own.digits)
            if table.episode.done:
                summary = own.summary(table, log, player.seat)
                details = results.with_row_heads(own.details(table, log, player.seat))
            else:
                notes.append(words["others_play"])
            notes += results.notes(table, log, player.seat, words)
        return {
            **cls.frame(player),
            "results": words,
            "played": player.seat >= 0,
            "points": texts.number(player.points, own.digits),
            "pay": str(participant.payoff_plus_participation_fee()),
            "fee": words["fee"].format(fee=player.session.config["participation_fee"]),
            "notes": notes,
            "parts": parts,
            "details": details,
            "summary": summary,
            "link": options.completion_links.get(player.status, ""),
        }

    @classmethod
    def js_vars(cls, player: Any) -> dict[str, Any]:
        setup = setup_of(player)
        played = player.seat >= 0 and storage.load(player.group).episode.done
        return {
            "game": setup.config["identity"]["game"],
            "setting": guide(setup).setting(setup.game, player.seat) if played else {},
            "periods": setup.game.horizon,
            "seat": player.seat,
            "history": live.history(player, storage.load(player.group)) if played else [],
            "picture": _picture(player) if played else {},
            "texts": _words(setup),
        }


def _picture(player: Any) -> dict[str, Any]:
    """What the stage's `ending` draws, where a game has one."""
    log = storage.log_of(storage.log_class(player), player.group)
    return guide(setup_of(player)).picture(storage.load(player.group), log)
