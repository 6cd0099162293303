"""Keys of outside agents: in an environment variable, or in a file that the variable names.

    export MIXED_AGENTS="gpt=YOUR-KEY, other=ANOTHER-KEY"
    export MIXED_AGENTS=/etc/mixed/agents.txt       with lines such as: gpt=YOUR-KEY

Keys are not part of session configs, so exports do not contain them.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Mapping
from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError, short

VARIABLE = "MIXED_AGENTS"
LEAST = 16
"""Minimum length of a key; a shorter one could be guessed."""


def read(text: str) -> dict[str, str]:
    """Parse the keys and return name -> key. Raises a ConfigError with a message that never
    contains a key.
    """
    text = text.strip()
    if text and "=" not in text:
        text = _content(text)
    keys: dict[str, str] = {}
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for part in (part.strip() for line in lines for part in re.split(r",\s*", line)):
        if not part:
            continue
        name, is_pair, key = (word.strip() for word in part.partition("="))
        if not is_pair or not name:
            raise ConfigError(f"{VARIABLE}: every entry should be name=key")
        if len(key) < LEAST:
            raise ConfigError(
                f"{VARIABLE}: the key of {short(name)} has {len(key)} characters; "
                f"at least {LEAST} are required"
            )
        if name in keys:
            raise ConfigError(f"{VARIABLE}: {short(name)} has two keys")
        keys[name] = key
    return keys


def _content(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{VARIABLE}: the file {path!r:.100} cannot be read: {error}") from None


def keys(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the keys set in this process's environment. Raises ConfigError."""
    return read((os.environ if variables is None else variables).get(VARIABLE, ""))


def is_key(keys: Mapping[str, str], name: str, key: str) -> bool:
    """Return whether this is that agent's key. The check takes the same time for any wrong key."""
    right = keys.get(name, "")
    same = hmac.compare_digest(right.encode(), key.encode(errors="replace"))
    return same and name in keys
