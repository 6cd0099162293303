"""The model of a trained policy: an ONNX file that any framework can write.

Inputs, all float32:

    observation (1, size)    what the seat sees, in units of the fields, 0 where it is masked
    memory      (1, k)       what the model gave last time, zeros at first; if it remembers
    mask        (1, choices) 1 for each choice that is open now, else 0; if it asks for it

Outputs, all float32:

    action       (1, choices) a logit for each choice, those of all fields side by side; or
                 (1, fields)  a number from -1 to 1 for each amount, see `bots.flat.actions`
    spread       (1, fields)  standard deviations of these; for amounts that are to be drawn
    memory_after (1, k)       what to remember; if it remembers

A model is tried once when it is opened, with zeros and everything open, and must answer. It is run
by onnxruntime on the thread that asks, which is loaded when the first model is opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import ConfigError
from engine.space import Array

__all__ = ["Answer", "Model", "Shapes"]


@dataclass(frozen=True)
class Shapes:
    """How many numbers go in and come out.

    observation, memory   how many it takes
    action                choices of all fields together, or amounts
    choices               are they choices
    drawn                 must an amount come with its spread
    """

    observation: int
    memory: int
    action: int
    choices: bool
    drawn: bool

    @property
    def inputs(self) -> dict[str, int]:
        """What a model may take; `mask` is up to it."""
        found = {"observation": self.observation}
        found |= {"memory": self.memory} if self.memory else {}
        return found | ({"mask": self.action} if self.choices else {})

    @property
    def outputs(self) -> dict[str, int]:
        """What a model may give; `spread` is up to it unless it is needed."""
        found = {"action": self.action}
        found |= {"memory_after": self.memory} if self.memory else {}
        return found | ({} if self.choices else {"spread": self.action})


@dataclass(frozen=True)
class Answer:
    """What a model gave: (size,) arrays, None for what it does not give."""

    action: Array
    spread: Array | None
    memory: Array | None


class Model:
    """An opened model. Raises ConfigError that names the file if it is not of these shapes."""

    def __init__(self, path: Path, shapes: Shapes) -> None:
        self.path, self.shapes = path, shapes
        self._session = _opened(path)
        taken = _tensors(path, self._session.get_inputs())
        given = _tensors(path, self._session.get_outputs())
        drawn = {"spread"} if shapes.drawn else set()
        _check(path, "input", taken, shapes.inputs, {"mask"})
        _check(path, "output", given, shapes.outputs, {"spread"} - drawn)
        self._inputs, self._outputs = list(taken), list(given)
        self._try()

    def _try(self) -> None:
        """Ask once: a model that fails is known now, and the first player need not wait."""
        seen, remembered = np.zeros(self.shapes.observation), np.zeros(self.shapes.memory)
        try:
            self.ask(seen, remembered, np.ones(self.shapes.action))
        except Exception as error:  # noqa: BLE001  whatever a model raises, it is refused
            told = f"fails where all it sees is 0: {error!s:.200}"
            raise ConfigError(f"{self.path}: {told}") from None

    def ask(self, observation: Array, memory: Array, mask: Array) -> Answer:
        """The answer to what a seat sees. Raises ValueError for a number that is not finite."""
        have = {"observation": observation, "memory": memory, "mask": mask}
        sent = {name: np.asarray(have[name], np.float32)[None] for name in self._inputs}
        found = self._session.run(self._outputs, sent)
        answer = {name: value[0] for name, value in zip(self._outputs, found, strict=True)}
        for name, value in answer.items():
            if not np.isfinite(value).all():
                raise ValueError(f"{self.path.name}: {name} {value.tolist()!r:.60}: is not finite")
        return Answer(answer["action"], answer.get("spread"), answer.get("memory_after"))


def _opened(path: Path) -> Any:
    """A session on one thread, which does not wait busily."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001  onnxruntime has no error class of its own to name
        raise ConfigError(f"{path}: is no ONNX model: {error!s:.200}") from None


def _tensors(path: Path, found: list[Any]) -> dict[str, Any]:
    """Name -> shape; a dimension that is open has a name or None instead of a number."""
    for each in found:
        if each.type != "tensor(float)":
            raise ConfigError(f"{path}: {each.name} is {each.type}: should be tensor(float)")
    return {each.name: each.shape for each in found}


def _check(
    path: Path, what: str, found: dict[str, Any], wanted: dict[str, int], free: set[str]
) -> None:
    for name, shape in found.items():
        if name not in wanted:
            raise ConfigError(f"{path}: {what} {name!r}: unknown; one of {', '.join(wanted)}")
        several = len(shape) == 2 and isinstance(shape[0], int) and shape[0] != 1
        if len(shape) != 2 or shape[1] != wanted[name] or several:
            raise ConfigError(f"{path}: {what} {name} = {shape}: should be [1, {wanted[name]}]")
    for name in wanted.keys() - found.keys() - free:
        raise ConfigError(f"{path}: {what} {name!r}: is missing")
