"""Digests that tie a treatment's name to what was played.

    of_treatment   sha256 of a treatment's name, its block and its resolved configuration
    of_plan        sha256 of a plan's text, the digests and the order of its treatments, its
                   payments, and how people are assigned to treatments and continue from block to
                   block

A test's direction depends on the order of the treatments. A JSON digest ignores the order of keys,
so the order is stored as a separate list. Releases before 0.9.0 did not write this list.

Seals and export manifests contain both, and every group's row in `config` contains the first. So
swapped treatment names are detected, and no export can claim the digest of a plan with other
treatments. Anyone can recompute these digests, unlike the seal of an export
(`table.export.sealing`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mixed_company.experiment.blocks import Course
from mixed_company.table.stored import digest_of

Content = Mapping[str, Any]


def label(treatment: str, block: str = "") -> str:
    """Return the name of a treatment in a block, as it appears in reports."""
    return f"{treatment}, {block}" if block else treatment


def of_treatment(treatment: str, block: str, rules: Content) -> str:
    """Return the digest of a treatment with these rules (`experiment.treatments.rules_of`).

    If groups choose a rule, `rules` has the configuration under each rule, and the configuration
    before the choice is left out, because nobody plays it.
    """
    common = ("game", "version", "options", "rules")
    kept = common if "rules" in rules else tuple(rules)
    resolved = {key: rules[key] for key in kept if key in rules}
    return digest_of({"treatment": treatment, "block": block, "configuration": resolved})


def parts_of(content: Content) -> dict[str, Any]:
    """Return the parts that a plan's digest is computed from, given the content of its seal."""
    plan, blocks = content["plan"], blocks_of(content)
    return {
        "plan": digest_of(plan),
        "order": list(plan["treatments"]),
        "money": dict(content["money"]),
        "assignment": plan["assignment"],
        **{key: plan[key] for key in Course.model_fields if "" not in blocks},
        "digests": digests_of(blocks),
    }


def blocks_of(content: Content) -> Mapping[str, Mapping[str, Content]]:
    """Return the rules of all treatments by block, given the content of a seal. If the plan has no
    blocks, the name of the block is empty."""
    return content.get("blocks") or {"": content["treatments"]}


def digests_of(blocks: Mapping[str, Mapping[str, Content]]) -> dict[str, str]:
    """Return the digest of every treatment, given the rules by block and treatment."""
    return {
        label(name, block): of_treatment(name, block, rules)
        for block, treatments in blocks.items()
        for name, rules in treatments.items()
    }


def of_plan(parts: Content) -> str:
    """Return the digest of a plan from the result of `parts_of`, which is also in a manifest.

    Without the order of treatments, the result is the digest that earlier releases computed.
    """
    listed = ("plan", "money", "digests", "assignment", *Course.model_fields)
    order = {"order": list(parts["order"])} if parts.get("order") else {}
    return digest_of({**{key: parts.get(key) for key in listed}, **order})


def has_server(options: Content) -> bool:
    """Return whether groups with these options, as in `config`, were played on a server: neither
    simulated nor imported from a table."""
    return "simulated" not in options and "imported" not in options


def played_rules(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a group's rules in the form of `rules_of`, from its row in `config`."""
    config = read(row.get("config", ""))
    identity = config.pop("identity", None)
    identity = identity if isinstance(identity, Mapping) else {}
    named = {key: identity.get(key) for key in ("game", "version")}
    rules = {
        name: {key: value for key, value in chosen.items() if key != "identity"}
        for name, chosen in read(row.get("rules", "")).items()
        if isinstance(chosen, Mapping)
    }
    options = {"options": read(row.get("options", ""))}
    return {**named, **config, **options, **({"rules": rules} if rules else {})}


def read(text: Any) -> dict[str, Any]:
    """Parse the object in a JSON cell; return an empty one if it cannot be read."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
