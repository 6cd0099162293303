"""Pages of the default session: no text, answer or default reveals the choice that pays best."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from docs.stakes import punishment_vote as stakes
from docs.stakes.earning import Stake, stake_of
from mixed_company.engine.games.punishment_vote import ACTIONS
from mixed_company.server.pages.guide import guide_of
from settings import SESSION_CONFIGS
from tests.project import ROOT
from tests.server.guides import in_all_forms, page_words, text_of

ADVICE = re.compile(
    r"\b(best|better|you should|avoid|wise|wiser|worthwhile|optimal|pays off|recommended"
    r"|good idea|bad idea|remember to|try to|always (collect|take|vote|move)"
    r"|never (collect|take|vote|move))\b",
    re.IGNORECASE,
)

guide = guide_of("punishment_vote")


def stake() -> Stake:
    return stake_of(next(config for config in SESSION_CONFIGS if config["name"] == "vote"))


def best_reply() -> str:
    """Return the policy that earns the most in the table in docs/stakes.md."""
    section = (ROOT / "docs/stakes.md").read_text().split("\n## punishment_vote: `vote`\n")[1]
    row = re.search(r"\| \*\*best reply\*\* `(\S+)`", section.split("\n## ")[0])
    assert row
    return row[1]


@cache
def best_play() -> stakes.Played:
    """Return two plays of the best reply in the default session."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stakes, "PLAYS", 2)
        return stakes.played(stake(), best_reply())


def sentences() -> list[str]:
    """Return what a participant reads: instructions, quiz with answers, and texts of the play
    page."""
    game, options = stake().game, stake().setup.options
    questions = [
        " ".join([question["text"], *question["options"], question["why"]])
        for question in guide.quiz(game, options)
    ]
    words = in_all_forms({**page_words(), **guide.texts(game.core)}).values()
    texts = [text_of(guide.sections(game, options)), *questions, *words]
    return [part for text in texts for part in re.split(r"(?<=[.?!])\s", text)]


def test_no_sentence_gives_advice() -> None:
    read = sentences()
    assert len(read) > 150
    assert [sentence for sentence in read if ADVICE.search(sentence)] == []


@pytest.mark.parametrize(
    "advice",
    [
        "Collect B only while the level is below 50%: this is best.",
        "You should vote for more punishment.",
        "Always collect A.",
        "B pays off as long as nobody votes.",
    ],
)
def test_a_sentence_that_gives_advice_is_found(advice: str) -> None:
    assert ADVICE.search(advice)


def test_the_best_reply_takes_other_kinds_below_the_middle_than_above() -> None:
    """A text that names only one kind does not give advice that is right in every turn."""
    play, taboo = best_play(), 1 + list(stake().game.core.resources).index("B")
    sides = stakes.side(play.level[:, :-1])
    taken = [(play.collected[:, :, 0] == taboo)[sides == sign].sum() for sign in (-1, 1)]
    assert taken[0] >= 5 * max(taken[1], 1)


def test_the_default_action_is_not_what_the_best_reply_does() -> None:
    core = stake().game.core
    action = stake().game.declaration.actions[0]
    assert ACTIONS[core.actions][int(action.default)] == "noop"
    idle = (best_play().points == 0) & (best_play().collected[:, :, 0] == 0)
    # a player who only stands still collects nothing; the best reply collects in half of the turns
    assert idle.mean() < 0.7


def test_no_right_answer_of_the_quiz_is_a_choice() -> None:
    game = stake().game
    texts = guide.texts(game.core)
    choices = {texts[name] for name in ACTIONS[game.core.actions]} | set(game.core.resources)
    answers = {question["right"] for question in guide.quiz(game, stake().setup.options)}
    assert len(answers) == 5
    assert not answers & choices
    assert np.all([not ADVICE.search(answer) for answer in answers])
