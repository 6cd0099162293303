"""Messages that describe the game to an outside agent, key by key."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract.space import Field
from mixed_company.server.outside import words
from mixed_company.table import telling
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

LIST = {"talk": "list", "talk_sentences": ("Take less.",), "talk_roles": ()}


def table(**options: Any) -> Table:
    game = engine.make("commons_game", archetype="lab", periods=4)
    chosen = Options(**{"people_per_group": 1, **options})
    setup = Setup(config=game.config.model_dump(mode="json"), options=chosen)
    return Table.open(setup, [0], seed=3, now=0)


def test_a_field_is_described_by_its_properties():
    same = {"name": "a", "meaning": "what it is", "kind": "real"}
    assert words._declared(Field("a", "what it is")) == same
    whole = Field("a", "what it is", "fish", shape=(2, 3))
    assert words._declared(whole) == {**same, "unit": "fish", "shape": [2, 3]}
    chosen = Field("a", "what it is", kind="choice", low=0, high=1, names=("up", "down"))
    listed = {"kind": "choice", "names": ("up", "down"), "enum": [0, 1]}
    assert words._declared(chosen) == {**same, **listed}


@pytest.mark.parametrize("is_single", [False, True])
def test_the_talk_of_a_group_is_described(is_single):
    options = {**LIST, "talk_seconds": 9.0, "talk_length": 40, "talk_per_minute": 7}
    opened = table(**options, talk_when="periods", talk_with="one" if is_single else "all")
    assert words._talk(opened, 1) == {
        "how": "list",
        "when": "periods",
        "seconds": 9.0,
        "length": 40,
        "per_minute": 7,
        "sentences": ["Take less."],
        "can_write": True,
        "one": is_single,
        "partners": [0, 2, 3]
        if is_single
        else list(words.among.partners(opened.game, opened.options, 1)),
    }
    assert words._talk(table(), 1) is None


def test_a_view_has_its_text_and_during_a_decision_the_form_of_an_answer():
    opened = table()
    opened.hear(0, 0)
    from mixed_company.table.view import view

    shown = view(opened, 0, 0).to_json()
    message = words.with_words(opened, 0, shown)
    schema = words.action_schema(opened.episode.allowed(0))
    assert message == {
        **shown,
        "text": telling.seen(opened.game, shown),
        "asked": telling.asked(opened.game, shown),
        "schema": schema,
    }
    assert "schema" not in words.with_words(opened, 0, {**shown, "phase": "wait"})
