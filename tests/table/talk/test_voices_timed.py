"""Times at which policies send messages, calculated from the draws of the play."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract import chance
from mixed_company.policies.talk import Saying, Talk
from mixed_company.table.options import Options
from mixed_company.table.talk.memory import Composed, Utterance
from mixed_company.table.talk.voices import composed, reading_ms, talk_of, writing_ms

GAME = engine.make("commons_game", archetype="lab")


def normal(name: str) -> float:
    return float(chance.stream(7, name, 3).normal())


def test_the_time_that_a_policy_takes_follows_from_seed_seat_and_period() -> None:
    """Thinking or reading takes 4 s, and each of 10 characters takes 0.2 s, with lognormal noise of
    standard deviation 0.4."""
    free = Options(talk="free", bot_delay="people")
    listed = Options(talk="list", talk_sentences=("a",), bot_delay="people")
    drawn = math.exp(0.4 * normal("writing of seat 1"))
    assert writing_ms(free, 7, 1, 3, "x" * 10) == round(6000 * drawn)
    assert writing_ms(listed, 7, 1, 3, "x" * 10) == round(4000 * drawn)
    read = math.exp(0.4 * normal("reading of seat 1"))
    assert reading_ms(free, 7, 1, 3) == round(8000 * read)


@pytest.mark.parametrize(
    ("delay", "taken"), [("instant", 0), ("fixed", 2000), ("fixed:seconds=3", 3000)]
)
def test_a_fixed_delay_applies_to_writing_and_reading(delay: str, taken: int) -> None:
    options = Options(talk="free", bot_delay=delay)
    assert writing_ms(options, 7, 1, 3, "x" * 10) == reading_ms(options, 7, 1, 3) == taken


def sent(saying: Saying, **options: Any) -> Composed | None:
    """Return the message of a policy in seat 1 that starts writing at 500 ms and takes 3 s."""
    chosen = {"talk": "free", "bot_delay": "fixed:seconds=3", **options}
    talk = talk_of([], GAME, Options(**chosen), 1, 3)
    return composed(GAME, Options(**chosen), talk, 7, saying, 500)


@pytest.mark.parametrize("when", ["before", "periods", "always"])
def test_a_message_not_written_before_the_time_for_talk_is_up_is_not_sent(when: Any) -> None:
    saying = Saying("Hi")
    assert sent(saying, talk_when=when, talk_seconds=3.0) is None
    assert sent(saying, talk_when=when, talk_seconds=3.001) == Composed(3500, "Hi", None, None)


def test_with_talk_at_all_times_a_message_is_sent_however_long_it_takes() -> None:
    assert sent(Saying("Hi"), talk_when="always", talk_seconds=0.0) is not None


def test_a_policy_sends_nothing_that_people_could_not_send() -> None:
    for text in ("", "a" * 300, "a\x00"):
        assert sent(Saying(text)) is None
    assert sent(Saying()) is sent(Saying(sentence=0)) is sent(Saying("Hi", to=2)) is None
    assert sent(Saying("Hi"), talk_with="one") is None
    assert sent(Saying("Hi", to=2), talk_with="one") == Composed(3500, "Hi", None, 2)
    listed: dict[str, Any] = {"talk": "list", "talk_sentences": ("One", "Two")}
    assert sent(Saying(sentence=1), **listed) == Composed(3500, "Two", 1, None)
    assert sent(Saying("One"), **listed) is None


def test_a_policy_knows_what_reached_its_seat_and_the_rules_of_the_talk() -> None:
    messages = [
        Utterance(number, 0, number, 0, "person", None, to, f"{number}", readers=readers)
        for number, (to, readers) in enumerate([(None, [0, 1, 2, 3]), (2, [0, 2]), (1, [0, 1])])
    ]
    options = Options(talk="free", talk_with="one", talk_length=9)
    talk = talk_of(messages, GAME, options, 1, 3)
    heard = [(message.period, message.seat, message.to, message.text) for message in talk.heard]
    assert heard == [(0, 0, None, "0"), (2, 0, 1, "2")]
    assert talk == Talk(1, 3, talk.heard, (), 9, (0, 2, 3), True)
    assert talk_of([], GAME, Options(talk="free"), 1, 3) == Talk(
        1, 3, (), (), 200, (0, 2, 3), False
    )
