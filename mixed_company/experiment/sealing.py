"""A plan fixed before data are collected: `plans/NAME.seal.json` with its content, hash and time.

The content is the complete plan and the setups of its treatments. The seal stores the content as
well as its digests (`experiment.digests`), so if a digest differs, a reader can see which keys are
different.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from mixed_company import files
from mixed_company.engine.contract.config import Section, parameter, refusal
from mixed_company.engine.contract.errors import ConfigError, short
from mixed_company.experiment import digests
from mixed_company.experiment.checking import MONEY
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.treatments import rules_of
from mixed_company.table.pay import can_be_paid
from mixed_company.table.setup import Setup
from mixed_company.table.stored import digest_of

Content = dict[str, Any]


class Seal(Section):
    """Content of a seal file."""

    plan: str = parameter(..., "name of the plan")
    sealed: str = parameter(..., "time of the seal, UTC")
    digest: str = parameter(..., "digest of the plan; in seals of earlier releases, of the content")
    treatments: dict[str, str] = parameter(
        {}, "digest of each treatment; empty in seals of earlier releases"
    )
    order: list[str] = parameter(
        [], "names of the treatments in order; empty in seals of earlier releases"
    )
    content: Content = parameter(..., "the plan, its treatments' setups, and the payments")
    _written: Content | None = None

    @classmethod
    def of(cls, name: str, when: str, content: Content) -> Self:
        """Return a seal for this content at this time."""
        parts = digests.parts_of(content)
        digest = digests.of_plan(parts)
        listed = {"treatments": parts["digests"], "order": parts["order"]}
        return cls(plan=name, sealed=when, digest=digest, content=content, **listed)

    @property
    def text(self) -> str:
        """Text of the seal's file, with the content as it was written."""
        whole = self.model_dump(mode="json")
        return json.dumps({**whole, "content": self._written or whole["content"]}, indent=2) + "\n"

    @property
    def is_whole(self) -> bool:
        """True if the digests match the content."""
        if not self.treatments:
            return not self.order and self.digest == digest_of(self.content)
        parts = digests.parts_of(self.content)
        if not self.order:
            parts["order"] = []
        right = digests.of_plan(parts), parts["digests"], parts["order"]
        return (self.digest, self.treatments, self.order) == right

    @property
    def of_plan(self) -> list[str]:
        """Plan digests that a session with the sealed plan can have. There are several, because the
        plan's text may lack keys that later releases added, and earlier releases left out the order
        of treatments.
        """
        parts = digests.parts_of(self.content)
        orders: tuple[list[str], ...] = parts["order"], []
        plans = [
            digests.of_plan({**parts, "plan": text, "order": order})
            for order in orders
            for text in self.of_text
        ]
        return [self.digest, *plans]

    @property
    def of_text(self) -> list[str]:
        """Text digests that a session with the sealed plan can have. They do not depend on keys
        that the session changed.
        """
        text = self.content["plan"]
        later = Plan.trusted(text).model_dump(mode="json")  # as this release writes it
        return [digest_of(text), digest_of(later)]

    @property
    def sealed_ms(self) -> int:
        """Time of the seal, in milliseconds since 1970."""
        return round(1000 * datetime.fromisoformat(self.sealed).timestamp())


def content_of(
    plan: Plan, series: Sequence[Mapping[str, Setup]], config: Mapping[str, Any]
) -> Content:
    """Return everything that a seal fixes, for all blocks (`experiment.treatments.series`).

    The payments are read from `config`, the session config.
    """
    rules = [
        {name: _covered(rules_of(setup)) for name, setup in setups.items()} for setups in series
    ]
    blocks = dict(zip(plan.block_names, rules, strict=True)) if plan.blocks else {}
    return {
        "plan": plan.model_dump(mode="json"),
        "treatments": rules[0],
        **({"blocks": blocks} if blocks else {}),
        "money": {key: float(config[key]) for key in MONEY},
    }


def _covered(rules: Content) -> Content:
    """Return a treatment's rules without anything that its digest does not cover.

    If groups choose a rule, nobody plays the configuration before the choice. It is replaced by the
    configuration of the rule that comes first alphabetically.
    """
    if not rules.get("rules"):
        return rules
    identity = {key: rules[key] for key in ("game", "version")}
    chosen = rules["rules"][min(rules["rules"])]
    return {**identity, **chosen, "rules": rules["rules"], "options": rules["options"]}


def games_of(content: Content) -> list[str]:
    """Return the games of a plan's blocks, in order, each listed once."""
    rules = content.get("blocks") or {"": content["treatments"]}
    return list(dict.fromkeys(next(iter(held.values()))["game"] for held in rules.values()))


def seal(name: str, content: Content, folder: Path) -> Path:
    """Write a plan's seal and return its path. Raises ConfigError if the plan is already sealed."""
    earlier = sealed(name, folder)
    if earlier is not None:
        raise ConfigError(
            f"plan {name!r}: already sealed ({earlier.sealed}); give a different plan another name"
        )
    when = datetime.now(UTC).isoformat(timespec="seconds")
    written = Seal.of(name, when, content)
    path = path_of(name, folder)
    files.write_whole(path, written.text)
    return path


def sealed(name: str, folder: Path) -> Seal | None:
    """Return the seal of a plan, or None. Raises the errors of `read`."""
    path = path_of(name, folder)
    return read(path, name) if path.is_file() else None


def read(path: Path, name: str) -> Seal:
    """Return the seal of the plan `name` from a file. Raises ConfigError if it is invalid, was
    changed, or belongs to another plan.
    """
    try:
        seal = Seal.model_validate(files.parsed(path.read_bytes()))
        whole = seal.is_whole
    except ValidationError as error:
        raise ConfigError(f"{path}: {refusal(error, Seal)}") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ConfigError(f"{path}: not a seal: {error}") from None
    if not whole:
        raise ConfigError(
            f"{path}: changed after it was sealed: its hash does not match its content"
        )
    try:
        zone = datetime.fromisoformat(seal.sealed).tzinfo
    except ValueError:
        zone = None
    if zone is None:
        rule = "should be a time in ISO 8601 with a time zone, such as 2026-11-28T09:00:00+00:00"
        raise ConfigError(f"{path}: sealed = {short(seal.sealed)}: {rule}")
    if seal.plan != name:
        raise ConfigError(f"{path}: plan = {seal.plan!r}: should be {name!r}")
    content = checked(path, seal.content)
    if content == seal.content:
        return seal
    covered = seal.model_copy(update={"content": content})
    covered._written = seal.content
    return covered


def checked(path: Path, content: Content) -> Content:
    """Return the content of a seal with every treatment as in `_covered`. Raises ConfigError, which
    names the file, if it does not have the form that `content_of` writes."""
    try:
        plan = Plan.model_validate(content["plan"])
        _check_parts(path, plan, content)
        covered = _all_covered(content)
        _check_treatments(path, covered)
    except ValidationError as error:
        raise ConfigError(f"{path}: {refusal(error, Plan, 'content.plan')}") from None
    except (AttributeError, LookupError, TypeError) as error:
        raise ConfigError(f"{path}: content: not in the form of a seal: {error}") from None
    return covered


def _all_covered(content: Content) -> Content:
    """Return the content with every treatment as in `_covered`."""
    blocks = {"": content["treatments"], **content.get("blocks", {})}
    first, *rest = (
        {name: _covered(rules) for name, rules in treatments.items()}
        for treatments in blocks.values()
    )
    others = dict(zip(content.get("blocks", {}), rest, strict=True))
    return {**content, "treatments": first, **({"blocks": others} if others else {})}


def _check_parts(path: Path, plan: Plan, content: Content) -> None:
    """Raise ConfigError for any part of the content that the plan's digest does not cover."""
    names = list(plan.block_names) if plan.blocks else []
    parts = ("plan", "treatments", *(["blocks"] if names else []), "money")
    if unknown := [key for key in content if key not in parts]:
        rule = f"unknown key; the content of a seal has {', '.join(parts)}"
        raise ConfigError(f"{path}: content.{unknown[0]}: {rule}")
    blocks = content.get("blocks", {})
    if list(blocks) != names:
        rule = f"should be {', '.join(names)}, in the same order as in the plan"
        raise ConfigError(f"{path}: content.blocks: {rule}")
    if names and content["treatments"] != blocks[names[0]]:
        rule = f"should be equal to content.blocks.{names[0]}"
        raise ConfigError(f"{path}: content.treatments: {rule}")


def _check_treatments(path: Path, content: Content) -> None:
    """Raise ConfigError unless the content has the payments, and rules for exactly the plan's
    treatments.
    """
    planned, blocks = content["plan"]["treatments"], content.get("blocks") or {}
    for key, rules in (("treatments", content["treatments"]), *blocks.items()):
        if set(rules) != set(planned):
            raise ConfigError(
                f"{path}: content.{key}: should be {', '.join(planned)}, as in the plan"
            )
        for name, held in rules.items():
            place = f"{path}: content.{key}.{name}"
            if type(held["options"]["people_per_group"]) is not int:
                raise ConfigError(f"{place}: should contain a number, options.people_per_group")
            if type(held["options"]["disclosure"]) is not str:
                raise ConfigError(f"{place}: should contain a string, options.disclosure")
            if type(held["game"]) is not str or type(held["version"]) is not str:
                raise ConfigError(f"{place}: game and version should be strings")
            _check_core(place, held)
            for choice, chosen in (held.get("rules") or {}).items():
                _check_core(f"{place}.rules.{choice}", chosen)
    for name in MONEY:
        amount = content["money"][name]
        if type(amount) not in (int, float) or not can_be_paid(amount):
            rule = "should be an amount that can be paid"
            raise ConfigError(f"{path}: content.money.{name} = {short(amount)}: {rule}")


def _check_core(place: str, rules: Any) -> None:
    """Raise ConfigError unless the rules have the numbers of seats and periods."""
    core = rules.get("core") if isinstance(rules, Mapping) else None
    if not isinstance(core, Mapping):
        raise ConfigError(f"{place}: should contain core")
    long = "turns" if "turns" in core else "periods"
    if type(core["seats"]) is not int or type(core[long]) is not int:
        raise ConfigError(f"{place}.core: seats and {long} should be whole numbers")


def different(
    first: Mapping[str, Any], second: Mapping[str, Any], names: tuple[str, str], path: str = ""
) -> Iterator[str]:
    """Yield a sentence for each key that differs between two contents, and one if treatments, rules
    to choose from or a question's languages are in a different order; `names` holds the names of
    the two contents.
    """
    for key in dict.fromkeys((*first, *second)):
        key_path = f"{path}.{key}" if path else str(key)
        values = first.get(key, _ABSENT), second.get(key, _ABSENT)
        if all(isinstance(value, Mapping) for value in values):
            yield from different(*values, names, key_path)
            orders = [list(value) for value in values]
            ordered = key_path == _TREATMENTS or key == _RULES
            if ordered and sorted(orders[0]) == sorted(orders[1]):
                yield from different({"order": orders[0]}, {"order": orders[1]}, names, key_path)
        elif values[0] != values[1]:
            shown = _shown(*values)
            yield f"{key_path}: {names[0]} {shown[0]}, {names[1]} {shown[1]}"
        elif key == _QUESTIONS:
            yield from different(_languages(values[0]), _languages(values[1]), names, key_path)


def orders_of(rules: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the places in a treatment's rules where the order of keys matters although no digest
    covers it, each with its keys: rules that a group can choose, and each question's languages.
    """
    options = rules.get("options") or {}
    for chosen in (rules.get(_RULES), options.get(_RULES)):
        yield _RULES, list(chosen) if isinstance(chosen, Mapping) else []
    for place, languages in _languages(options.get(_QUESTIONS)).items():
        yield f"{_QUESTIONS}.{place}", languages


def _languages(questions: Any) -> dict[str, list[str]]:
    """Return the languages, in order, of each question's text and options that have languages."""
    items = questions if isinstance(questions, list) else ()
    return {
        f"{item.get('name')}.{key}": list(value)
        for item in items
        if isinstance(item, Mapping)
        for key, value in item.items()
        if isinstance(value, Mapping)
    }


_ABSENT = object()
_TREATMENTS, _RULES, _QUESTIONS = "plan.treatments", "rules", "questions"
"""Parts of a seal's content where the order of keys matters: the direction of tests depends on
the order of treatments, ties depend on the order of the rules that a group can choose, and answers
to a choice are written in the first of a question's languages."""


def _shown(*values: Any) -> list[str]:
    """Return two values as text, cut to the part that differs. `...` marks a part that is cut
    off."""
    texts = ["nothing" if value is _ABSENT else json.dumps(value) for value in values]
    pairs = enumerate(zip(*texts, strict=False))
    common = next((place for place, pair in pairs if len({*pair}) > 1), min(map(len, texts)))
    start = common - _BEFORE if common >= _LENGTH else 0
    return [_cut(text, start) for text in texts]


def _cut(text: str, start: int) -> str:
    """Return a part of about _LENGTH characters, with whole numbers at its ends."""
    end = start + _LENGTH
    for number in _NUMBER.finditer(text):
        first, last = number.span()
        start = first if first < start < last else start
        end = last if first < end < last else end
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"


_NUMBER = re.compile(r"-?\d[\d.eE+-]{0,40}")
"""A number, or a part of a very long one."""
_LENGTH, _BEFORE = 80, 20
"""Maximum length of a value in a sentence, and of the part before the first difference in a longer
value."""


def path_of(name: str, folder: Path) -> Path:
    """Return the path of a plan's seal, whether or not it exists."""
    return folder / f"{name}.seal.json"
