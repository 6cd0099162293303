"""A group's choice of a rule before its play: the options, and how votes are counted.

Each seat casts one vote or abstains. The rule with the most votes is played. A tie, even with no
votes at all, goes to the first rule in the list or is broken at random, using the play's seed.
`table.leanings` computes bots' votes, and `table.voting` runs a table's vote.

Before they choose, people are told how many seats and periods there are, the actions, the roles and
the order of play. A rule that changes any of these, or is identical to another rule, is rejected,
and the error names it (`alternatives`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Literal, Self

from pydantic import field_validator

from mixed_company.engine.contract import chance
from mixed_company.engine.contract.config import Section, parameter
from mixed_company.engine.contract.errors import ConfigError, EngineError, nearest
from mixed_company.engine.game import Game

ABSTAINED = ""
"""Vote of a seat that abstains."""

MOST_RULES = 9

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_choice = partial(parameter, group="Rules that a group chooses")


class Rule(Section):
    """Rule that a group can choose."""

    meaning: str = parameter(
        ..., "what the rule changes, as a sentence for participants", min_length=1, max_length=300
    )
    changes: dict[str, Any] = parameter(
        {}, "game parameters, `layers` and `archetype` that differ from the session's"
    )


class ChoosingOptions(Section):
    """Keys for how a group chooses the rule for its play."""

    rules: dict[str, Rule] = _choice(
        {},
        "rules by name, each with a meaning and changes; before its play, a group chooses one by "
        "majority; empty: no choice",
    )
    rules_seconds: float = _choice(
        90.0,
        "time to choose, starting when everyone in the group has arrived; 0: no limit",
        unit="s",
        ge=0,
        le=3600,
    )
    rules_tie: Literal["first", "drawn"] = _choice(
        "first",
        "in a tie: the first of the tied rules in the list, or one drawn from the play's seed",
    )
    rules_bots: Literal["abstain", "policy"] = _choice(
        "abstain",
        "bots abstain; or each bot votes for the rule under which a group with only its policy "
        "earns the most (`random` votes at random)",
    )

    @field_validator("rules")
    @classmethod
    def _several(cls, rules: dict[str, Rule]) -> dict[str, Rule]:
        if rules and not 2 <= len(rules) <= MOST_RULES:
            raise ValueError(f"should list 2 to {MOST_RULES} rules, or none")
        meanings: dict[str, str] = {}
        for name, rule in rules.items():
            if _NAME.fullmatch(name) is None:
                raise ValueError(
                    f"{name!r:.60}: should begin with a letter and contain at most 40 letters, "
                    "digits, _ and -"
                )
            same = meanings.setdefault(rule.meaning.strip(), name)
            if same != name:
                raise ValueError(f"{name}: same meaning as {same}; the two should differ")
        return rules


@dataclass
class Vote:
    """State of a group's vote.

    begun_ms  when the vote began; None before that
    votes     seat -> choice of its person; `voted_ms`: the time of each choice
    rule      winning rule; None until the vote is over
    counts    final number of votes for each rule
    """

    begun_ms: int | None = None
    votes: dict[int, str] = field(default_factory=dict)
    voted_ms: dict[int, int] = field(default_factory=dict)
    rule: str | None = None
    counts: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return all fields."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the vote from the result of `to_json`; seats can be strings, as JSON keys are."""
        by_seat = {key: {int(seat): value for seat, value in data[key].items()} for key in _BY_SEAT}
        return cls(**{**data, **by_seat})


_BY_SEAT = ("votes", "voted_ms")


def counts(names: Iterable[str], votes: Iterable[str]) -> dict[str, int]:
    """Return the number of votes for each rule; any other name counts as an abstention."""
    cast = list(votes)
    return {name: cast.count(name) for name in names}


def leaders(counted: dict[str, int]) -> list[str]:
    """Return the rules with the most votes, in the order of the session's list."""
    highest = max(counted.values())
    return [name for name, votes in counted.items() if votes == highest]


def winner(names: Sequence[str], votes: Iterable[str], tie: str, seed: int) -> str:
    """Return the winning rule; `tie` is the session's option, and `seed` the play's seed."""
    first = leaders(counts(names, votes))
    if len(first) == 1 or tie == "first":
        return first[0]
    drawn = int(chance.stream(seed, "tie of rules").order(len(first))[0])
    return first[drawn]


_BESIDES = ("layers", "archetype")
"""Keys that a rule can change in addition to the game's parameters."""


def alternatives(
    base: Game[Any], rules: Mapping[str, Rule], changed: Callable[[Mapping[str, Any]], Game[Any]]
) -> dict[str, dict[str, Any]]:
    """Return the configuration of each rule; `changed` builds the game with some keys changed.

    Raises a ConfigError that names the rule.
    """
    configs: dict[str, dict[str, Any]] = {}
    seen: dict[str, str] = {}
    for name, rule in rules.items():
        try:
            _check_keys(base, rule.changes)
            game = changed(rule.changes)
            _check_alike(base, game)
        except EngineError as error:
            lines = "\n".join(f"rules = {name!r}: {line}" for line in str(error).split("\n"))
            raise ConfigError(lines) from None
        configs[name] = game.config.model_dump(mode="json")
        played = {key: value for key, value in configs[name].items() if key != "identity"}
        same = seen.setdefault(json.dumps(played, sort_keys=True), name)
        if same != name:
            raise ConfigError(f"rules = {name!r}: the same as {same!r}; change its `changes`")
    return configs


def _check_keys(game: Game[Any], changes: Mapping[str, Any]) -> None:
    allowed = (*game.Core.model_fields, *_BESIDES)
    for key, value in changes.items():
        if key not in allowed:
            raise ConfigError(
                f"{key} = {value!r:.60}: should be a parameter of the game, `layers` or "
                f"`archetype`{nearest(key, allowed)}"
            )


def _check_alike(base: Game[Any], game: Game[Any]) -> None:
    """Raise ConfigError if a rule changes anything that people are told before they choose."""
    facts: dict[str, tuple[Any, Any]] = {
        "seats": (game.seats, base.seats),
        "periods": (game.horizon, base.horizon),
        "periods_told": (game.told_horizon is not None, base.told_horizon is not None),
        "actions": (_actions(game), _actions(base)),
        "agents": (game.config.agents, base.config.agents),
    }
    for fact, (changed, expected) in facts.items():
        if changed != expected:
            raise ConfigError(
                f"{fact} = {changed!r:.120}: should be as in the session, {expected!r:.120}"
            )


def _actions(game: Game[Any]) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {field.name: (field.kind, field.shape) for field in game.declaration.actions}
