"""The model of a trained policy: an ONNX file that any framework can write.

Inputs, all float32:

    observation (1, size)    what the seat sees, in units of the fields, 0 where it is masked
    memory      (1, k)       what the model gave last time, zeros at first; if it remembers
    mask        (1, choices) 1 for each choice that is open now, else 0; if it asks for it

Outputs, all float32:

    action       (1, choices) a logit for each choice, those of all fields side by side; or
                 (1, fields)  a number from -1 to 1 for each amount, see `policies.flat.actions`
    spread       (1, fields)  standard deviations of these; for amounts that are to be drawn
    memory_after (1, k)       what to remember; if it remembers

The 1 stands for seats. Where it is open in all of them (a name instead of a number), and the model
answers each row as it does alone, it is asked for many seats at once in tournaments.

A model is one file, weights and all: no card vouches for what stands in others. It has no `Loop`,
so that every answer ends. It is tried when it is opened, with zeros and everything open, and must
answer; then it is timed. It is run by onnxruntime on the thread that asks, which is loaded when the
first model is opened.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.trained.operators import operators

__all__ = ["Answer", "Model", "Shapes"]

FIRST_SECONDS = 5.0
"""Of the clock; what takes longer for its first answer would never answer in time."""

TIMED = 3  # answers that are timed
_ELSEWHERE = "session.model_external_initializers_file_folder_path"


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
        sizes = {"observation": self.observation}
        sizes |= {"memory": self.memory} if self.memory else {}
        return sizes | ({"mask": self.action} if self.choices else {})

    @property
    def outputs(self) -> dict[str, int]:
        """What a model may give; `spread` is up to it unless it is needed."""
        sizes = {"action": self.action}
        sizes |= {"memory_after": self.memory} if self.memory else {}
        return sizes | ({} if self.choices else {"spread": self.action})


@dataclass(frozen=True)
class Answer:
    """What a model gave for K seats: (K, size) arrays, None for what it does not give."""

    action: Array
    spread: Array | None
    memory: Array | None

    @cached_property
    def finite(self) -> Array:
        """(K,) flags: for which seats all is finite."""
        flags = np.isfinite(self.action).all(axis=1)
        for array in (self.spread, self.memory):
            if array is not None:
                flags &= np.isfinite(array).all(axis=1)
        return np.asarray(flags)


class Model:
    """An opened model. Raises ConfigError that names the file if it is not of these shapes.

    content    the bytes of the file, None: they are read
    together   can it answer for several seats at once
    seconds    of the clock that an answer for one seat takes, the quickest of a few
    """

    def __init__(self, path: Path, shapes: Shapes, content: bytes | None = None) -> None:
        self.path, self.shapes = path, shapes
        self._session = _opened(path, path.read_bytes() if content is None else content)
        taken = _tensors(path, self._session.get_inputs())
        given = _tensors(path, self._session.get_outputs())
        drawn = {"spread"} if shapes.drawn else set()
        _check(path, "input", taken, shapes.inputs, {"mask"})
        _check(path, "output", given, shapes.outputs, {"spread"} - drawn)
        self._inputs, self._outputs = list(taken), list(given)
        self.together = False
        self._try()
        ends = [shape[0] for shape in (*taken.values(), *given.values())]
        self.together = not any(isinstance(end, int) for end in ends) and self._answers_each()
        self.seconds = self._timed()

    def _try(self) -> None:
        """Ask once: a model that fails is known now, and the first player need not wait."""
        limits = _runtime().RunOptions()
        timer = threading.Timer(FIRST_SECONDS, setattr, (limits, "terminate", True))
        timer.start()
        try:
            self.check(self.ask(*self._rows(0.0), limits=limits))
        except Exception as error:  # noqa: BLE001  whatever a model raises, it is refused
            problem = f"fails where all it sees is 0: {error!s:.200}"
            if limits.terminate:
                problem = f"takes more than {FIRST_SECONDS:g} s for an answer"
            raise ConfigError(f"{self.path}: {problem}") from None
        finally:
            timer.cancel()

    def _timed(self) -> float:
        """What an answer takes; the quickest, since a busy machine makes others slower."""
        times = []
        for _ in range(TIMED):
            began = time.perf_counter()
            self.ask(*self._rows(0.0))
            times.append(time.perf_counter() - began)
        return min(times)

    def _answers_each(self) -> bool:
        """Is each of two rows answered as it is alone?"""
        alone = [self._run(*self._rows(value)) for value in (0.0, 1.0)]
        try:
            answers = self._run(*self._rows(0.0, 1.0))
        except Exception:  # noqa: BLE001  then it is asked row by row
            return False
        wanted = [np.concatenate(pair) for pair in zip(*alone, strict=True)]
        return all(
            there.shape == here.shape and np.allclose(there, here, equal_nan=True)
            for there, here in zip(answers, wanted, strict=True)
        )

    def _rows(self, *values: float) -> tuple[Array, Array, Array]:
        """Rows in which all that is seen and remembered is a number, everything open."""
        column, shapes = np.array(values)[:, None], self.shapes
        seen, remembered = (np.repeat(column, n, 1) for n in (shapes.observation, shapes.memory))
        return seen, remembered, np.ones((len(values), shapes.action))

    def ask(self, observation: Array, memory: Array, mask: Array, limits: Any = None) -> Answer:
        """The answers to what K seats see, remember and may do, (K, size) arrays.

        `limits` are onnxruntime's RunOptions, by which one answer can be ended.
        """
        if self.together or len(observation) == 1:
            outputs = self._run(observation, memory, mask, limits)
        else:
            rows = zip(observation[:, None], memory[:, None], mask[:, None], strict=True)
            answers = [self._run(*row) for row in rows]
            outputs = [np.concatenate(column) for column in zip(*answers, strict=True)]
        answer = dict(zip(self._outputs, outputs, strict=True))
        return Answer(answer["action"], answer.get("spread"), answer.get("memory_after"))

    def check(self, answer: Answer) -> None:
        """Raises ValueError for a number that is not finite."""
        if answer.finite.all():
            return
        given = {"action": answer.action, "spread": answer.spread, "memory_after": answer.memory}
        for name, value in given.items():
            if value is not None and not np.isfinite(value).all():
                text = f"{value[0].tolist()!r:.60}"
                raise ValueError(f"{self.path.name}: {name} {text}: is not finite")

    def _run(
        self, observation: Array, memory: Array, mask: Array, limits: Any = None
    ) -> list[Array]:
        have = {"observation": observation, "memory": memory, "mask": mask}
        sent = {name: np.asarray(have[name], np.float32) for name in self._inputs}
        outputs: list[Array] = self._session.run(self._outputs, sent, limits)
        return outputs


def _runtime() -> Any:
    """onnxruntime, which without this tells its maker, over the network, that it is used."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


def _opened(path: Path, content: bytes) -> Any:
    """A session on one thread, which does not wait busily."""
    known = operators(content)
    if not known:  # onnxruntime reads forms of its own, in which nothing is looked for here
        raise ConfigError(f"{path}: is no ONNX model: there are no operators in it")
    if "Loop" in known:
        raise ConfigError(f"{path}: has the operator Loop: a model may not go on for ever")
    onnxruntime = _runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Weights in other files are looked for where none can be: within the file of the model.
    options.add_session_config_entry(_ELSEWHERE, str(path.resolve()))
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001  onnxruntime has no error class of its own to name
        if "external data" in str(error).lower():
            rule = "has weights in another file, which its card does not vouch for; save it as one"
            raise ConfigError(f"{path}: {rule}") from None
        raise ConfigError(f"{path}: is no ONNX model: {error!s:.200}") from None


def _tensors(path: Path, declared: list[Any]) -> dict[str, Any]:
    """Name -> shape; a dimension that is open has a name or None instead of a number."""
    for tensor in declared:
        if tensor.type != "tensor(float)":
            raise ConfigError(f"{path}: {tensor.name} is {tensor.type}: should be tensor(float)")
    return {tensor.name: tensor.shape for tensor in declared}


def _check(
    path: Path, what: str, tensors: dict[str, Any], wanted: dict[str, int], free: set[str]
) -> None:
    for name, shape in tensors.items():
        if name not in wanted:
            raise ConfigError(f"{path}: {what} {name!r}: unknown; one of {', '.join(wanted)}")
        several = len(shape) == 2 and isinstance(shape[0], int) and shape[0] != 1
        if len(shape) != 2 or shape[1] != wanted[name] or several:
            raise ConfigError(f"{path}: {what} {name} = {shape}: should be [1, {wanted[name]}]")
    for name in wanted.keys() - tensors.keys() - free:
        raise ConfigError(f"{path}: {what} {name!r}: is missing")
