"""Guide of a game: the interface between the shared pages and the files of the game's app.

A game `<id>` that people play in a browser needs these files; an app can have further modules that
several of its files share. An app, `<id>/`:

    __init__.py      the app as oTree reads it: doc, C, models, functions, page_sequence
    words.py         TITLE, the game's name in English; texts(core), the texts of the play page
    instructions.py  sections(game, options): the rules, a list of {title, lines, table, screen}
                     (`server.pages.instructions`)
    scenes.py        scenes(game): screen of the instructions -> numbers for its picture
    quiz.py          quiz(game, options): questions, a list of {name, text, options, right, why}
    stage.py         setting(game, seat): data for the picture, sent once before play; derived(game,
                     seat, seen): values derived from what a seat has seen, with look_back(core),
                     the number of earlier periods that they need; counted(game, seat, seen), a list
                     of whole numbers for one period, which are summed over the periods of a page's
                     history; tallied(game, counts), values derived from the sum
    results.py       DIGITS shown after the decimal point; summary(table, log, seat), sentences;
                     details(table, log, seat), tables, a list of {title, heads, rows};
                     picture(table, log, seat), numbers for a picture at the end, and for the chart
                     of points `course` (`server.pages.results.course`);
                     prepare(game), slow computations to be done when the session is created
    sessions.py      SESSION_CONFIGS, its sessions on oTree's list (`server.sessions`)
    tests.py         oTree's own bots for it (`otree test`)

and pictures, `_static/<id>/`:

    stage.js         draws the data; the head of `_static/mixed/play.js` lists its exports
    stage.css        style of the drawing, using the tokens in `_static/mixed/tokens.css`
    picture.svg      picture of the game on the Demo page, 180 by 120; optional

`scenes` with its file, `derived`, `look_back`, `counted` with `tallied`, `details`, `picture` and
`prepare` are optional. If an app lacks any other file, the server logs the file's name when it
starts and omits the app's sessions (`server.sessions`). All data for pages is plain JSON. No app
imports another app. Every sentence goes through gettext and must be true with every layer and role;
`server.pages.plain` reports which of the core's rules are left unchanged by layers and roles.
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

STATIC = Path(__file__).parents[3] / "_static"
_IMPORT = re.compile(r'^import .* from "(\./|\.\./)([\w/]+\.js)";$', re.M)

Section = dict[str, Any]
Question = dict[str, Any]
Row = dict[str, Any]
Counts = Sequence[int]
Observation = Mapping[str, Any]
"""Observation of one seat after a period, as plain JSON; None marks a hidden value."""


@dataclass(frozen=True)
class Guide:
    """A game's texts and pictures; the module's docstring describes each part."""

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
    """Return the guide of a game. Raises ConfigError if its app lacks a file or name."""
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
    """Return the paths under `_static` of a play page's scripts: play.js, stage.js and their
    imports. A page lists the scripts so that a browser can fetch them in parallel. Otherwise the
    browser would discover one import after another, which takes a second per step on a slow
    connection.
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
