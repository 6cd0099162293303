"""The rules of the games as they were played, from every treatment's configuration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from mixed_company.analysis.paper.notation import plain
from mixed_company.analysis.paper.over_space import points_of, spread
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.experiment.space import Space
from mixed_company.table import telling
from mixed_company.table.options import Options, problems_in
from mixed_company.table.setup import Setup

Rule = Mapping[str, Any]
"""Everything in a treatment that affects the game (`experiment.treatments.rules_of`)."""

_BESIDE = ("game", "version", "options", "rules")


def setup_of(rule: Rule) -> Setup:
    """Return the setup of a treatment that has these rules. Raises ConfigError for options that
    this release does not have."""
    config = {key: value for key, value in rule.items() if key not in _BESIDE}
    identity = {key: rule[key] for key in ("game", "version")}
    votes = rule.get("rules", {}).items()
    rules = {name: {"identity": identity, **chosen} for name, chosen in votes}
    if problems := problems_in(rule["options"]):
        raise ConfigError("\n".join(problems))
    options = Options.model_validate(rule["options"])
    return Setup(config={"identity": identity, **config}, options=options, rules=rules)


def played(blocks: Mapping[str, Mapping[str, Rule]], space: Space | None = None) -> Iterator[str]:
    """Yield the decisions and parameters of each block's game. If there is only one block, its name
    is empty. If the treatments are the points of a space, `space` is that space."""
    for block, rules in blocks.items():
        if space is None:
            rules = dict(_by_choice(rules))
        games = {name: setup_of(rule).game for name, rule in rules.items()}
        first, decisions = next(iter(games.values())), "; ".join(_decisions(games, space))
        where = f" in block {block}" if block else ""
        yield f"In each period of `{first.id}`{where}, a player decides on {decisions}."
        yield "\n".join(
            [f"Parameters of the rules{where}:\n", *_numbers(games, space), *_layers(rules, space)]
        )


def _by_choice(rules: Mapping[str, Rule]) -> Iterator[tuple[str, Rule]]:
    """Yield each treatment's name and rules. If its groups choose a rule, yield the rules after
    each choice."""
    for name, rule in rules.items():
        if not rule.get("rules"):
            yield name, rule
        for choice, config in rule.get("rules", {}).items():
            yield f"{name} (choice {choice})", {**_beside(rule), **config}


def with_choices(rule: Rule) -> Rule:
    """Return a treatment's rules. If its groups choose a rule, a value that depends on the choice
    is a mapping from choice to value."""
    choices = rule.get("rules")
    return {**_beside(rule), **_merged(choices)} if choices else rule


def _beside(rule: Rule) -> Rule:
    return {key: rule[key] for key in _BESIDE if key != "rules"}


def _merged(values: Mapping[str, Any]) -> Any:
    if all(isinstance(value, Mapping) for value in values.values()):
        keys = dict.fromkeys(key for value in values.values() for key in value)
        return {
            key: _merged({name: value.get(key) for name, value in values.items()}) for key in keys
        }
    first, *others = values.values()
    return first if all(other == first for other in others) else dict(values)


def _decisions(games: Mapping[str, Game[Any]], space: Space | None) -> Iterator[str]:
    """Yield a description of each decision that players may have to make. If only some treatments
    include the decision, the description names them."""
    treatments: dict[str, list[str]] = {}
    for name, game in games.items():
        for field in game.declaration.actions:
            if game.most(field) > field.low:
                treatments.setdefault(telling.named(field), []).append(name)
    for text, names in treatments.items():
        some = f"in {', '.join(names)}" if space is None else f"at {points_of(space, names)}"
        yield text if len(names) == len(games) else f"{text} (only {some})"


def _numbers(games: Mapping[str, Game[Any]], space: Space | None) -> Iterator[str]:
    """Yield a line per parameter that has an effect in any treatment, with its values in all
    treatments; a treatment where it has no effect shows `none`."""
    numbers = {
        name: {key: part for key, part in telling.numbers(game).items() if key not in idle}
        for name, game in games.items()
        for idle in [game.core.idle()]
    }
    meanings = {key: words for listed in numbers.values() for key, (_, words) in listed.items()}
    for key, words in meanings.items():
        values = {name: listed.get(key, ("none", ""))[0] for name, listed in numbers.items()}
        yield f"- {key}: {_values(values, space)} ({words})"


def _layers(rules: Mapping[str, Rule], space: Space | None) -> Iterator[str]:
    """Yield the layers that have an effect in at least one treatment, with their parameters."""
    layers = {name: rule.get("layers", {}) for name, rule in rules.items()}
    for layer in dict.fromkeys(key for listed in layers.values() for key in listed):
        of_layer = {name: listed.get(layer, {}) for name, listed in layers.items()}
        if any(part.get("intensity") for part in of_layer.values()):
            texts = {name: _layer(part) for name, part in of_layer.items()}
            yield f"- layer {layer}: {_values(texts, space)}"


def _layer(parameters: Mapping[str, Any]) -> str:
    return json.dumps(parameters) if parameters.get("intensity") else "none"


def _values(by_treatment: Mapping[str, str], space: Space | None) -> str:
    """Return the value that all treatments share or, if they differ, the value of each
    treatment."""
    if len(set(by_treatment.values())) == 1:
        return plain(next(iter(by_treatment.values())))
    if space is not None:
        return spread(space, by_treatment)
    return "; ".join(f"{name} {plain(value)}" for name, value in by_treatment.items())
