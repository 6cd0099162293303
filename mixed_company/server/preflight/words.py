"""Whether everything that people read is there in the language of the session."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from mixed_company.language import SOURCE
from mixed_company.language.lacking import lacking
from mixed_company.language.sources import Text, game_of, texts
from mixed_company.server.preflight import Finding, go, look, stop
from mixed_company.table.setup import Setup

__all__ = ["of_words"]


def of_words(setup: Setup) -> Iterator[Finding]:
    """Say so of the project's texts, then of the researcher's."""
    language = setup.options.language
    yield _of_project(language, setup.game.id)
    own = _own(setup)
    if own:
        yield look(
            f"Whether your own texts are in {language} cannot be known, read them: "
            f"{', '.join(own)}."
        )


@cache
def _said(game_id: str) -> tuple[Text, ...]:
    """Return the texts of a game, and those that games share."""
    return tuple(text for text, places in texts().items() if game_of(places) in ("", game_id))


def _of_project(language: str, game_id: str) -> Finding:
    if language == SOURCE:
        return go(f"People read {language}, in which all texts of the project are written.")
    whole = _said(game_id)
    missing = lacking(language, whole)
    if missing:
        return stop(
            f"{len(missing)} of {len(whole)} texts are not there in {language}, people would read "
            f"them in {SOURCE}, {missing[0]!r:.60} among them: run `mixed languages`."
        )
    return go(f"People read {language}: all {len(whole)} texts of this game are there.")


def _own(setup: Setup) -> list[str]:
    """Return the keys with texts for people that are the same in every language."""
    options = setup.options
    worded = [given for item in options.questions for given in (item.text, item.options)]
    written = {
        "consent": options.consent,
        "disclosure_text": options.disclosure_text,
        "questions": any(given and not isinstance(given, dict) for given in worded),
        "rules": options.rules,
        "talk_sentences": options.talk_sentences,
        "agents.roles": len(setup.game.config.agents.roles) > 1,
    }
    return [key for key, value in written.items() if value]
