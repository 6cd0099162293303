"""Check that everything people read is translated into the session's language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from mixed_company.language import SOURCE
from mixed_company.language.sources import Text, game_of, lacking, texts
from mixed_company.server.preflight import Finding, go, look, stop
from mixed_company.table.setup import Setup


def of_words(setup: Setup) -> Iterator[Finding]:
    """Yield findings on the project's texts, then on the researcher's."""
    language = setup.options.language
    yield _of_project(language, setup.game.id)
    untranslated = _own(setup)
    if untranslated:
        yield look(
            f"Your own texts cannot be checked for {language}; please check them yourself: "
            f"{', '.join(untranslated)}."
        )


@cache
def _said(game_id: str) -> tuple[Text, ...]:
    """Return a game's texts, and the texts that all games share."""
    return tuple(text for text, places in texts().items() if game_of(places) in ("", game_id))


def _of_project(language: str, game_id: str) -> Finding:
    if language == SOURCE:
        return go(f"People read {language}, the original language of all the project's texts.")
    whole = _said(game_id)
    missing = lacking(language, whole)
    if missing:
        return stop(
            f"{len(missing)} of {len(whole)} texts have no translation into {language} and would "
            f"appear in {SOURCE}, including {missing[0]!r:.60}: run `mixed languages`."
        )
    return go(f"People read {language}: all {len(whole)} texts of this game are translated.")


def _own(setup: Setup) -> list[str]:
    """Return the config keys with texts that people read unchanged in every language."""
    options = setup.options
    worded = [wording for item in options.questions for wording in (item.text, item.options)]
    written = {
        "consent": options.consent,
        "disclosure_text": options.disclosure_text,
        "questions": any(wording and not isinstance(wording, dict) for wording in worded),
        "rules": options.rules,
        "talk_sentences": options.talk_sentences,
        "agents.roles": len(setup.game.config.agents.roles) > 1,
    }
    return [key for key, value in written.items() if value]
