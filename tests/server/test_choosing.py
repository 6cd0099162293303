"""Texts that tell people about the rules from which their group chooses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.server.pages import choosing
from mixed_company.table.setup import Setup, resolve
from tests.table.chosen import BASE

RULES = {
    "open": {"meaning": "All take <what> they like."},
    "low": {
        "meaning": "Nobody takes more than 1.",
        "changes": {
            "layers": {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 1.0}}}}
        },
    },
}
FIRST = "your group plays by whichever of them is listed first."
DRAWN = "one of them is drawn at random."


def setup(**changes: Any) -> Setup:
    config = {**BASE, "rules": json.dumps(RULES), **changes}
    return resolve("commons_game", config, BASE)[0]


@pytest.mark.parametrize(
    ("changes", "tie"), [({"rules_tie": "first"}, FIRST), ({"rules_tie": "drawn"}, DRAWN)]
)
def test_before_the_vote_people_read_all_options_and_the_rule_for_a_tie(
    changes: dict[str, Any], tie: str
) -> None:
    [part] = choosing.sections(setup(**changes))
    assert part["screen"] == "decides"
    assert part["lines"][1:3] == [
        "Option 1: All take &lt;what&gt; they like.",
        "Option 2: Nobody takes more than 1.",
    ]
    assert part["lines"][5].endswith(tie)
    assert part["lines"][6].startswith("You have 60 seconds to vote.")
    assert len(part["lines"]) == 7
    assert choosing.words(setup(**changes))["choose_tie"] == part["lines"][5]
    [endless] = choosing.sections(setup(**changes, rules_seconds=0.0))
    assert endless["lines"] == part["lines"][:6]


def test_after_the_vote_people_read_the_chosen_rule() -> None:
    chosen = setup().chosen("open")
    [part] = choosing.sections(chosen)
    assert part["lines"] == ["All take &lt;what&gt; they like."]
    assert choosing.notes(chosen) == ["Your group has chosen: All take &lt;what&gt; they like."]
    assert choosing.sent(chosen)["rule"] == "open"


def test_the_page_lists_the_options_in_their_order() -> None:
    assert choosing.sent(setup()) == {
        "rules": [{"name": name, "meaning": rule["meaning"]} for name, rule in RULES.items()],
        "rule": "",
    }
    assert choosing.notes(setup()) == []


def test_without_a_choice_nothing_is_said() -> None:
    plain, _ = resolve("commons_game", BASE, BASE)
    assert choosing.sections(plain) == choosing.notes(plain) == []
    assert choosing.words(plain) == {}
    assert choosing.sent(plain) == {"rules": [], "rule": ""}
