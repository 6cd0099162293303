"""Cards are updated when an archetype has new numbers, in an order that works."""

from __future__ import annotations

import json
import shlex

from docs.training import PAGE, chosen, commands, table
from mixed_company import engine
from mixed_company.policies.trained import HERE, policies_in
from mixed_company.policies.trained.card import Card, Gap, Interval, Scores, Seeds
from tests.bots.trained.models import card

CARDS = [policy.card for policy in policies_in(HERE)]
ONE = Interval(mean=1.0, low=1.0, high=1.0)


def made(name: str, archetype: str = "lab", command: str = "mixed train commons_game"):
    """Return a card of the commons."""
    game = engine.make("commons_game", archetype=archetype)
    fields = {"id": name, "command": f"{command} --name {name}", "sha256": "0" * 64, "seed": 1}
    return Card.model_validate_json(json.dumps(card(game, **fields)))


def test_cards_of_current_archetypes_have_their_current_numbers():
    """If this fails, `make trained GAME=...` trains these policies again."""
    behind = []
    for policy in CARDS:
        archetype = policy.config["identity"]["archetype"]
        if archetype in engine.find(policy.game).archetypes:
            changed = [word.split("=") for word in shlex.split(policy.command) if "=" in word]
            keys = engine.find(policy.game).Core.model_fields
            changes = {key: value for key, *_, value in changed if key in keys}
            now = engine.make(policy.game, archetype=archetype, **changes).config
            if engine.completed(policy.config) != now.model_dump(mode="json"):
                behind.append(f"{policy.id} in {archetype}")
    assert behind == []


def test_cards_of_current_archetypes_come_after_the_policies_they_learned_with():
    deter = made("deter", command="mixed train commons_game --deviators greedy,selfish,group:x=1")
    selfish = made("selfish", command="mixed train commons_game --against group,greedy")
    group, earlier = made("group"), made("earlier", "lab_0_8")
    foreign = made("foreign").model_copy(update={"command": "python learn.py"})
    cards = [deter, selfish, group, earlier, foreign]
    assert chosen(cards, "commons_game") == [group, selfish, deter]
    assert chosen(cards, "sanctions") == []


def test_a_new_card_is_measured_as_widely_as_the_one_before():
    scores = Scores(plays=50, measure="points", own=ONE, others={}, verdict="none")
    gap = Gap(plays=60, seed=0, reply="ppo", own=ONE, gain=ONE, share_of_range=0.5)
    effort = {"rounds": 5, "candidates": 6, "plays_each": 7}
    searched = gap.model_copy(update={"searched": {"ppo": ONE}, **effort})
    by_seed = {"1": ONE, "2": ONE}
    seeds = Seeds(plays=50, seed=0, by_aim=by_seed, alone=by_seed, among=by_seed)
    bare, full = made("bare"), made("full")
    full = full.model_copy(update={"scores": scores, "gap": searched, "seeds": seeds})
    assert list(commands(bare, "F")) == [
        ["train", "commons_game", "--name", "bare"],
        ["judge", "bare", "--plays", "1000", "--write"],
        ["exploit", "bare", "--plays", "400", "--write"],
    ]
    other = ["--seed", "2", "--name", "full_seed_2", "--output", "F"]
    assert list(commands(full, "F")) == [
        ["train", "commons_game", "--name", "full"],
        ["train", "commons_game", "--name", "full", *other],
        ["judge", "full", "--plays", "50", "--write", "--folder", "F", "--seeds", "full_seed_2"],
        [
            *["exploit", "full", "--plays", "60", "--rounds", "5", "--candidates", "6"],
            *["--plays-each", "7", "--ppo", "300000", "--write"],
        ],
    ]


def test_the_page_has_the_gaps_of_all_cards():
    """If this fails, `python -m docs.training --table` writes them."""
    assert table(CARDS) in PAGE.read_text()
