"""Catalogues as people write them (`.po`): brought up to the sources, looked at, and made into what
is read in a session (`.mo`).

A language is spoken once its catalogue lacks none of the texts that games share. A game of which
it lacks a text is not played in it: others are.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from mixed_company.language.catalogue import FOLDER, LACKS, file_of
from mixed_company.language.sources import Text, game_of

__all__ = ["begin", "compiled", "faults", "games_at_fault", "known", "read", "update"]

_GAP = re.compile(r"\{(\w+)\}")
WIDTH = 100
SHARED = "all games"
_HEAD = "# Mixed Company.\n# Words: period, seat, stand-in, harvest ... (see those of de.po)"


def known() -> list[str]:
    """The languages that somebody has begun to translate into."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def read(code: str) -> Catalog:
    """The catalogue of a language."""
    with file_of(code, "po").open("rb") as file:
        return read_po(file, locale=code)


def begin(code: str) -> None:
    """An empty catalogue for a language. Raises ValueError for a code that names none."""
    catalog = Catalog(locale=code, project="Mixed Company", fuzzy=False)
    catalog.header_comment, catalog.msgid_bugs_address = _HEAD, ""
    _write(code, catalog)


def update(code: str, sources: dict[Text, list[str]]) -> Catalog:
    """Bring a catalogue up to the sources: what is new is empty, what is gone is dropped.

    Makes the file that is read in a session, and names in it the games of which texts are at
    fault. Removes it where a text that games share is.
    """
    template = Catalog()
    for text, places in sources.items():
        template.add(text.id, locations=[(place, 0) for place in places])
    catalog = read(code)
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    _write(code, catalog)
    at_fault = games_at_fault(catalog, sources)
    if SHARED in at_fault:
        file_of(code, "mo").unlink(missing_ok=True)
    else:
        file_of(code, "mo").write_bytes(compiled(catalog, at_fault))
    return catalog


def games_at_fault(catalog: Catalog, sources: dict[Text, list[str]]) -> list[str]:
    """Return the games of which a text is at fault; SHARED, if one is that games share."""
    wrong = [
        text for text in sources if not _has(catalog, text) or any(_gaps(catalog.get(text.id)))
    ]
    return sorted({game_of(sources[text]) or SHARED for text in wrong})


def _write(code: str, catalog: Catalog) -> None:
    path: Path = file_of(code, "po")
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=WIDTH, include_lineno=False)


def compiled(catalog: Catalog, lacks: Iterable[str] = ()) -> bytes:
    """Return the file that a server reads, in which the games stand that the catalogue lacks."""
    buffer = io.BytesIO()
    games = " ".join(sorted(lacks))
    if games:
        catalog.add(LACKS, games)
    write_mo(buffer, catalog)
    if games:
        catalog.delete(LACKS)
    return buffer.getvalue()


def faults(catalog: Catalog, sources: Sequence[Text]) -> list[str]:
    """What is wrong with a catalogue, a sentence each: texts it lacks, that nobody says any more,
    and that have other gaps than in English."""
    missing = [f"{text.one!r}: is not translated" for text in sources if not _has(catalog, text)]
    ids = {text.one for text in sources}
    own = [message for message in catalog if message.id]
    unsaid = (_first(message) for message in own if _first(message) not in ids)
    stale = [f"{text!r}: nobody says it" for text in unsaid]
    return [*missing, *stale, *(fault for message in own for fault in _gaps(message))]


def _has(catalog: Catalog, text: Text) -> bool:
    message = catalog.get(text.id)
    if message is None or message.fuzzy or (message.pluralizable != bool(text.many)):
        return False
    return all(_forms(message)) and (not text.many or len(message.string) == catalog.num_plurals)


def _first(message: Message) -> str:
    return str(message.id[0] if message.pluralizable else message.id)


def _forms(message: Message) -> Sequence[str]:
    return message.string if message.pluralizable else (message.string,)


def _gaps(message: Message) -> Iterator[str]:
    """Forms whose gaps differ; the one for a single thing may do without the number, `{n}`."""
    ids = message.id if message.pluralizable else (message.id,)
    needed = {gap for one in ids for gap in _GAP.findall(one)}
    optional = {"n"} if message.pluralizable else set()
    for form in filter(None, _forms(message)):
        gaps = set(_GAP.findall(form))
        if gaps - needed or needed - gaps - optional:
            yield f"{form!r}: has the gaps {sorted(gaps)}, the English text {sorted(needed)}"
