"""Conversion of a command's errors into a one-sentence message and an exit code."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from mixed_company.files import visible

REFUSED = 2
INTERRUPTED = 130
_ROOT = Path(__file__).resolve().parents[2]


def config_error(sentence: str) -> Exception:
    """Return a ConfigError with this message.

    The class is imported here, so that `mixed --help` is fast.
    """
    from mixed_company.engine.contract.errors import ConfigError

    return ConfigError(sentence)


def guarded(command: Callable[[], int]) -> int:
    """Run a command and return its exit code. On an error, print a one-sentence message and return
    REFUSED."""
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError as error:
        if _is_open():
            return _refused(f"a connection was closed: {error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except OSError as error:
        return _refused(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except RecursionError:
        return _refused("the input is nested too deeply")
    except MemoryError:
        return _refused("the input does not fit in this machine's memory")
    except Exception as error:
        from mixed_company.engine.contract.errors import EngineError

        if not isinstance(error, EngineError):
            raise
        return _refused(str(error))
    return code


def _is_open() -> bool:
    """Return whether standard output still has a reader. If it does, a broken pipe came from a
    connection."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # not an operating system file, so not a pipe
        return True
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return not any(event & select.POLLERR for _, event in poll.poll(0))


class Visible:
    """Standard output that escapes control characters (`files.visible`).

    Commands print texts from exports and other files, which may come from anyone.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(visible(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def missing(error: ModuleNotFoundError, name: str, extra: str) -> int:
    """Print which library a command needs and how to install it; return the exit code.

    `extra` is the package's extra that installs it; empty: none. Raises the error again if the
    missing module is part of an installed package.
    """
    library = (error.name or "").partition(".")[0]
    if not library or (_ROOT / library).is_dir() or (_ROOT / f"{library}.py").is_file():
        raise error
    install = f'pip install ".[{extra}]" in the project folder'
    if not extra:
        install = f"pip install {library}"
    return _refused(f"mixed {name} needs {library}, which is not installed: {install}")


def _refused(reason: str) -> int:
    print(visible(reason), file=sys.stderr)
    return REFUSED
