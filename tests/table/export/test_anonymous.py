"""Personal data: every column declares whether it is personal, and how its values are
anonymised."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.table.export import (
    LEFT_OUT,
    OPTIONAL,
    TABLES,
    Anonymous,
    Column,
    columns,
    is_anonymous,
    spread,
)
from mixed_company.table.export.archive import Writer
from mixed_company.table.export.column import Personal
from mixed_company.table.export.participants import participant_columns

KEYED = Anonymous(b"a key of 32 bytes, as long as it.")
IMPERSONAL = {
    *("session", "group_id", "treatment", "occupant", "policy_id", "decided_by", "ended"),
    *("reason", "event", "status", "disclosure", "quiz_log", "consented", "when", "question"),
    "practice_log",
    *("type", "session_config", "game", "version", "config", "rule", "rules", "options"),
    *("software", "block", "matching_group", "digest", "reported_by", "kind"),
}
"""Text columns from rules, settings or lists, in which nobody can write free text."""


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_column_of_text_is_declared_personal_or_known_not_to_be(game_id: str) -> None:
    game = engine.make(game_id)
    for table in (*TABLES, *OPTIONAL):
        for column in columns(table, game):
            if column.type == "text":
                impersonal = column.name in IMPERSONAL
                assert impersonal == (column.personal is None), f"{table}.{column.name}"


def test_every_column_of_the_table_of_all_games_is_declared() -> None:
    for column in participant_columns(3):
        if column.type == "text":
            impersonal = column.name in {*IMPERSONAL, "app"}
            assert impersonal == (column.personal is None), column.name


def changed(personal: Personal, value: Any, anonymous: Anonymous = KEYED, **row: Any) -> Any:
    column = Column("value", "text", "a value", personal=personal)
    [written] = anonymous.rows(spread([column]), [{"value": value, **row}])
    assert anonymous.texts or is_anonymous(column, written)
    return written["value"]


def test_a_code_is_text_in_any_spreadsheet_and_follows_from_value_and_key() -> None:
    codes = {changed(Personal.CODE, str(number)) for number in range(1000)}
    assert len(codes) == 1000
    assert all(re.fullmatch(r"k[a-z2-7]{16}", code) for code in codes)
    assert changed(Personal.CODE, "7") == KEYED.code("7") != Anonymous(b"other").code("7")
    assert changed(Personal.CODE, "Zoë 7") == KEYED.code("Zoë 7")
    assert changed(Personal.CODE, "") == ""


def test_the_names_of_parameters_stay() -> None:
    parameters = json.dumps({"PROLIFIC_PID": "5f3c", "STUDY": ""})
    kept = json.loads(changed(Personal.PARAMETERS, parameters))
    assert kept == {"PROLIFIC_PID": KEYED.code("5f3c"), "STUDY": ""}


@pytest.mark.parametrize(
    ("event", "detail", "kept"),
    [
        ("message", {"text": "Hello"}, {"text": LEFT_OUT}),
        ("policy_fault", {"detail": "KeyError: 'Hello'"}, {"detail": LEFT_OUT}),
        ("talk_fault", {"detail": "KeyError: 'Hello'"}, {"detail": LEFT_OUT}),
        ("ending", {"detail": "horizon"}, {"detail": "horizon"}),
        ("resumed", {"stood_ms": 7}, {"stood_ms": 7}),
    ],
)
def test_the_words_of_an_event_are_left_out_and_its_numbers_stay(
    event: str, detail: dict[str, Any], kept: dict[str, Any]
) -> None:
    text = changed(Personal.WORDS, json.dumps(detail), event=event)
    assert json.loads(text) == kept
    assert changed(Personal.WORDS, "", event=event) == ""


def test_a_text_that_should_be_json_is_left_out_if_it_is_not() -> None:
    for kind in (Personal.WORDS, Personal.PARAMETERS, Personal.ENTRY):
        assert changed(kind, "[[", event="message") == LEFT_OUT


def test_only_answers_in_own_words_are_left_out() -> None:
    assert changed(Personal.ANSWER, "I think", type="text") == LEFT_OUT
    assert changed(Personal.ANSWER, "yes", type="choice") == "yes"
    assert changed(Personal.ANSWER, "", type="text") == ""


def test_requested_texts_stay_and_codes_remain_codes() -> None:
    texts = Anonymous(KEYED.key, texts=True)
    assert changed(Personal.TEXT, "Hello", texts) == "Hello"
    assert changed(Personal.TEXT, "Hello") == LEFT_OUT
    assert changed(Personal.CODE, "p-17", texts) == KEYED.code("p-17")


def test_codes_are_told_from_other_values() -> None:
    label = Column("label", "text", "a label", personal=Personal.CODE)
    managed = Column("managed", "text", "what was done", personal=Personal.WORDS)
    assert not is_anonymous(label, {"label": "p-17"})
    assert not is_anonymous(label, {"label": KEYED.code("p-17").upper()})
    assert not is_anonymous(managed, {"managed": "{ no JSON"})
    assert not is_anonymous(managed, {"managed": '[{"text": "Hello"}]'})


def test_an_archive_without_personal_data_says_nothing_about_it() -> None:
    file = io.BytesIO()
    with Writer(file, {}) as archive:
        archive.table(
            "commons_game", "outcomes", columns("outcomes", engine.make("commons_game")), []
        )
    assert "anonymous" not in json.loads(zipfile.ZipFile(file).read("manifest.json"))
