"""Tests that the documents match the code: tables are up to date and complete."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from docs import best, commands, metagame, sanctions, sessions, tournaments
from docs.dating import undated
from docs.policies import gap_row, seeds_row, sentence, trained
from mixed_company import engine
from mixed_company import policies as bots
from mixed_company.analysis import games
from mixed_company.engine import solutions
from mixed_company.engine.layers import ORDER
from mixed_company.learning.tournament.batch import mixes, named
from mixed_company.policies.trained import HERE, Card, Trained, policies_in
from mixed_company.table.items import Item
from tests.docs.blocks import blocks
from tests.project import ROOT


def test_the_table_of_session_keys_is_up_to_date(capsys):
    sessions.main()
    assert (ROOT / "docs/sessions.md").read_text() == capsys.readouterr().out


def test_the_table_of_question_keys_has_every_key_and_says_which_are_required():
    text = (ROOT / "docs/questions.md").read_text().split("## Keys of a question")[1]
    rows = [
        row.split("|")[1:3] for row in text.split("\n\n## ")[0].splitlines() if row[:3] == "| `"
    ]
    needed: dict[str, str] = {}
    for names, meaning in rows:
        state = re.match(" (required|one of them is required|)", meaning)[1]
        needed |= dict.fromkeys(re.findall("`(.*?)`", names), state)
    assert set(needed) == set(Item.model_fields)
    required = {name for name, field in Item.model_fields.items() if field.is_required()}
    assert {name for name in needed if needed[name]} == required | {"when", "periods", "every"}


def test_the_page_of_commands_is_up_to_date():
    assert (ROOT / "docs/commands.md").read_text() == commands.document()


def test_the_table_of_possible_earnings_is_up_to_date(capsys):
    best.main()
    assert (ROOT / "docs/best.md").read_text() == capsys.readouterr().out


def test_every_archetype_has_its_row_in_the_table_of_best_plans():
    text = (ROOT / "docs/best.md").read_text()
    for game_id in engine.game_ids():
        part = text.split(f"\n## {game_id}\n")[1].split("\n## ")[0]
        for archetype in engine.find(game_id).archetypes:
            best = solutions.best(engine.make(game_id, archetype=archetype))
            line = next(row for row in part.splitlines() if row.startswith(f"| `{archetype}` |"))
            words = ["not known"] if best is None else [best.name, best.kind, best.how]
            assert all(f" {word} " in line for word in words)


@pytest.mark.long
def test_the_study_of_sanctions_is_up_to_date():
    for name, content in sanctions.files().items():
        assert (ROOT / "docs" / name).read_text() == content


def test_every_policy_is_in_the_table_of_policies():
    table = (ROOT / "docs/policies.md").read_text()
    for game_id in engine.game_ids():
        part = table.split(f"\n## Policies of {game_id}\n")[1].split("\n## ")[0]
        for policy_id in bots.ids(game_id):
            assert f"| `{policy_id}` | {sentence(bots.find(policy_id, game_id))} |" in part


def test_the_earnings_of_trained_policies_match_their_cards():
    table = (ROOT / "docs/policies.md").read_text()
    for game_id in engine.game_ids():
        every = [bots.find(policy_id, game_id) for policy_id in bots.ids(game_id)]
        cards = [policy.card for policy in every if issubclass(policy, Trained)]
        assert trained(cards) in table


def test_the_earnings_of_other_seeds_match_the_cards():
    text = (ROOT / "docs/trained.md").read_text()
    rows = [seeds_row(policy.card) for policy in policies_in(HERE)]
    assert any(rows)
    assert all(row in text for row in rows)


def test_the_gaps_match_the_cards():
    text = (ROOT / "docs/trained.md").read_text()
    rows = [gap_row(policy.card) for policy in policies_in(HERE)]
    assert any(rows)
    assert [row for row in rows if row not in text] == []


def test_every_policy_is_in_the_tables_of_tournaments():
    text = (ROOT / "docs/tournaments.md").read_text()
    assert undated(text).startswith(tournaments.INTRODUCTION)
    for game_id in engine.game_ids():
        plays = games.find(game_id).plays
        game_part = text.split(f"\n## {game_id}\n")[1].split("\n## ")[0]
        archetypes = tournaments.archetypes(game_id)
        assert archetypes[0] == "lab"
        for archetype in archetypes:
            part = game_part.split(f"\n### `{archetype}`\n")[1].split("\n### ")[0]
            game = engine.make(game_id, archetype=archetype)
            policies = named("all", game)
            count = len(mixes(policies, game.seats))
            assert f"{count} mixes of {plays} plays each, seed {tournaments.SEED}" in part
            for policy_id in policies:
                star = "\\*" if bots.find(policy_id, game_id).told_the_solution else ""
                assert f"\n| `{policy_id}`{star} | " in part


def test_the_metagame_covers_the_policies_named_by_the_tournaments():
    text, tables = ((ROOT / f"docs/{name}.md").read_text() for name in ("metagame", "tournaments"))
    assert undated(text).startswith(metagame.INTRODUCTION)
    for game_id in engine.game_ids():
        part = text.split(f"\n## {game_id}, ")[1].split("\n## ")[0]
        policies = metagame.chosen(tables, game_id, metagame.ARCHETYPE)
        assert f"--policies {','.join(policies)} " in part
        assert f"plays of each: {games.find(game_id).plays}, seed: {metagame.SEED}." in part


def test_policies_of_the_metagame_are_best_replies_exploiters_or_earn_most_alone():
    rows = ["`a` | 1.0 ± 0 |  | itself", "`b`\\* | 5.0 ± 0 | `c` | `a`", "`c` | 4.0 ± 0 |  | `a`"]
    rows += ["`d` | 3.0 ± 0 |  | `a`", "`e` | 2.0 ± 0 | `f` | `a`", "`f` | 0.0 ± 0 |  | `a`"]
    table = "\n".join(f"| {row} |" for row in ("policy | alone | exploited by | best", *rows))
    text = f"\n## lake\n\n### `lab`\n\n{table}\n\n## other\n"
    # without `e`, which earns less alone than b, c and d, is not a best reply and exploits nobody
    assert metagame.chosen(text, "lake", "lab") == ["a", "b", "c", "d", "f"]


def test_every_key_of_a_card_is_explained():
    text = (ROOT / "docs/trained.md").read_text()
    for name, key in Card.model_fields.items():
        assert f"| `{name}` | {key.description} |" in text or name in ("scores", "gap")


def test_every_example_of_the_framework_has_its_output():
    parts = blocks("docs/framework.md")
    followed = [after for before, after in pairwise(parts) if before.language == "python"]
    assert len(followed) > 30
    assert [block.place for block in followed if not block.is_output] == []


def test_every_layer_has_its_example():
    text = (ROOT / "docs/framework.md").read_text()
    for layer in ORDER:
        assert f"**{layer.name.capitalize()}**" in text
        assert f'"{layer.name}": {{"intensity"' in text
