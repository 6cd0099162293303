"""The text of what people agree to, which a session can name a file for."""

from __future__ import annotations

from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError

__all__ = ["consent_text"]

_FILE = ".txt"


def consent_text(given: str) -> str:
    """The text of `consent`: a name that ends with .txt is that of a file below this folder.

    Raises ConfigError where it is not there.
    """
    name = given.strip()
    if not name.endswith(_FILE) or len(name.split()) > 1:
        return given
    folder = Path.cwd().resolve()
    file = (folder / name).resolve()
    if not file.is_relative_to(folder) or not file.is_file():
        raise ConfigError(f"consent = {name!r:.80}: there is no such file in {folder}")
    try:
        return file.read_text("utf-8").strip()
    except UnicodeDecodeError:
        raise ConfigError(f"consent = {name!r:.80}: is no text in UTF-8") from None
