"""What the instructions and the card say of talk, sentence by sentence."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from server.pages import talking
from table.options import Options
from table.setup import Setup

EARLY = "That ends early if everybody is ready to go on."
NAMED = "Nobody's name is shown, only the number of the player. What is written is recorded."
ALL = "All players can read it."
ROLES: dict[str, Any] = {
    "roles": {"boss": {}, "clerk": {}},
    "seats": ["boss", "clerk", "clerk", "clerk"],
}


def setup(agents: dict[str, Any] | None = None, **options: Any) -> Setup:
    given: dict[str, Any] = {"agents": agents} if agents else {}
    made = engine.make("commons_game", archetype="lab", **given)
    return Setup(config=made.config.model_dump(mode="json"), options=Options(**options))


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ({}, []),
        (
            {"talk": "free", "talk_when": "before", "talk_seconds": 90.0},
            [
                "Before the game begins you can talk for 90 seconds.",
                EARLY,
                "You write what you like, at most 200 characters at once.",
                ALL,
                NAMED,
            ],
        ),
        (
            {"talk": "free", "talk_when": "periods", "talk_seconds": 7.5, "talk_length": 80},
            [
                "Before each period you can talk for 7.5 seconds.",
                EARLY,
                "You write what you like, at most 80 characters at once.",
                ALL,
                NAMED,
            ],
        ),
        (
            {"talk": "free", "talk_when": "always", "talk_seconds": 20.0, "talk_with": "one"},
            [
                "In the first 20 seconds of each period you can talk.",
                "You write what you like, at most 200 characters at once.",
                "Each message is for one player whom you choose; nobody else can read it.",
                NAMED,
            ],
        ),
        (
            {
                "talk": "list",
                "talk_when": "always",
                "talk_seconds": 0.0,
                "talk_sentences": ("Take less.", "Take more."),
            },
            [
                "You can talk while the game goes on.",
                "You choose what you say from a list of sentences.",
                ALL,
                NAMED,
            ],
        ),
    ],
)
def test_people_are_told_when_and_how_they_talk(options: dict[str, Any], lines: list[str]) -> None:
    assert talking.sentences(setup(**options)) == lines


def test_people_are_told_which_roles_write() -> None:
    lines = talking.sentences(setup(ROLES, talk="free", talk_roles=("boss", "clerk")))
    assert lines[-2:] == ["Only these can write: Boss, Clerk.", NAMED]


def test_a_card_has_what_its_seat_may_write() -> None:
    """The boss is the first seat, and alone may write."""
    told = {"talk": "list", "talk_sentences": ("Take less.",), "talk_length": 50}
    made = setup(ROLES, **told, talk_with="one", talk_roles=("boss",))
    same = {"sentences": ("Take less.",), "length": 50, "one": True, "texts": talking.words()}
    boss, clerk = (talking.setting(made, seat) for seat in (0, 1))
    assert {**boss, "partners": tuple(boss["partners"])} == {
        **same,
        "writes": True,
        "partners": (1, 2, 3),
    }
    assert (clerk["writes"], boss.keys()) == (False, clerk.keys())
    assert talking.setting(setup(talk="free"), 1)["one"] is False
