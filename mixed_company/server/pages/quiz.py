"""Quiz page: questions on the rules."""

from __future__ import annotations

import json
from typing import Any

from mixed_company.server import clock
from mixed_company.server.blocks.way import again
from mixed_company.server.pages import instructions, money, texts
from mixed_company.server.pages.handed_in import handed_in
from mixed_company.server.pages.shared import Shared, guide, setup_of
from mixed_company.table.options import QUIZ_ATTEMPTS_KEPT

FAILURES_BEFORE_HELP = 2
"""Number of wrong answers to a question before the page shows a hint."""


def questions(player: Any) -> list[dict[str, Any]]:
    """Return the game's own questions, then the shared ones."""
    setup = setup_of(player)
    of_game = guide(setup).quiz(setup.game, setup.options)
    return [
        *of_game,
        *instructions.questions(setup),
        *money.question(player.session, setup.options),
    ]


class Quiz(Shared):
    """Page with the comprehension questions. Every attempt is stored with its time."""

    template_name = "mixed/Quiz.html"
    step = "quiz"
    form_model = "player"
    form_fields = ["quiz_answers"]

    @staticmethod
    def is_displayed(player: Any) -> bool:
        asked_for = setup_of(player).options.quiz and not again(player)
        return bool(asked_for) and player.status == "arriving"

    @classmethod
    def vars_for_template(cls, player: Any) -> dict[str, Any]:
        attempts = json.loads(player.quiz_log)
        last = attempts[-1] if attempts else {"answers": {}, "wrong": []}
        shown = [
            {
                **question,
                "options": [
                    {"text": text, "chosen": last["answers"].get(question["name"]) == text}
                    for text in question["options"]
                ],
                "wrong": question["name"] in last["wrong"] and question["name"] in last["answers"],
                "missing": bool(attempts) and question["name"] not in last["answers"],
                "correct": bool(attempts) and question["name"] not in last["wrong"],
                "helped": failures(attempts, question["name"]) >= FAILURES_BEFORE_HELP,
            }
            for question in questions(player)
        ]
        return {
            **cls.frame(player),
            "quiz": {**texts.quiz(), "lead": _lead(player, attempts)},
            "questions": shown,
            "screens": cls.rules(player),
        }

    def post(self) -> Any:
        """Read the answers from the form's fields, unless a script has collected them."""
        form = self._form_data
        if not form.get("quiz_answers"):
            names = [question["name"] for question in questions(self.player)]
            chosen = {name: form[name] for name in names if form.get(name)}
            self._form_data = type(form)({**form, "quiz_answers": json.dumps(chosen)})
        return super().post()

    @classmethod
    def error_message(cls, player: Any, values: dict[str, Any]) -> str | None:
        quiz_questions = questions(player)
        answers = _answers(values["quiz_answers"], quiz_questions)
        wrong = [
            question["name"]
            for question in quiz_questions
            if answers.get(question["name"]) != question["right"]
        ]
        attempts = json.loads(player.quiz_log)
        attempts.append({"at_ms": clock.wall_ms(), "answers": answers, "wrong": wrong})
        player.quiz_attempts = player.quiz_attempts + 1
        player.quiz_log = json.dumps(attempts[-QUIZ_ATTEMPTS_KEPT:])
        if not wrong:
            return None
        tries = setup_of(player).options.quiz_tries
        if tries and _used(attempts, len(quiz_questions)) >= tries:
            if setup_of(player).options.quiz_failed == "end":
                player.status = "quiz_failed"
            return None
        words = texts.quiz()
        return words["answer_all" if len(answers) < len(quiz_questions) else "wrong_some"]


def failures(attempts: list[dict[str, Any]], name: str) -> int:
    """Count the wrong answers to a question."""
    return sum(name in attempt["wrong"] and name in attempt["answers"] for attempt in attempts)


def _used(attempts: list[dict[str, Any]], questions: int) -> int:
    """Count the complete attempts: attempts with an answer to every question."""
    return sum(len(attempt["answers"]) == questions for attempt in attempts)


def _lead(player: Any, attempts: list[dict[str, Any]]) -> str:
    tries = setup_of(player).options.quiz_tries
    return texts.quiz_lead(tries, _used(attempts, len(questions(player))))


def _answers(text: Any, questions: list[dict[str, Any]]) -> dict[str, str]:
    """Return the chosen options by question; omit invalid ones."""
    sent = handed_in(text)
    return {
        question["name"]: sent[question["name"]]
        for question in questions
        if sent.get(question["name"]) in question["options"]
    }
