"""Retraining of the policies in bots/trained with the commands on their cards.

    python -m docs.training [GAME ...]
    python -m docs.training --exploit [POLICY ...] [--rounds 10 ...]
    python -m docs.training --table

Run this after the parameters of `lab` have changed, in an environment with the `training` extra.
Every policy whose card names a current archetype is trained, judged and exploited again, with the
same numbers of plays, the same effort and the same further training seeds. Policies from which
other policies are trained are retrained first. Cards of earlier archetypes, such as `lab_0_8`, are
left unchanged.

`--exploit` neither trains nor judges. It only remeasures the gap of these policies, or of all
policies. Other options are passed on to `mixed exploit`. `--table` writes the gaps of all cards
into docs/trained.md.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.policies import gap_row
from mixed_company import engine
from mixed_company.policies.trained import HERE, policies_in
from mixed_company.policies.trained.card import Card

__all__ = ["chosen", "commands", "exploiting", "table"]

PAGE = Path(__file__).with_name("trained.md")
HEADS = ("policy", "points among copies", "gains by seat", "errors", "verdict", "searched")

JUDGED, EXPLOITED = 1000, 400
"""Number of plays for cards without scores, and for cards without a gap."""
REPLYING = 300_000
"""Number of decisions for training a reply network, if the card's gap was measured with one."""


def chosen(cards: Sequence[Card], game_id: str) -> list[Card]:
    """Return a game's cards to retrain; each comes after the policies that its command names."""
    current = engine.find(game_id).archetypes
    by_id = {
        card.id: card
        for card in cards
        if card.game == game_id
        and card.command.startswith("mixed train ")
        and card.config["identity"]["archetype"] in current
    }
    words = {name: card.command.replace(",", " ").split() for name, card in by_id.items()}
    named = {name: (by_id.keys() & set(words[name])) - {name} for name in by_id}
    return [by_id[name] for name in TopologicalSorter(named).static_order()]


def commands(card: Card, folder: str) -> Iterator[list[str]]:
    """Yield the arguments for each call to `mixed` that updates a card. Policies with further
    training seeds are saved in `folder`.

    A later option overrides an earlier one, so options are only added to the card's command.
    """
    training = shlex.split(card.command)[1:]
    yield training
    seeds = () if card.seeds is None else map(int, card.seeds.by_aim)
    names = {seed: f"{card.id}_seed_{seed}" for seed in seeds if seed != card.seed}
    for seed, name in names.items():
        yield [*training, "--seed", str(seed), "--name", name, "--output", folder]
    plays = JUDGED if card.scores is None else card.scores.plays
    judging = ["judge", card.id, "--plays", str(plays), "--write"]
    yield [*judging, "--folder", folder, "--seeds", ",".join(names.values())] if names else judging
    yield exploiting(card)


def exploiting(card: Card) -> list[str]:
    """Return the arguments with which `mixed` remeasures a card's gap, with the same effort."""
    gap = card.gap
    words = ["exploit", card.id, "--plays", str(EXPLOITED if gap is None else gap.plays)]
    if gap is not None and gap.rounds:
        words += ["--rounds", str(gap.rounds), "--candidates", str(gap.candidates)]
        words += ["--plays-each", str(gap.plays_each)]
    if gap is not None and "ppo" in gap.searched:
        words += ["--ppo", str(REPLYING)]
    return [*words, "--write"]


def table(cards: Sequence[Card]) -> str:
    """Return a table of these cards' gaps."""
    heads = f"| {' | '.join(HEADS)} |\n{'|---' * len(HEADS)}|\n"
    return heads + "".join(gap_row(card) for card in cards)


def _write_table(cards: Sequence[Card]) -> None:
    text = PAGE.read_text()
    begin = text.index("| " + " | ".join(HEADS))
    end = text.index("\n\n", begin) + 1
    PAGE.write_text(text[:begin] + table(cards) + text[end:])


def main() -> None:
    """Run all commands for the cards of these games. Raises SystemExit if a command fails."""
    cards = [policy.card for policy in policies_in(HERE)]
    parser = ArgumentParser()
    parser.add_argument("--exploit", nargs="*")
    parser.add_argument("--table", action="store_true")
    chosen_ids, rest = parser.parse_known_args()
    if chosen_ids.table:
        _write_table(cards)
        return
    if chosen_ids.exploit is not None:
        for card in cards:
            if card.id in (chosen_ids.exploit or [card.id]):
                _run([*exploiting(card), *rest])
        return
    for game_id in rest or engine.game_ids():
        for card in chosen(cards, game_id):
            with TemporaryDirectory() as folder:
                for words in commands(card, folder):
                    _run(words)


def _run(words: list[str]) -> None:
    """Run `mixed` in a new process, which reads the new cards."""
    print(shlex.join(["mixed", *words]), flush=True)
    done = subprocess.run([sys.executable, "-m", "mixed_company", *words], check=False)  # noqa: S603  our own
    if done.returncode:
        raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
