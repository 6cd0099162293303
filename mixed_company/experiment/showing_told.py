"""Text that quotes everything participants read about bots and consent, and their questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mixed_company.experiment.comparisons import MOST_LISTED, abridged
from mixed_company.experiment.plan import Plan
from mixed_company.table.disclosing import bots_enter, translated_disclosure
from mixed_company.table.items import Item
from mixed_company.table.setup import Setup

_WHEN = {
    "before": "before the lobby",
    "after": "after the play",
    "end": "before the results",
}


def told(setups: Sequence[Setup], number: int = 1, advice: bool = True) -> Iterator[str]:
    """Yield, word for word, everything that people are told and asked in the block with this
    number, from 1. `setups` has the setup of each block.

    The last block includes the questions at the end. `advice` names the keys that keep bots out of
    people's seats.
    """
    setup, options = setups[number - 1], setups[number - 1].options
    yield f"told about bots{_about_bots(setup, last_of_game(setups, number))}"
    entry = bots_enter(options, later=number > 1, advice=advice)
    yield entry or "No bot takes a person's seat unless the manager hands it over."
    if number == 1:
        text = " ".join(options.consent.split())
        yield f'consent: "{text}"' if text else "consent: not asked for"
    for item in options.questions:
        if item.when != "end" or number == len(setups):
            text, answer = item.worded(options.language), _answer(item, options.language)
            yield f'question {item.name}, {_when(item)}: "{text}" ({answer}{_won(item)})'


def last_of_game(setups: Sequence[Setup], number: int) -> Setup | None:
    """Return the setup of the last block with the same game before the block with this number, from
    1; None if there is none."""
    game = setups[number - 1].game.id
    return next((past for past in reversed(setups[: number - 1]) if past.game.id == game), None)


def _about_bots(setup: Setup, past: Setup | None) -> str:
    """Describe where people read the sentence about bots, with the sentence: in the instructions
    before the first block of each game. Before later blocks, they read only what changed since
    `past`."""
    sentence = translated_disclosure(setup.options, setup.game.seats)
    before = "" if past is None else translated_disclosure(past.options, past.game.seats)
    if sentence == before:
        still = " new; the earlier sentence is still in the instructions" if sentence else ""
        return f": nothing{still}"
    if not sentence:
        return ": the earlier sentence is no longer in the instructions"
    where = "" if past is None else ", as a change in the instructions"
    return f'{where}: "{sentence}"'


def _when(item: Item) -> str:
    if item.when:
        return _WHEN[item.when]
    if item.every:
        return "every period" if item.every == 1 else f"every {item.every} periods"
    return f"in periods {', '.join(str(period + 1) for period in item.periods)}"


def _answer(item: Item, language: str) -> str:
    """Describe the answers to a question."""
    if item.type == "choice":
        return " / ".join(item.listed(language))
    if item.type == "text":
        return f"text of at most {item.length} characters"
    ends = {"from": item.least, "to": item.most}
    limits = [f"{word} {end:g}" for word, end in ends.items() if end is not None]
    return " ".join([item.type, *limits])


def _won(item: Item) -> str:
    """Describe the prize for an answer; empty if it is not paid."""
    if item.pay == "none":
        return ""
    near = "more likely the closer the answer is"
    if item.pay == "within":
        near = f"if the error is at most {item.margin:g}"
    return f"; wins {item.prize:g} points, {near}"


def bots_entering(plan: Plan, series: Sequence[Mapping[str, Setup]]) -> Iterator[str]:
    """Yield sentences about when bots take people's seats, for treatments in which they do."""
    by_sentence: dict[str, list[str]] = {}
    for number, setups in enumerate(series, start=1):
        for name, setup in setups.items():
            sentence = bots_enter(setup.options, later=number > 1)
            where = f"{name}, {plan.block_names[number - 1]}" if plan.blocks else name
            if sentence:
                by_sentence.setdefault(sentence, []).append(where)
    in_all = sum(map(len, series))
    for sentence, places in by_sentence.items():
        every = MOST_LISTED < len(places) == in_all
        named = "all treatments" if every else f"treatments {abridged(places, '; ')}"
        yield f"{named}: {sentence}"
