"""Catalogues that people edit (`.po`): updating from the sources, checking, and compiling (`.mo`).

A language is available once its catalogue contains every text that games share. A game with an
untranslated text cannot be played in that language, but other games can.
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

_GAP = re.compile(r"\{(\w+)\}")
WIDTH = 100
SHARED = "all games"
_HEAD = "# Mixed Company.\n# Words: period, seat, stand-in, harvest ... (see those of de.po)"


def known() -> list[str]:
    """Return the languages that have a catalogue, even an incomplete one."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def read(code: str) -> Catalog:
    """Read the editable catalogue of a language."""
    with file_of(code, "po").open("rb") as file:
        return read_po(file, locale=code)


def begin(code: str) -> None:
    """Write an empty catalogue for a language. Raises ValueError for a code that is not a language
    code."""
    catalog = Catalog(locale=code, project="Mixed Company", fuzzy=False)
    catalog.header_comment, catalog.msgid_bugs_address = _HEAD, ""
    _write(code, catalog)


def update(code: str, sources: dict[Text, list[str]]) -> Catalog:
    """Update a catalogue from the sources: new texts are empty, and unused texts are dropped.

    Also compiles the catalogue, with the names of games that have faulty texts. If a text that
    games share is faulty, the compiled file is removed instead.
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
    """Return the games that have a faulty text, plus SHARED if games share a faulty text."""
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
    """Return the compiled catalogue, with the names of the games that are not fully translated."""
    buffer = io.BytesIO()
    games = " ".join(sorted(lacks))
    if games:
        catalog.add(LACKS, games)
    write_mo(buffer, catalog)
    if games:
        catalog.delete(LACKS)
    return buffer.getvalue()


def faults(catalog: Catalog, sources: Sequence[Text]) -> list[str]:
    """Return a sentence for each fault in a catalogue: missing texts, texts no longer used, and
    wrong placeholders."""
    untranslated = [text.singular for text in sources if not _has(catalog, text)]
    missing = [f"{text!r}: not translated" for text in untranslated]
    ids = {text.singular for text in sources}
    messages = [message for message in catalog if message.id]
    unused = (_first(message) for message in messages if _first(message) not in ids)
    stale = [f"{text!r}: not used in the sources" for text in unused]
    return [*missing, *stale, *(fault for message in messages for fault in _gaps(message))]


def _has(catalog: Catalog, text: Text) -> bool:
    message = catalog.get(text.id)
    if message is None or message.fuzzy or (message.pluralizable != bool(text.plural)):
        return False
    return all(_forms(message)) and (not text.plural or len(message.string) == catalog.num_plurals)


def _first(message: Message) -> str:
    return str(message.id[0] if message.pluralizable else message.id)


def _forms(message: Message) -> Sequence[str]:
    return message.string if message.pluralizable else (message.string,)


def _gaps(message: Message) -> Iterator[str]:
    """Yield a fault for each form whose placeholders differ; the singular may omit the number,
    `{n}`."""
    ids = message.id if message.pluralizable else (message.id,)
    needed = {gap for text in ids for gap in _GAP.findall(text)}
    optional = {"n"} if message.pluralizable else set()
    for form in filter(None, _forms(message)):
        gaps = set(_GAP.findall(form))
        if gaps - needed or needed - gaps - optional:
            yield (
                f"{form!r}: has the placeholders {sorted(gaps)}, "
                f"the English text has {sorted(needed)}"
            )
