"""The keys of agents from outside: an environment variable, or the file that it names.

    export MIXED_AGENTS="gpt=YOUR-KEY, other=ANOTHER-KEY"
    export MIXED_AGENTS=/etc/mixed/agents.txt       a line of it: gpt=YOUR-KEY

They stand in no session config, and so in no export.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Mapping
from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError, short

__all__ = ["LEAST", "VARIABLE", "is_key", "keys", "read"]

VARIABLE = "MIXED_AGENTS"
LEAST = 16
"""Characters of a key: fewer could be guessed."""


def read(text: str) -> dict[str, str]:
    """name -> key. Raises ConfigError, which never has a key in it."""
    text = text.strip()
    if text and "=" not in text:
        text = _content(text)
    known: dict[str, str] = {}
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for part in (part.strip() for line in lines for part in re.split(r",\s*", line)):
        if not part:
            continue
        name, is_pair, key = (word.strip() for word in part.partition("="))
        if not is_pair or not name:
            raise ConfigError(f"{VARIABLE}: one part is not name=key")
        if len(key) < LEAST:
            raise ConfigError(
                f"{VARIABLE}: the key of {short(name)} has {len(key)} characters: at least {LEAST}"
            )
        if name in known:
            raise ConfigError(f"{VARIABLE}: {short(name)} has two keys")
        known[name] = key
    return known


def _content(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{VARIABLE}: the file {path!r:.100} cannot be read: {error}") from None


def keys(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Those of this process, as its environment has them. Raises ConfigError."""
    return read((os.environ if variables is None else variables).get(VARIABLE, ""))


def is_key(known: Mapping[str, str], name: str, key: str) -> bool:
    """Is this the key of that agent? It takes as long whatever is wrong with it."""
    right = known.get(name, "")
    same = hmac.compare_digest(right.encode(), key.encode(errors="replace"))
    return same and name in known
