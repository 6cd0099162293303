"""Every part of a plan's seal is covered by its digest, or follows from what is covered."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import sealing
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal
from mixed_company.table.stored import digest_of
from tests.analysis.planned.made import CHOSEN, MOOD, TEXT, content
from tests.experiment.planned import SMALL, plan

BLOCKS = """
[[blocks]]
name = "first"
meaning = "as in the plan"

[[blocks]]
name = "second"
meaning = "a smaller lake"
changes = { capacity = 90.0 }
"""


def blocks() -> Plan:
    return plan(SMALL + BLOCKS)


def vote() -> Plan:
    """Return a plan in which the groups of one treatment choose whether there is a pool."""
    return plan(TEXT.replace('changes = { governance = "per_step" }\n', CHOSEN))


def archetypes() -> Plan:
    """Return a plan in which the groups of one treatment choose an archetype."""
    rules = """changes.rules.lab = { meaning = "a laboratory", changes = { archetype = "lab" } }
changes.rules.old = { meaning = "as before", changes = { archetype = "lab_0_7" } }
"""
    text = TEXT.replace('changes = { governance = "per_step" }\n', rules)
    return plan(text.replace("groups = 2", "groups = 2\nchanges = { periods = 4 }"))


def read(folder: Path, study: Plan, change: Callable[[dict[str, Any]], None]) -> Seal:
    """Write a seal with changed content and recomputed digests, and read it."""
    changed = json.loads(json.dumps(content(study)))
    change(changed)
    seal = Seal.of("small", "2026-11-28T00:00:00+00:00", changed)
    file = folder / "small.seal.json"
    file.write_text(json.dumps(seal.model_dump(mode="json")), encoding="utf-8")
    return sealing.read(file, "small")


@pytest.mark.parametrize("study", [plan(TEXT), blocks(), vote()], ids=["plain", "blocks", "vote"])
def test_an_unchanged_seal_is_read(tmp_path, study):
    assert read(tmp_path, study, lambda _: None).content == content(study)


def noted(changed: dict[str, Any]) -> None:
    changed["note"] = "groups 1 and 2 were planned to be left out"


def larger(changed: dict[str, Any]) -> None:
    changed["treatments"]["open"]["options"]["people_per_group"] = 3


def reversed_blocks(changed: dict[str, Any]) -> None:
    changed["blocks"] = dict(reversed(changed["blocks"].items()))


def no_blocks(changed: dict[str, Any]) -> None:
    del changed["blocks"]


def longer(changed: dict[str, Any]) -> None:
    changed["treatments"]["pool"]["core"]["periods"] = 30


def powerful(changed: dict[str, Any]) -> None:
    changed["treatments"]["pool"]["layers"]["power"]["intensity"] = 1.0


def without_layers(changed: dict[str, Any]) -> None:
    del changed["treatments"]["pool"]["layers"]


@pytest.mark.parametrize("rule", ["governance", "archetype"])
@pytest.mark.parametrize("change", [longer, powerful, without_layers])
def test_the_configuration_before_a_choice_follows_from_the_rules(tmp_path, change, rule):
    """No digest covers this configuration, so a changed one is ignored."""
    study = vote() if rule == "governance" else archetypes()
    assert read(tmp_path, study, change).content == content(study)


def test_an_earlier_seal_is_read_without_the_configuration_before_a_choice(tmp_path):
    """Its digest covers the entire content, so the text of the file must stay as it is."""
    sealed = content(vote())
    earlier = json.loads(json.dumps(sealed))
    longer(earlier)
    when = "2026-11-28T00:00:00+00:00"
    old = Seal(plan="small", sealed=when, digest=digest_of(earlier), content=earlier)
    file = tmp_path / "small.seal.json"
    file.write_text(old.text, encoding="utf-8")
    seal = sealing.read(file, "small")
    assert seal.content == sealed
    assert seal.text == file.read_text("utf-8")


def test_a_rule_without_its_parameters_is_refused(tmp_path):
    rule = "content.treatments.pool.rules.open: should contain core"
    with pytest.raises(ConfigError, match=re.escape(f"small.seal.json: {rule}")):
        read(tmp_path, vote(), lambda held: held["treatments"]["pool"]["rules"].update(open=[]))


@pytest.mark.parametrize(
    ("study", "change", "rule"),
    [
        (
            plan(TEXT),
            noted,
            "content.note: unknown key; the content of a seal has plan, treatments",
        ),
        (blocks(), larger, "content.treatments: should be equal to content.blocks.first"),
        (
            blocks(),
            reversed_blocks,
            "content.blocks: should be first, second, in the same order as",
        ),
        (blocks(), no_blocks, "content.blocks: should be first, second, in the same order as"),
    ],
    ids=["note", "treatments", "order of blocks", "no blocks"],
)
def test_a_part_that_the_digest_does_not_cover_is_refused(tmp_path, study, change, rule):
    with pytest.raises(ConfigError, match=re.escape(f"small.seal.json: {rule}")):
        read(tmp_path, study, change)


@pytest.mark.parametrize("when", ["28/11/2026", "yesterday", "2026-11-28T09:00:00"])
def test_the_time_of_a_seal_is_a_time_with_a_zone(tmp_path: Path, when: str) -> None:
    seal = Seal.of("small", when, content(plan(SMALL)))
    file = tmp_path / "small.seal.json"
    file.write_text(json.dumps(seal.model_dump(mode="json")), encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"sealed = '{when}': should be a time in ISO 8601 with"):
        sealing.read(file, "small")


def test_an_order_of_rules_that_differs_is_named():
    """Ties go to the first rule, but no digest covers the order."""
    sealed = content(vote())
    now = json.loads(json.dumps(sealed))
    options = now["treatments"]["pool"]["options"]
    options["rules"] = dict(reversed(options["rules"].items()))
    assert list(sealing.different(sealed, now, ("sealed", "now"))) == [
        'treatments.pool.options.rules.order: sealed ["open", "fed"], now ["fed", "open"]'
    ]


def test_an_order_of_languages_that_differs_is_named():
    """Answers to a choice are written in the first language, but no digest covers the order."""
    sealed = content(plan(TEXT), questions=[MOOD])
    now = json.loads(json.dumps(sealed))
    [item] = now["treatments"]["pool"]["options"]["questions"]
    item["options"] = dict(reversed(item["options"].items()))
    assert list(sealing.different(sealed, now, ("sealed", "now"))) == [
        'treatments.pool.options.questions.mood.options: sealed ["en", "de"], now ["de", "en"]'
    ]


def test_long_values_are_shown_where_they_differ():
    first, second = ({"stopping": f"{'x' * 100} {word}"} for word in ("left", "stayed"))
    [line] = sealing.different(first, second, ("sealed", "now"))
    assert line == f'stopping: sealed ...{"x" * 19} left", now ...{"x" * 19} stayed"'


def test_a_long_value_is_cut_with_a_mark_and_never_within_a_number():
    """After 80 characters, two digits of the capacity used to be shown as 2."""
    rule = {"meaning": "The lake can hold more fish than before", "changes": {"capacity": 2000.5}}
    (new,) = sealing.different({"rules": {}}, {"rules": {"big": rule}}, ("imposed", "chosen"))
    assert new == (
        'rules.big: imposed nothing, chosen {"meaning": "The lake can hold more fish than before", '
        '"changes": {"capacity": 2000.5...'
    )
    first, second = ({"limits": [*[7] * 23, 123456.25, *[8] * 30, last]} for last in (9, 10))
    (both,) = sealing.different(first, second, ("sealed", "now"))
    assert both == "limits: sealed ..., 8, 8, 8, 8, 8, 8, 9], now ..., 8, 8, 8, 8, 8, 8, 10]"
    first, second = ({"limits": [*[7] * 26, 123456.25, 8.0, 8, 8, last]} for last in (9, 10))
    (both,) = sealing.different(first, second, ("sealed", "now"))
    assert both == "limits: sealed ...123456.25, 8.0, 8, 8, 9], now ...123456.25, 8.0, 8, 8, 10]"


def test_an_order_in_a_seal_without_digests_of_treatments_is_rejected(tmp_path):
    """Releases before 0.9 sealed neither, so nothing covers such an order."""
    whole = content(plan(TEXT))
    digest = digest_of(whole)
    old = Seal(plan="small", sealed="2026-11-20T00:00:00+00:00", digest=digest, content=whole)
    file = tmp_path / "small.seal.json"
    file.write_text(old.model_dump_json(), encoding="utf-8")
    assert sealing.read(file, "small").order == []
    added = old.model_copy(update={"order": list(whole["plan"]["treatments"])})
    file.write_text(added.model_dump_json(), encoding="utf-8")
    with pytest.raises(ConfigError, match="changed after it was sealed"):
        sealing.read(file, "small")
