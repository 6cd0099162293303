"""A model's treatment: a prompt file with instructions in addition to the game's own, and settings
for questions.

    name = "universal"
    persona = "You are a fisher in this village."
    chain_of_thought = true
    universalisation = "Think of what would follow if everybody did as you do."
    memory = "transcript"           # or "summary": the model writes its own notes
    remember = 10                   # periods of a transcript
    response_format = "tools"       # or "json_schema", "json_object", "text"
    temperature = 0.7
    seed = 1                        # every call gets a different seed, derived from this one
    max_tokens = 400                # per answer

All keys except `name` are optional. `mixed_company/agents/llm/prompts` contains three such files.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from mixed_company import files
from mixed_company.agents.llm.model import Format
from mixed_company.engine.contract.errors import ConfigError, nearest

PROMPTS = Path(__file__).parent / "prompts"


@dataclass(frozen=True)
class Treatment:
    """Content of a prompt file. See the module's docstring."""

    name: str
    persona: str = ""
    chain_of_thought: bool = False
    universalisation: str = ""
    memory: Literal["transcript", "summary"] = "transcript"
    remember: int = 10
    response_format: Format = "json_schema"
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None

    def sampling(self, call: str) -> dict[str, float]:
        """Return the numbers that are sent with a call.

        `call` is the call's name within the run. Its seed is derived from the name. Otherwise,
        identical questions in several plays would get identical answers.
        """
        digest = hashlib.sha256(f"{self.seed}/{call}".encode()).digest()
        seed = None if self.seed is None else int.from_bytes(digest[:4]) >> 1
        numbers = {
            "temperature": self.temperature,
            "seed": seed,
            "max_tokens": self.max_tokens,
        }
        return {name: number for name, number in numbers.items() if number is not None}


def read(path: str) -> Treatment:
    """Read a prompt file, or a file of PROMPTS by its name.

    Raises a ConfigError that names the key.
    """
    shipped = {file.stem: file for file in PROMPTS.glob("*.toml")}
    file = shipped.get(path, Path(path))
    try:
        data = files.toml(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {error}{nearest(path, shipped)}") from None
    return checked(file, data)


_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "bool": ((bool,), "true or false"),
    "int": ((int,), "a whole number"),
    "int | None": ((int,), "a whole number"),
    "float | None": ((int, float), "a number"),
}
"""Types that a key accepts, and a name for them, by the key's annotation; all other keys take
text."""

_LEAST = {"remember": 0, "temperature": 0, "seed": 0, "max_tokens": 1}
_LISTS = {"memory": ("transcript", "summary"), "response_format": get_args(Format)}


def checked(file: Path, data: dict[str, Any]) -> Treatment:
    """Return the treatment that a file's data describe. Raises a ConfigError that names the
    key."""
    kinds = {field.name: str(field.type) for field in fields(Treatment)}
    for key, value in data.items():
        if key not in kinds:
            raise ConfigError(f"{file}: {key}: unknown key{nearest(key, kinds)}")
        types, wanted = _TYPES.get(kinds[key], ((str,), "text"))
        if type(value) not in types:
            pass
        elif key in _LISTS and value not in _LISTS[key]:
            wanted = f"one of {', '.join(_LISTS[key])}"
        elif key in _LEAST and not value >= _LEAST[key]:
            wanted = f"at least {_LEAST[key]}"
        else:
            continue
        raise ConfigError(f"{file}: {key} = {value!r:.40}: should be {wanted}")
    return Treatment(**{"name": file.stem, **data})
