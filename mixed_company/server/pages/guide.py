"""What the pages ask of a game: its guide, found in the files of the game's app.

A game `<id>` that people play in a browser has these files and needs no other. An app, `<id>/`:

    __init__.py      the app as oTree reads it: doc, C, models, functions, page_sequence
    words.py         TITLE, the game's name in English; texts(core), the words of its play page
    instructions.py  sections(game, options): the rules, a list of {title, lines, table, screen}
                     (`server.pages.instructions`)
    scenes.py        scenes(game): screen of the instructions -> numbers for its picture
    quiz.py          quiz(game, options): questions, a list of {name, text, options, right, why}
    stage.py         setting(game, seat): what its picture needs once, before play;
                     derived(game, seat, seen): what follows for a seat from what it has seen, with
                     look_back(core), for how many periods before the present one;
                     counted(game, seat, seen), whole numbers of one period, a list that is added
                     up over the periods of a page's history; tallied(game, counts), what follows
                     from the sum
    results.py       DIGITS after the point of its results; summary(table, log, seat), sentences;
                     details(table, log, seat), tables, a list of {title, heads, rows};
                     picture(table, log, seat), numbers for a picture at the end;
                     prepare(game), what takes long, done when the session is created
    sessions.py      SESSION_CONFIGS, its sessions on oTree's list (`server.sessions`)
    tests.py         oTree's own bots for it (`otree test`)

and pictures, `_static/<id>/`:

    stage.js         draws what it is sent; the head of `_static/mixed/play.js` says what it exports
    stage.css        its style, with the tokens of `_static/mixed/tokens.css`
    picture.svg      what the page Demo shows of it, 180 by 120; may be left out

`scenes` with its file, `derived`, `look_back`, `counted` with `tallied`, `details`, `picture` and
`prepare` may be left out. An app that lacks another of them is named when a server starts, and its
sessions are left out (`server.sessions`). All that is sent to a page is plain JSON. No file of one
app imports another app; every sentence goes through gettext, and is true under every layer and
role: `server.pages.plain` says what they leave as the core has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from mixed_company.engine.game import Game
from mixed_company.language import Words
from mixed_company.server.app_files import FILES, NEEDED, check_names, missing
from mixed_company.table.options import Options
from mixed_company.table.table import Table

__all__ = [
    "STATIC",
    "Counts",
    "Guide",
    "Observation",
    "Question",
    "Row",
    "Section",
    "guide_of",
    "modules",
]

STATIC = Path(__file__).parents[3] / "_static"
_IMPORT = re.compile(r'^import .* from "(\./|\.\./)([\w/]+\.js)";$', re.M)

Section = dict[str, Any]
Question = dict[str, Any]
Row = dict[str, Any]
Counts = Sequence[int]
Observation = Mapping[str, Any]
"""What one seat saw after a period, as plain JSON: None is what is not shown."""


@dataclass(frozen=True)
class Guide:
    """What a game says and shows; the module's docstring says what each part gives."""

    title: str
    texts: Callable[[Any], Words]
    sections: Callable[[Game[Any], Options], list[Section]]
    quiz: Callable[[Game[Any], Options], list[Question]]
    setting: Callable[[Game[Any], int], Row]
    digits: int
    summary: Callable[[Table, list[Row], int], list[str]]
    scenes: Callable[[Game[Any]], dict[str, Row]] = lambda _game: {}
    derived: Callable[[Game[Any], int, Sequence[Observation]], Row] = lambda _game, _seat, _seen: {}
    look_back: Callable[[Any], int] = lambda _core: 0
    counted: Callable[[Game[Any], int, Observation], Counts] = lambda _game, _seat, _seen: ()
    tallied: Callable[[Game[Any], Counts], Row] = lambda _game, _counts: {}
    details: Callable[[Table, list[Row], int], list[Row]] = lambda _table, _log, _seat: []
    picture: Callable[[Table, list[Row], int], Row] = lambda _table, _log, _seat: {}
    prepare: Callable[[Game[Any]], None] = lambda _game: None


@cache
def guide_of(game_id: str) -> Guide:
    """Return the guide of a game. Raises ConfigError that names what its app lacks."""
    parts: dict[str, Any] = {}
    for file, names in FILES.items():
        try:
            content = vars(import_module(f"{game_id}.{file}"))
        except ModuleNotFoundError as error:
            if error.name not in (game_id, f"{game_id}.{file}"):
                raise
            if file not in NEEDED:
                continue
            raise missing(f"{game_id}/{file}.py") from None
        parts |= {part: content[name] for part, name in names.items() if name in content}
        check_names(game_id, file, content)
    return Guide(**parts)


@lru_cache(maxsize=16)
def modules(game_id: str) -> tuple[str, ...]:
    """Return paths under `_static`: the play page's module, the stage of a game, and their imports.

    A page names them, so that a browser can ask for all of them at once. Otherwise it learns of
    each from the one before: on a slow line that is a second for every step.
    """
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
