"""The form that creates a session: groups, choices, help, and errors by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mixed_company.server.session_form import (
    as_shipped,
    changes,
    described,
    fields,
    refusals,
    unreadable,
)


@pytest.fixture(scope="module")
def shipped() -> Iterator[Any]:
    from otree.session import SESSION_CONFIGS_DICT

    return SESSION_CONFIGS_DICT["commons"]


def rows(groups: list[dict[str, Any]]) -> dict[str, Any]:
    return {row.name: row for group in groups for row in group["rows"]}


def test_every_editable_key_is_in_the_form_once(shipped):
    listed = [row.name for group in fields(shipped) for row in group["rows"]]
    assert sorted(listed) == sorted(shipped.editable_fields())


def test_a_choice_is_a_menu_and_a_number_a_number_field(shipped):
    row = rows(fields(shipped))
    assert "<option selected>logistic</option><option>linear</option>" in row["growth"].control
    assert 'type="number" step="any" required name="commons.capacity"' in row["capacity"].control
    assert 'type="checkbox"' in row["quiz"].control
    assert row["capacity"].unit == "fish"
    assert "<option selected>lab</option>" in row["archetype"].control


def test_ten_keys_come_first_and_all_others_are_folded_by_theme(shipped):
    first, *themes = fields(shipped)
    assert [row.name for row in first["rows"]] == [
        *("archetype", "seats", "periods", "people_per_group", "bots", "decision_seconds"),
        *("language", "consent", "participation_fee", "real_world_currency_per_point"),
    ]
    assert [group["folded"] for group in (first, *themes)] == [False, *(True for _ in themes)]
    assert {"The fish", "People and bots", "Time", "Talk"} <= {group["title"] for group in themes}
    assert "Money" not in {group["title"] for group in themes}  # both of its keys come first
    assert all(group["rows"] for group in themes)


def test_a_key_is_named_in_words_beside_its_name(shipped):
    row = rows(fields(shipped))["people_per_group"]
    assert (row.label, row.name) == ("People per group", "people_per_group")


def test_text_that_somebody_wrote_is_never_run(shipped):
    bad = type(shipped)({**shipped, "bots": "\"><script>alert('x')</script>"})
    row = rows(described(bad, shipped))["bots"]
    assert "<script" not in row.control + row.value


def test_changes_are_marked_with_everything_that_follows_from_them(shipped):
    plain = as_shipped(shipped)
    same = type(shipped)(plain)
    assert not any(row.changed for row in rows(described(same, as_shipped(shipped))).values())
    other = type(shipped)({**plain, "capacity": 60.0})
    marked = [
        row.name for row in rows(described(other, as_shipped(shipped))).values() if row.changed
    ]
    assert marked == ["capacity"]


def test_the_label_of_a_session_says_what_was_changed(shipped):
    assert changes({**shipped, "seed": "7"}, shipped) == ""
    config = {**shipped, "capacity": 60.0, "quiz": False, "seed": "7"}
    assert changes(config, shipped) == "capacity 60.0, quiz no"
    long = {**shipped, "consent": "x" * 100, "quiz": False}
    parts = changes(long, shipped).split(", ")
    assert sorted(parts) == ["consent " + "x" * 52, "quiz no"]  # 60 characters of each


def test_an_invalid_number_is_refused_by_its_field(shipped):
    form = {
        "commons.capacity": "much",
        "commons.periods": "2.5",
        "commons.grace_seconds": "inf",
        "commons.pay_cap": " 3.5 ",
        "commons.growth": "fast",
    }
    assert unreadable(shipped, form) == {
        "capacity": "much: should be a number",
        "periods": "2.5: should be a whole number",
        "grace_seconds": "inf: should be a number",
    }


def test_a_refusal_is_split_by_field():
    error = (
        "Failed to create session: core.capacity = -5.0: should be greater than 0\n"
        "bots = 'gredy': unknown policy\nlayers.power.intensity = 2: at most 1\nthe rest"
    )
    assert refusals(error) == (
        {
            "capacity": "-5.0: should be greater than 0",
            "bots": "'gredy': unknown policy",
            "layers": "2: at most 1",
        },
        ["the rest"],
    )
