"""Collect texts for translation, and list texts that are not yet translated.

For each existing language, and for new languages that you name, this command writes
mixed_company/language/catalogues/<code>.po, in which new texts are untranslated. It also compiles
the file that a server reads. A session can use a language only if all texts of its game, and all
texts that games share, are translated.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mixed_company.cli.command import Group

GROUP = Group.SESSIONS
EXTRA = "translation"
EXAMPLES = ("mixed languages", "mixed languages it")


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "languages", nargs="*", metavar="language", help="new language to start, such as it or pt"
    )


def run(chosen: Namespace) -> int:
    """Update all catalogues; return 1 if one of them is incomplete."""
    from mixed_company.engine.contract.errors import UnknownName
    from mixed_company.language import translating
    from mixed_company.language.sources import texts

    for code in set(chosen.languages) - set(translating.known()):
        try:
            translating.begin(code)
        except ValueError:
            raise UnknownName(
                f"language {code!r}: unknown; use a code such as 'it' or 'pt_BR'"
            ) from None
    sources, whole = texts(), True
    for code in translating.known():
        catalog = translating.update(code, sources)
        faults = translating.faults(catalog, list(sources))
        print(f"{code}: {len(sources)} texts, {len(faults)} to fix")
        print(*(f"  {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
        refused = translating.games_at_fault(catalog, sources)
        if refused:
            print(f"  not available in {code} until then: {', '.join(refused)}")
        whole = whole and not faults
    return 0 if whole else 1
