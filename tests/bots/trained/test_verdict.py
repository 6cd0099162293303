"""The sentence on a card that says whether a policy is hard to exploit."""

from __future__ import annotations

import json
import re

import pytest

from mixed_company.engine import ConfigError
from mixed_company.policies.trained import HERE, policies_in
from mixed_company.policies.trained.card import Gap, Interval, read, verdict
from tests.bots.trained.models import always, write

CARDS = [policy.card for policy in policies_in(HERE)]


def gap(gains, errors, ranges):
    """Return the gap of a policy whose seats were searched separately."""
    seats = tuple(Interval(mean=gain, low=gain, high=gain) for gain in gains)
    return Gap(
        plays=8,
        seed=0,
        reply="greedy",
        own=seats[0],
        gain=seats[0],
        share_of_range=0.0,
        seats=seats,
        replies=("greedy",) * len(seats),
        errors=errors,
        ranges=ranges,
    )


@pytest.mark.parametrize(
    ("gains", "errors", "sentence"),
    [
        ((0.0, 9.9), (0.0, 0.0), "Hard to exploit: seat 1 can gain up to 9.9% of the range"),
        ((0.0, 10.0), (0.0, 0.0), "Not hard to exploit: seat 1 can gain up to 10.0%"),
        ((5.0, 0.0), (6.0, 0.0), "Not hard to exploit: seat 0 can gain up to 11.0%"),
        ((5.0, 4.0), (4.0, 4.0), "Hard to exploit: seat 0 can gain up to 9.0%"),
    ],
)
def test_the_worst_seat_with_its_error_decides(gains, errors, sentence):
    assert verdict(gap(gains, errors, (100.0, 100.0))).startswith(sentence)


def test_the_upper_end_of_the_gain_counts():
    wide = gap((5.0,), (0.0,), (100.0,))
    wide = wide.model_copy(update={"seats": (Interval(mean=5.0, low=-1.0, high=11.0),)})
    assert verdict(wide).startswith("Not hard to exploit: seat 0 can gain up to 11.0%")


def test_a_card_whose_seats_were_searched_together_has_no_verdict():
    assert verdict(gap((0.0,), (0.0,), (1.0,)).model_copy(update={"replies": ()})) == ""


@pytest.mark.parametrize("card", [card for card in CARDS if card.gap], ids=lambda card: card.id)
def test_every_card_has_the_verdict_of_its_numbers(card):
    assert card.gap.verdict == verdict(card.gap)
    assert bool(card.gap.verdict) == bool(card.gap.replies)


def test_another_verdict_is_refused(tmp_path):
    path = write(tmp_path, always(0.0, -1.0))
    card = json.loads(path.read_text())
    measured = gap((50.0,), (0.0,), (100.0,))
    card["gap"] = {**measured.model_dump(mode="json"), "verdict": verdict(measured)}
    path.write_text(json.dumps(card))
    assert read(path).gap is not None
    card["gap"]["verdict"] = "Hard to exploit."
    path.write_text(json.dumps(card))
    words = re.escape("gap.verdict = 'Hard to exploit.': should be 'Not hard to exploit: seat 0")
    with pytest.raises(ConfigError, match=words):
        read(path)


def test_the_verdict_of_an_earlier_card_may_have_a_space_before_the_per_cent_sign(tmp_path):
    path = write(tmp_path, always(0.0, -1.0))
    card = json.loads(path.read_text())
    measured = gap((50.0,), (0.0,), (100.0,))
    earlier = verdict(measured).replace("%", " %")
    card["gap"] = {**measured.model_dump(mode="json"), "verdict": earlier}
    path.write_text(json.dumps(card))
    assert read(path).gap.verdict == earlier
