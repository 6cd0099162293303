"""Treatment of a model: a prompt file with instructions in addition to those of the game.

    name = "universal"
    persona = "You are a fisher of this village."
    chain_of_thought = true
    universalisation = "Think of what would follow if everybody did as you do."
    memory = "transcript"           # or "summary": the model writes its own notes
    remember = 10                   # periods of a transcript

All keys except `name` are optional. `mixed_company/agents/llm/prompts` has three such files.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from mixed_company import files
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
    return _checked(file, data)


def _checked(file: Path, data: dict[str, Any]) -> Treatment:
    kinds = {field.name: field.type for field in fields(Treatment)}
    for key, value in data.items():
        if key not in kinds:
            raise ConfigError(f"{file}: {key}: unknown key{nearest(key, kinds)}")
        wanted = {"bool": bool, "int": int}.get(str(kinds[key]), str)
        if type(value) is not wanted:
            raise ConfigError(f"{file}: {key} = {value!r:.40}: should be {wanted.__name__}")
    treatment = Treatment(**{"name": file.stem, **data})
    if treatment.memory not in ("transcript", "summary"):
        raise ConfigError(f"{file}: memory = {treatment.memory!r}: should be transcript or summary")
    if treatment.remember < 0:
        raise ConfigError(f"{file}: remember = {treatment.remember}: should be at least 0")
    return treatment
