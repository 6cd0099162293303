"""Write all measures as a document, by subject: docs/measures.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby

from mixed_company import engine
from mixed_company.analysis import measures
from mixed_company.analysis.measures import plays
from mixed_company.analysis.measures.declaring import Measure
from mixed_company.engine.contract.errors import UnknownName, nearest, short

_HEAD = """# Measures

`mixed measures` writes this page from the docstrings of the measures. Each measure is a column of
`measures.groups(data)`, `measures.people(data)` or `measures.periods(data)`, depending on its
level: group, person (a seat; bots also have rows, with `person` False) or period. A value
that is undefined is NaN, never 0; *missing* says when that happens. The [codebook](codebook.md)
describes the columns that formulas use.
"""


def document(games: Sequence[str] = ()) -> str:
    """Return the measures of these games, or of all, as Markdown. Raises UnknownName."""
    for game in games:
        if game not in engine.game_ids():
            raise UnknownName(f"game = {short(game)}{nearest(game, engine.game_ids())}")
    chosen = [
        measure for measure in measures.declared() if not games or set(games) & set(measure.games)
    ]
    parts = [_HEAD, "\n" + "\n".join(str(plays.__doc__).splitlines()[2:]) + "\n"]
    for subject, measures_of_it in groupby(chosen, key=_subject):
        listed = list(measures_of_it)
        parts.append(f"\n## {subject.capitalize()}\n\n{_about(subject, listed)}\n")
        names = Counter(measure.name for measure in listed)
        parts += [_written(measure, names[measure.name] > 1) for measure in listed]
    return "".join(parts)


def _subject(measure: Measure) -> str:
    return measure.function.split(".")[-2]


def _about(subject: str, listed: Sequence[Measure]) -> str:
    """Return the docstring of the subject's module for all games or, if there is none, those of its
    modules for single games."""
    general = f"{measures.__name__}.{subject}"
    modules = dict.fromkeys(measure.function.rpartition(".")[0] for measure in listed)
    names = [general] if find_spec(general) is not None else list(modules)
    return "\n\n".join(str(import_module(name).__doc__).strip() for name in names)


def _written(measure: Measure, is_repeated: bool) -> str:
    """Return the section of a measure; `is_repeated` puts games and levels into its heading."""
    of = "all games" if len(measure.games) == len(engine.game_ids()) else ", ".join(measure.games)
    unit = measure.unit + (f"; higher means {measure.higher_is}" if measure.higher_is else "")
    tested = f"- not tested: {measure.untested}\n" if measure.untested else ""
    if measure.same_as:
        others = ", ".join(f"`{name}`" for name in measure.same_as)
        tested += f"- not tested together with {others} if it is the same on another scale\n"
    where = f" ({', '.join(measure.levels)}; {of})" if is_repeated else ""
    return f"""
### `{measure.name}`{where}

{measure.meaning}

- of: {", ".join(measure.levels)}; {of}
- unit: {unit}
- formula: {measure.formula}
- missing: {measure.missing}
- source: {measure.source}
- function: `{measure.function}`
{tested}"""
