"""The model of a trained policy: an ONNX file that any framework can write.

Inputs, all float32:

    observation (1, size)    the seat's observation, in the fields' units, 0 where masked
    memory      (1, k) the last `memory_after`, zeros at first; only if the model has a memory
    mask        (1, choices) 1 for each choice that is currently open, else 0; optional

Outputs, all float32:

    action       (1, choices) a logit for each choice, all fields side by side; or
                 (1, fields)  a number from -1 to 1 for each amount, see `policies.flat.actions`
    spread       (1, fields)  standard deviations of the amounts, if they are drawn
    memory_after (1, k)       values to remember; only if the model has a memory

The axis of size 1 is for seats. If its length is variable everywhere (a name instead of a number),
and rows do not affect each other, tournaments query it for many seats at once.

A model is one file, weights included, because the card's sha256 covers only that file. It must not
contain a `Loop`, which might never end. When the model is opened, a trial answer is computed and
timed, with zeros as inputs and all choices open. onnxruntime runs it on the calling thread, and is
imported when the first model is opened.
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

FIRST_SECONDS = 5.0
"""Maximum wall time for the first answer, in seconds; a slower model would never answer in time."""

TIMED = 3  # timed answers
_ELSEWHERE = "session.model_external_initializers_file_folder_path"


@dataclass(frozen=True)
class Shapes:
    """Sizes of the inputs and outputs.

    observation, memory   sizes of the inputs
    action                number of choices of all fields together, or of amounts
    choices               whether the actions are choices
    drawn                 whether the model must output a spread for each amount
    """

    observation: int
    memory: int
    action: int
    choices: bool
    drawn: bool

    @property
    def inputs(self) -> dict[str, int]:
        """Sizes of the inputs that a model may have; `mask` is optional."""
        sizes = {"observation": self.observation}
        sizes |= {"memory": self.memory} if self.memory else {}
        return sizes | ({"mask": self.action} if self.choices else {})

    @property
    def outputs(self) -> dict[str, int]:
        """Sizes of the outputs that a model may have; `spread` is optional unless amounts are
        drawn."""
        sizes = {"action": self.action}
        sizes |= {"memory_after": self.memory} if self.memory else {}
        return sizes | ({} if self.choices else {"spread": self.action})


@dataclass(frozen=True)
class Answer:
    """Outputs of a model for K seats: (K, size) arrays, or None for an output that the model
    lacks."""

    action: Array
    spread: Array | None
    memory: Array | None

    @cached_property
    def finite(self) -> Array:
        """Flags (K,) for the seats whose outputs are all finite."""
        flags = np.isfinite(self.action).all(axis=1)
        for array in (self.spread, self.memory):
            if array is not None:
                flags &= np.isfinite(array).all(axis=1)
        return np.asarray(flags)


class Model:
    """An opened model. Raises a ConfigError that names the file if its shapes differ from `shapes`.

    content    the bytes of the file; None to read the file
    together   whether it can answer for several seats at once
    seconds    wall time of an answer for one seat: the fastest of a few
    """

    def __init__(self, path: Path, shapes: Shapes, content: bytes | None = None) -> None:
        self.path, self.shapes = path, shapes
        self.content = path.read_bytes() if content is None else content
        self._session = _opened(path, self.content)
        taken = _tensors(path, self._session.get_inputs())
        returned = _tensors(path, self._session.get_outputs())
        drawn = {"spread"} if shapes.drawn else set()
        _check(path, "input", taken, shapes.inputs, {"mask"})
        _check(path, "output", returned, shapes.outputs, {"spread"} - drawn)
        self._inputs, self._outputs = list(taken), list(returned)
        self.together = False
        self._try()
        ends = [shape[0] for shape in (*taken.values(), *returned.values())]
        self.together = not any(isinstance(end, int) for end in ends) and self._answers_each()
        self.seconds = self._timed()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the file's bytes for pickling, because another machine may not have the file."""
        return Model, (self.path, self.shapes, self.content)

    def _try(self) -> None:
        """Run the model once, so a failing model is rejected now and the first answer is not
        slow."""
        limits = _runtime().RunOptions()
        timer = threading.Timer(FIRST_SECONDS, setattr, (limits, "terminate", True))
        timer.start()
        try:
            self.check(self.ask(*self._rows(0.0), limits=limits))
        except Exception as error:  # noqa: BLE001  any error of a model
            problem = f"fails on all-zero observations: {error!s:.200}"
            if limits.terminate:
                problem = f"takes more than {FIRST_SECONDS:g} s for an answer"
            raise ConfigError(f"{self.path}: {problem}") from None
        finally:
            timer.cancel()

    def _timed(self) -> float:
        """Return the time of the fastest answer, because a busy machine may slow down the
        others."""
        times = []
        for _ in range(TIMED):
            began = time.perf_counter()
            self.ask(*self._rows(0.0))
            times.append(time.perf_counter() - began)
        return min(times)

    def _answers_each(self) -> bool:
        """Return whether two rows get the same answers together and separately."""
        alone = [self._run(*self._rows(value)) for value in (0.0, 1.0)]
        try:
            answers = self._run(*self._rows(0.0, 1.0))
        except Exception:  # noqa: BLE001  then ask it row by row
            return False
        wanted = [np.concatenate(pair) for pair in zip(*alone, strict=True)]
        return all(
            joint.shape == single.shape and np.allclose(joint, single, equal_nan=True)
            for joint, single in zip(answers, wanted, strict=True)
        )

    def _rows(self, *values: float) -> tuple[Array, Array, Array]:
        """Return rows of constant observations and memories, with all choices open."""
        column, shapes = np.array(values)[:, None], self.shapes
        seen, remembered = (np.repeat(column, n, 1) for n in (shapes.observation, shapes.memory))
        return seen, remembered, np.ones((len(values), shapes.action))

    def ask(self, observation: Array, memory: Array, mask: Array, limits: Any = None) -> Answer:
        """Return the answers for K seats, given their observations, memories and masks, (K, size)
        arrays.

        `limits` are onnxruntime's RunOptions, which can end an answer.
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
        """Raise ValueError if an output contains a number that is not finite."""
        if answer.finite.all():
            return
        outputs = {"action": answer.action, "spread": answer.spread, "memory_after": answer.memory}
        for name, value in outputs.items():
            if value is not None and not np.isfinite(value).all():
                text = f"{value[0].tolist()!r:.60}"
                raise ValueError(f"{self.path.name}: {name} {text}: is not finite")

    def _run(
        self, observation: Array, memory: Array, mask: Array, limits: Any = None
    ) -> list[Array]:
        values = {"observation": observation, "memory": memory, "mask": mask}
        sent = {name: np.asarray(values[name], np.float32) for name in self._inputs}
        outputs: list[Array] = self._session.run(self._outputs, sent, limits)
        return outputs


def _runtime() -> Any:
    """Import onnxruntime with its telemetry switched off."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


def _opened(path: Path, content: bytes) -> Any:
    """Return an onnxruntime session on one thread that does not busy-wait."""
    names = operators(content)
    if not names:  # reject other formats that onnxruntime reads but `operators` cannot
        raise ConfigError(f"{path}: not an ONNX model: it has no operators")
    if "Loop" in names:
        raise ConfigError(f"{path}: the model uses the operator Loop, which may never end")
    onnxruntime = _runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Set the folder of external weights to the model file itself, so that none can be loaded.
    options.add_session_config_entry(_ELSEWHERE, str(path.resolve()))
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001  onnxruntime has no error class
        if "external data" in str(error).lower():
            rule = "weights in another file, which the card does not cover; save it as one file"
            raise ConfigError(f"{path}: {rule}") from None
        raise ConfigError(f"{path}: not an ONNX model: {error!s:.200}") from None


def _tensors(path: Path, declared: list[Any]) -> dict[str, Any]:
    """Return the shape by name; a variable dimension is a name or None instead of a number."""
    for tensor in declared:
        if tensor.type != "tensor(float)":
            raise ConfigError(f"{path}: {tensor.name} is {tensor.type}: should be tensor(float)")
    return {tensor.name: tensor.shape for tensor in declared}


def _check(
    path: Path, role: str, tensors: dict[str, Any], wanted: dict[str, int], optional: set[str]
) -> None:
    for name, shape in tensors.items():
        if name not in wanted:
            raise ConfigError(f"{path}: {role} {name!r}: unknown; one of {', '.join(wanted)}")
        fixed = len(shape) == 2 and isinstance(shape[0], int) and shape[0] != 1
        if len(shape) != 2 or shape[1] != wanted[name] or fixed:
            raise ConfigError(f"{path}: {role} {name} = {shape}: should be [1, {wanted[name]}]")
    for name in wanted.keys() - tensors.keys() - optional:
        raise ConfigError(f"{path}: {role} {name!r}: is missing")
