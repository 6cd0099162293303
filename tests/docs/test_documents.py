"""Tests that the documents match the code: tables are generated again, examples are run."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from docs import best, commands, metagame, sanctions, sessions, tournaments
from docs.dating import undated
from docs.policies import seeds_row, sentence, trained
from mixed_company import engine
from mixed_company import policies as bots
from mixed_company.analysis import games
from mixed_company.engine import solutions
from mixed_company.engine.layers import ORDER
from mixed_company.experiment.reading import from_text
from mixed_company.learning.tournament.batch import mixes, named
from mixed_company.learning.training.judge import points
from mixed_company.policies.policy import Policy, ask_at
from mixed_company.policies.trained import HERE, Card, Trained, policies_in
from mixed_company.policies.trained.card import read
from tests.project import ROOT


def examples(document: str) -> list[str]:
    """Return the Python blocks of a document."""
    return re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), flags=re.S)


def test_the_table_of_session_keys_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    sessions.main()
    assert (ROOT / "docs/sessions.md").read_text() == capsys.readouterr().out


def test_the_page_of_commands_is_up_to_date() -> None:
    assert (ROOT / "docs/commands.md").read_text() == commands.document()


def test_the_table_of_what_could_be_earned_is_up_to_date(
    capsys: pytest.CaptureFixture[str],
) -> None:
    best.main()
    assert (ROOT / "docs/best.md").read_text() == capsys.readouterr().out


def test_every_archetype_has_its_line_in_the_table_of_bests() -> None:
    text = (ROOT / "docs/best.md").read_text()
    for game_id in engine.game_ids():
        part = text.split(f"\n## {game_id}\n")[1].split("\n## ")[0]
        for archetype in engine.find(game_id).archetypes:
            best = solutions.best(engine.make(game_id, archetype=archetype))
            line = next(row for row in part.splitlines() if row.startswith(f"| `{archetype}` |"))
            words = ["not known"] if best is None else [best.name, best.kind, best.how]
            assert all(f" {word} " in line for word in words)


@pytest.mark.long
def test_the_study_of_sanctions_is_up_to_date() -> None:
    for name, content in sanctions.files().items():
        assert (ROOT / "docs" / name).read_text() == content


def test_every_policy_is_in_the_table_of_policies() -> None:
    table = (ROOT / "docs/policies.md").read_text()
    for game_id in engine.game_ids():
        part = table.split(f"\n## Policies of {game_id}\n")[1].split("\n## ")[0]
        for policy_id in bots.ids(game_id):
            assert f"| `{policy_id}` | {sentence(bots.find(policy_id, game_id))} |" in part


def test_what_trained_policies_earn_is_what_their_cards_say() -> None:
    table = (ROOT / "docs/policies.md").read_text()
    for game_id in engine.game_ids():
        every = [bots.find(policy_id, game_id) for policy_id in bots.ids(game_id)]
        cards = [policy.card for policy in every if issubclass(policy, Trained)]
        assert trained(cards) in table


def test_what_other_seeds_earn_is_what_the_cards_say() -> None:
    text = (ROOT / "docs/trained.md").read_text()
    rows = [seeds_row(policy.card) for policy in policies_in(HERE)]
    assert any(rows)
    assert all(row in text for row in rows)


def test_every_policy_is_in_the_tables_of_tournaments() -> None:
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


def test_the_metagame_is_of_the_policies_that_tournaments_name() -> None:
    text, tables = ((ROOT / f"docs/{name}.md").read_text() for name in ("metagame", "tournaments"))
    assert undated(text).startswith(metagame.INTRODUCTION)
    for game_id in engine.game_ids():
        part = text.split(f"\n## {game_id}, ")[1].split("\n## ")[0]
        policies = metagame.chosen(tables, game_id, metagame.ARCHETYPE)
        assert f"--policies {','.join(policies)} " in part
        assert f"plays of each {games.find(game_id).plays}, seed {metagame.SEED}." in part


def test_policies_of_the_metagame_are_best_replies_exploiters_or_earn_most_alone() -> None:
    rows = ["`a` | 1.0 ± 0 |  | itself", "`b`\\* | 5.0 ± 0 | `c` | `a`", "`c` | 4.0 ± 0 |  | `a`"]
    rows += ["`d` | 3.0 ± 0 |  | `a`", "`e` | 2.0 ± 0 | `f` | `a`", "`f` | 0.0 ± 0 |  | `a`"]
    table = "\n".join(f"| {row} |" for row in ("policy | alone | exploited by | best", *rows))
    text = f"\n## lake\n\n### `lab`\n\n{table}\n\n## other\n"
    # without `e`: it earns less alone than b, c and d, is no best reply and exploits nobody
    assert metagame.chosen(text, "lake", "lab") == ["a", "b", "c", "d", "f"]


def test_the_bot_of_the_readme_plays(tmp_path: Path) -> None:
    example = next(code for code in examples("README.md") if "class Tenth" in code)
    (tmp_path / "tenth.py").write_text(example)
    names: dict[str, Any] = runpy.run_path(str(tmp_path / "tenth.py"))
    game = engine.make("commons_game", archetype="lab")
    policy = names["Tenth"](game.core)
    answer = ask_at(engine.Episode(game, seed=1), policy, 0, policy.start())
    # the lake is half full: 50 of 100
    assert answer.action == {"harvest": 5.0, "contribution": 0.0}
    assert answer.fault is None


def test_the_plan_of_the_readme_is_a_plan() -> None:
    [text] = re.findall(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.S)
    plan = from_text(text, "first.toml")
    assert list(plan.treatments) == ["open", "quota"]
    assert plan.hypotheses["stock"].measure == "stock_share"


def test_the_bot_of_the_contributing_guide_plays(tmp_path: Path) -> None:
    example = next(block for block in examples("CONTRIBUTING.md") if "class Cautious" in block)
    (tmp_path / "cautious.py").write_text(example)
    namespace: dict[str, Any] = runpy.run_path(str(tmp_path / "cautious.py"))
    game = engine.make("commons_game", archetype="lab")
    policy = namespace["Cautious"](game.core)
    assert isinstance(policy, Policy)
    play = engine.Episode(game, seed=1)
    answer = ask_at(play, policy, 0, policy.start())
    # a quarter of the maximum sustainable yield of 16 is 4, half of that 2; the lake is half full
    assert answer.action == {"harvest": 1.0, "contribution": 0.0}
    assert answer.fault is None


def test_every_key_of_a_card_is_explained() -> None:
    text = (ROOT / "docs/trained.md").read_text()
    for name, key in Card.model_fields.items():
        assert f"| `{name}` | {key.description} |" in text or name in ("scores", "gap")


def test_the_bot_of_the_contributing_guide_remembers(tmp_path: Path) -> None:
    example = next(block for block in examples("CONTRIBUTING.md") if "class Patient" in block)
    (tmp_path / "patient.py").write_text(example)
    namespace: dict[str, Any] = runpy.run_path(str(tmp_path / "patient.py"))
    game = engine.make("commons_game", archetype="lab")
    play, policy = engine.Episode(game, seed=1), namespace["Patient"](game.core)
    memory, harvests = policy.start(), []
    # 4 and 3 * 10 are taken from 50 in the second period, so the stock falls once
    for others in (0, 10, 4, 0, 0):
        answer = ask_at(play, policy, 0, memory)
        assert answer.fault is None
        memory = answer.memory
        harvests.append(answer.action["harvest"])
        play.step({"harvest": [harvests[-1], *[others] * 3], "contribution": [0] * 4})
    assert harvests == [4.0, 4.0, 2.0, 2.0, 2.0]


@pytest.mark.long
def test_the_training_of_ones_own_earns_more_than_where_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "_folders", {})
    monkeypatch.chdir(tmp_path)
    example = next(block for block in examples("docs/trained.md") if "hill climbing" in block)
    exec(example, {})
    assert bots.look_in("my_policies") == ["my_fisher"]
    card = read(tmp_path / "my_policies" / "my_fisher.json")
    # training started from a quarter of the maximum sustainable yield of 10, in 15 periods
    assert points(card, "my_fisher", plays=4).mean() > points(card, "sustainable", plays=4).mean()
    bots._all.cache_clear()


def framework() -> list[Any]:
    """Return a parameter (code, output) for every example of docs/framework.md."""
    text = (ROOT / "docs/framework.md").read_text()
    pairs = re.findall(r"```python\n(.*?)```\n```\n(.*?)```", text, flags=re.S)
    assert len(pairs) == len(examples("docs/framework.md"))
    headings = [text[: text.index(code)].rsplit("\n## ", 1)[1].split("\n")[0] for code, _ in pairs]
    return [pytest.param(*example, id=name) for name, example in zip(headings, pairs, strict=True)]


@pytest.mark.parametrize(("code", "printed"), framework())
def test_an_example_of_the_framework_prints_what_is_said(
    code: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(code, {})
    assert capsys.readouterr().out == printed


def test_every_layer_has_its_example() -> None:
    text = (ROOT / "docs/framework.md").read_text()
    for layer in ORDER:
        assert f"**{layer.name.capitalize()}**" in text
        assert f'"{layer.name}": {{"intensity"' in text
