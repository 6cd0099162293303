"""Trained policies: models with cards, each two files in bots/trained or in a folder of one's own.

    <id>.onnx    the model; `policies.trained.model` says what goes in and comes out
    <id>.json    its card; `policies.trained.card` says what it holds

Any framework can make them; `learning.training` is one way. A policy with anything wrong is refused
with the name of its file before anybody plays. What goes wrong in a play is a fault like that of
any policy (`policies.policy.decide`): the default is played and the log says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies.trained.card import Card, read
from mixed_company.policies.trained.policy import HERE, Trained, opened, policy_class

__all__ = ["HERE", "Card", "Trained", "opened", "policies_in"]


def policies_in(folder: Path) -> Iterator[type[Trained]]:
    """The policies of a folder, by name. Raises ConfigError for a file that is refused."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}: is no folder")
    for model in sorted(folder.glob("*.onnx")):
        if not model.with_suffix(".json").is_file():
            raise ConfigError(f"{model}: its card {model.stem}.json is missing")
    for path in sorted(folder.glob("*.json")):
        yield policy_class(read(path), path)
