"""Which script modules a play page loads, so that a browser can ask for all of them at once.

Otherwise it learns of each from the one before: on a slow line that is a second for every step.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

__all__ = ["modules"]

STATIC = Path(__file__).parents[3] / "_static"
_IMPORT = re.compile(r'^import .* from "(\./|\.\./)([\w/]+\.js)";$', re.M)


@lru_cache(maxsize=16)
def modules(game_id: str) -> tuple[str, ...]:
    """Paths under `_static`: the play page's module, the game's stage, and all that they import."""
    names: dict[str, None] = {}
    waiting = ["mixed/play.js", f"{game_id}/stage.js"]
    while waiting:
        name = waiting.pop(0)
        if name not in names:
            names[name] = None
            here = Path(name).parent
            for up, path in _IMPORT.findall((STATIC / name).read_text("utf-8")):
                waiting.append(path if up == "../" else (here / path).as_posix())
    return tuple(names)
