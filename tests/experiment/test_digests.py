"""Digests of treatments and plans: what they depend on, and seals from earlier releases."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import digests, sealing, treatments
from mixed_company.table.setup import Setup
from mixed_company.table.stored import digest_of
from tests.analysis.planned.made import CHOSEN, TEXT, content
from tests.experiment.planned import config, plan


def setups(text: str = TEXT) -> dict[str, Setup]:
    return treatments.shipped_series("commons_game", config(plan(text)))[0]


def row(setup: Setup) -> dict[str, str]:
    """Return the part of a group's row in `config` that describes what it played."""
    return {
        "config": json.dumps(setup.config),
        "rules": json.dumps(setup.rules) if setup.rules else "",
        "options": setup.options.model_dump_json(),
    }


def test_a_digest_follows_from_the_row_of_a_group() -> None:
    for name, setup in setups().items():
        planned = digests.of_treatment(name, "", treatments.rules_of(setup))
        assert digests.of_treatment(name, "", digests.played_rules(row(setup))) == planned


def test_a_group_that_chose_a_rule_has_the_digest_of_its_treatment() -> None:
    setup = setups(TEXT.replace('changes = { governance = "per_step" }\n', CHOSEN))["pool"]
    planned = digests.of_treatment("pool", "", treatments.rules_of(setup))
    for rule in setup.rules:
        played = digests.played_rules(row(setup.chosen(rule)))
        assert digests.of_treatment("pool", "", played) == planned


def test_name_block_and_configuration_each_change_a_digest() -> None:
    both = setups()
    rules = {name: treatments.rules_of(setup) for name, setup in both.items()}
    options = {**rules["open"]["options"], "decision_seconds": 46.0}
    listed = [
        digests.of_treatment("open", "", rules["open"]),
        digests.of_treatment("pool", "", rules["open"]),
        digests.of_treatment("open", "first", rules["open"]),
        digests.of_treatment("open", "", rules["pool"]),
        digests.of_treatment("open", "", {**rules["open"], "options": options}),
    ]
    assert len(set(listed)) == 5


def test_a_plans_digest_follows_from_its_text_its_treatments_and_its_money() -> None:
    parts = digests.parts_of(content(plan(TEXT)))
    assert set(parts["digests"]) == {"open", "pool"}
    others = [{**parts, key: {} if key != "plan" else ""} for key in parts]
    assert len({digests.of_plan(some) for some in (parts, *others)}) == 1 + len(parts) == 6
    assert digests.of_plan({**parts, "name": "of no consequence"}) == digests.of_plan(parts)


def in_other_order(seal: dict[str, Any]) -> dict[str, Any]:
    """Return a seal with its treatments in reverse order."""
    held = seal["content"]
    text = {**held["plan"], "treatments": dict(reversed(held["plan"]["treatments"].items()))}
    return {**seal, "content": {**held, "plan": text}}


def test_a_seal_fixes_the_order_of_treatments(tmp_path) -> None:
    path = sealing.seal("small", content(plan(TEXT)), tmp_path)
    whole = json.loads(path.read_text("utf-8"))
    assert whole["order"] == ["open", "pool"]
    path.write_text(json.dumps(in_other_order(whole)), "utf-8")
    with pytest.raises(ConfigError, match="its hash does not match its content"):
        sealing.sealed("small", tmp_path)
    path.write_text(json.dumps(in_other_order({**whole, "order": ["pool", "open"]})), "utf-8")
    with pytest.raises(ConfigError, match="its hash does not match its content"):
        sealing.sealed("small", tmp_path)


def test_the_order_of_treatments_changes_the_digest_of_a_plan() -> None:
    held = content(plan(TEXT))
    other = in_other_order({"content": held})["content"]
    first, second = (sealing.Seal.of("small", "now", some) for some in (held, other))
    assert first.digest != second.digest
    assert second.digest not in first.of_plan
    lines = list(sealing.different(held, other, ("sealed", "now")))
    assert lines == ['plan.treatments.order: sealed ["open", "pool"], now ["pool", "open"]']


def test_a_seal_without_the_order_has_the_digest_of_its_release(tmp_path) -> None:
    held = content(plan(TEXT))
    parts = digests.parts_of(held)
    old = {"plan": "small", "sealed": "2026-01-01T00:00:00+00:00", "content": held}
    old |= {"digest": digests.of_plan({**parts, "order": []}), "treatments": parts["digests"]}
    (tmp_path / "small.seal.json").write_text(json.dumps(old), "utf-8")
    seal = sealing.sealed("small", tmp_path)
    assert seal is not None
    assert {seal.digest, digests.of_plan(parts)} == {*seal.of_plan}


def test_a_seal_of_an_earlier_release_is_still_read(tmp_path) -> None:
    held = content(plan(TEXT))
    before = {"plan": "small", "sealed": "2026-01-01T00:00:00+00:00", "content": held}
    path = tmp_path / "small.seal.json"
    path.write_text(json.dumps({**before, "digest": digest_of(held)}), "utf-8")
    seal = sealing.sealed("small", tmp_path)
    assert seal is not None
    assert seal.content == held
    path.write_text(json.dumps({**before, "digest": "f" * 64}), "utf-8")
    with pytest.raises(ConfigError, match="its hash does not match its content"):
        sealing.sealed("small", tmp_path)


def test_a_seal_has_the_digest_of_every_treatment_and_none_can_be_changed(tmp_path) -> None:
    path = sealing.seal("small", content(plan(TEXT)), tmp_path)
    seal = sealing.sealed("small", tmp_path)
    assert seal is not None
    assert seal.treatments == digests.parts_of(seal.content)["digests"]
    traded = dict(zip(seal.treatments, reversed(seal.treatments.values()), strict=True))
    changed = {**json.loads(path.read_text("utf-8")), "treatments": traded}
    path.write_text(json.dumps(changed), "utf-8")
    with pytest.raises(ConfigError, match="its hash does not match its content"):
        sealing.sealed("small", tmp_path)


@pytest.mark.parametrize("identity", [1.5, [1], "x", None])
def test_rules_can_be_read_from_a_configuration_without_an_identity(identity):
    row = {"config": json.dumps({"identity": identity, "core": {}}), "options": "{}"}
    assert digests.played_rules(row) == {"game": None, "version": None, "core": {}, "options": {}}
