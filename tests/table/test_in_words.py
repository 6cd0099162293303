"""Rejections of actions are worded in the session's language."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.engine import ActionError
from mixed_company.table import protocol


def refusal(**action: object) -> ActionError:
    play = engine.Episode(engine.make("commons_game", archetype="lab"), seed=1)
    with pytest.raises(ActionError) as caught:
        play.allowed(0).plain(action)
    return caught.value


def test_the_sent_value_stays_and_the_rule_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    german = {"must be a number": "muss eine Zahl sein", "unknown{hint}": "unbekannt{hint}"}
    monkeypatch.setattr(protocol, "_", lambda text: german.get(text, text))
    wrong = refusal(harvest="viel", contribution=0)
    assert protocol.in_words(wrong) == "harvest = 'viel': muss eine Zahl sein"
    unknown = refusal(harvest=1, contribution=0, harvst=2)
    sentence = "action field 'harvst': unbekannt; did you mean 'harvest'?"
    assert protocol.in_words(unknown) == sentence


def test_without_a_translation_it_is_the_message_itself() -> None:
    wrong = refusal(harvest=float("nan"), contribution=0)
    assert protocol.in_words(wrong) == str(wrong) == "harvest = nan: must be a finite number"
