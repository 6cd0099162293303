"""Trained policies: a model and its card, two files in bots/trained or in another folder.

    <id>.onnx    the model; `policies.trained.model` defines its inputs and outputs
    <id>.json    its card; `policies.trained.card` defines its keys

Any framework can write these files; `learning.training` does. A policy with an error is rejected
before the play starts, with its file name. An error during a play is a fault, as with any policy
(`policies.policy.ask`): the default is played, and the reason is logged.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies.trained.card import Card, read
from mixed_company.policies.trained.policy import HERE, Trained, opened, policy_class

__all__ = ["HERE", "Card", "Trained", "opened", "policies_in"]


def policies_in(folder: Path) -> Iterator[type[Trained]]:
    """Yield the policies in a folder, by name. Raises ConfigError for an invalid file."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}: not a folder")
    for model in sorted(folder.glob("*.onnx")):
        if not model.with_suffix(".json").is_file():
            raise ConfigError(f"{model}: its card {model.stem}.json is missing")
    for path in sorted(folder.glob("*.json")):
        yield policy_class(read(path), path)
