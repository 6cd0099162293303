"""An export is compared with the sealed plans of the project in which it is checked."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis import reading
from mixed_company.analysis.audit.promised import not_as_planned, when_sealed
from mixed_company.analysis.data import Data
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import sealing
from mixed_company.experiment.digests import of_plan, parts_of
from mixed_company.experiment.treatments import own_seed
from mixed_company.table.stored import digest_of
from tests.analysis.audit.faults import edited, planted
from tests.analysis.planned.made import (
    CHOSEN,
    MEAN_HARVEST,
    MOOD,
    TEXT,
    content,
    export,
    sealed,
)
from tests.experiment.planned import SMALL, plan


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a sealed plan, and an export of a session that followed the plan."""
    seal = sealed(plan(TEXT))
    (tmp_path / "plans").mkdir()
    text = json.dumps(seal.model_dump(mode="json"))
    (tmp_path / "plans/small.seal.json").write_text(text, encoding="utf-8")
    analysis.save(export(), tmp_path / "export.zip")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_export_of_the_sealed_plan_is_as_promised(project):
    assert not_as_planned("export.zip", project / "plans") == []
    assert main(["check", "export.zip"]) == 0


def test_a_treatment_that_differs_from_the_seal_is_named(project, capsys):
    analysis.save(export(decision_seconds=46.0), "export.zip")
    assert main(["check", "export.zip"]) == 1
    lines = capsys.readouterr().out.splitlines()[-3:-1]
    assert lines == [
        f"manifest.json: sessions: plan1: plan: treatment {name} is not as sealed in "
        "plans/small.seal.json"
        for name in ("open", "pool")
    ]


@pytest.mark.parametrize("column", ["config", "options"])
def test_a_missing_column_of_rules_is_named_if_the_seal_is_there(project, capsys, column):
    """The rules that were played are unknown, so the treatments differ from the seal."""

    def change(rows: list[list[str]]) -> None:
        place = rows[0].index(column)
        for row in rows:
            del row[place]

    planted(project / "export.zip", project / "bad.zip", "config", change, remade=True)
    assert main(["check", "bad.zip"]) == 1
    assert f"{column}" in capsys.readouterr().out


def test_a_plan_without_a_seal_and_a_rehearsal_are_not_compared(project):
    data = export(decision_seconds=46.0)
    data.manifest["rehearsed"] = {"people": ["random"], "seed": 7}
    analysis.save(data, "rehearsed.zip")
    assert not_as_planned("rehearsed.zip", project / "plans") == []
    analysis.save(export(decision_seconds=46.0), "export.zip")
    assert [problem.kind for problem in not_as_planned("export.zip", project)] == ["unknown"]


def changed(project: Path, **entries: Any) -> list[str]:
    """Return the differences from the plan after the plan's entry is changed and its digest
    recomputed."""
    data = export()
    [session] = data.manifest["sessions"].values()
    session["plan"] |= entries
    session["plan"]["digest"] = of_plan(session["plan"])
    analysis.save(data, "export.zip")
    problems = not_as_planned("export.zip", project / "plans")
    return [problem.what.removeprefix("sessions: plan1: plan: ") for problem in problems]


SEALED = "as sealed in plans/small.seal.json"
KEYS: list[tuple[dict[str, Any], str]] = [
    ({"plan": "0" * 64}, f"its text is not {SEALED}"),
    (
        {"assignment": "arrival"},
        f'assignment: planned "balanced", in the manifest "arrival", which is not {SEALED}',
    ),
    (
        {"money": {"participation_fee": 9.0, "real_world_currency_per_point": 0.1}},
        f"money.participation_fee: planned 2.0, in the manifest 9.0, which is not {SEALED}",
    ),
]


@pytest.mark.parametrize(("entries", "sentence"), KEYS)
def test_every_entry_that_differs_from_the_seal_is_named(project, entries, sentence):
    [message] = changed(Path(), **entries)
    assert message == sentence


def test_a_plan_written_after_the_data_does_not_hide_the_other_seal(project, capsys):
    """The new plan tests one hypothesis, and its seal has an earlier time."""
    late = sealed(plan(TEXT), "1970-01-02T00:00:00+00:00")
    (project / "plans/small.seal.json").write_text(late.text, encoding="utf-8")
    assert not_as_planned("export.zip", Path("plans")) == []
    text = content(plan(SMALL + MEAN_HARVEST))
    seal = sealing.Seal.of("later", "1970-01-01T00:00:00+00:00", text)
    (project / "plans/later.seal.json").write_text(seal.text, encoding="utf-8")
    (project / "plans/broken.seal.json").write_text("{", encoding="utf-8")
    data = export()
    [session] = data.manifest["sessions"].values()
    session["plan"] |= {"name": "later", "plan": digest_of(text["plan"])}
    session["plan"]["digest"] = of_plan(session["plan"])
    session["session_config"] = "later"
    analysis.save(replace(data, config=data.config.assign(session_config="later")), "exchanged.zip")
    assert main(["check", "exchanged.zip"]) == 0
    assert (
        "plan later: plans/small.seal.json, sealed 1970-01-02T00:00:00+00:00, has the same "
        "treatments; only the server's key proves from which plan a session was created"
    ) in capsys.readouterr().out


def test_a_seal_without_the_treatments_of_a_session_is_not_named(project):
    seal = sealing.Seal.of("late", "1970-01-01T00:00:00+00:00", content(plan(TEXT), seats=3))
    (project / "plans/late.seal.json").write_text(seal.text, encoding="utf-8")
    assert not_as_planned("export.zip", Path("plans")) == []


@pytest.mark.parametrize("has_seal", [True, False])
def test_another_order_of_treatments_differs_from_the_plan(project, has_seal):
    [session] = export().manifest["sessions"].values()
    order = session["plan"]["order"]
    assert order == ["open", "pool"]
    if not has_seal:
        (project / "plans/small.seal.json").unlink()
        (project / "plans/small.toml").write_text(TEXT, encoding="utf-8")
    [message] = changed(Path(), order=order[::-1])
    assert message.startswith(
        'order: planned ["open", "pool"], in the manifest ["pool", "open"], which is not as '
    )


Change = Callable[[Data, dict[str, Any]], Data]
"""Change to an export and to its plan's entry in the manifest."""


def exchanged(data: Data, plan: dict[str, Any]) -> Data:
    """Return the data with the names of the two treatments swapped."""
    names = {"open": "pool", "pool": "open"}
    for key in ("treatments", "digests"):
        plan[key] = {names[name]: value for name, value in plan.get(key, {}).items()}
    frames = {
        field.name: frame.assign(treatment=frame["treatment"].replace(names))
        for field in fields(data)
        if isinstance(frame := getattr(data, field.name), pd.DataFrame) and "treatment" in frame
    }
    return replace(data, **frames)


def without_digests(data: Data, plan: dict[str, Any]) -> Data:
    """Return the data without digests, like an export from an earlier release."""
    for key in ("digests", "money", "plan", "order"):
        plan.pop(key, None)
    return replace(data, config=data.config.drop(columns="digest"))


def with_other_consent(data: Data, _plan: dict[str, Any]) -> Data:
    texts = [
        json.dumps({**json.loads(text), "consent": "I agree."}) for text in data.config.options
    ]
    return replace(data, config=data.config.assign(options=texts))


def with_other_fee(data: Data, _plan: dict[str, Any]) -> Data:
    return replace(data, config=data.config.assign(participation_fee=9.0))


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (lambda data, _: data, []),
        (exchanged, [f"treatment {name} is not {SEALED}" for name in ("open", "pool")]),
        (with_other_consent, [f"treatment {name} is not {SEALED}" for name in ("open", "pool")]),
        (
            with_other_fee,
            [f"money.participation_fee: planned 2.0, in config 9.0, which is not {SEALED}"],
        ),
    ],
    ids=["unchanged", "treatments exchanged", "consent", "fee"],
)
def test_an_export_without_digests_is_compared_by_what_was_played(project, change, sentences):
    data = export()
    [session] = data.manifest["sessions"].values()
    data = without_digests(change(data, session["plan"]), session["plan"])
    analysis.save(data, "old.zip")
    *problems, note = not_as_planned("old.zip", Path("plans"))
    sentences_here = [problem.what.removeprefix("sessions: plan1: plan: ") for problem in problems]
    assert sorted(sentences_here) == sorted(sentences)
    assert note.kind == "unknown"
    assert note.what == (
        "plan small: the text of the plan and the order of its treatments could not be compared, "
        "because the export does not contain it"
    )


@pytest.mark.parametrize("key", ["digests", "money", "plan", "order"])
def test_a_part_of_the_digest_that_this_release_writes_must_be_in_the_manifest(project, key):
    data = export()
    [session] = data.manifest["sessions"].values()
    del session["plan"][key]
    session["plan"]["digest"] = of_plan(session["plan"])
    analysis.save(data, "export.zip")
    message = f"manifest.json: sessions: plan1: plan: {key}: is missing"
    assert message in [str(problem) for problem in analysis.check("export.zip")]


def test_emptied_digests_are_a_fault(project):
    data = export()
    [session] = data.manifest["sessions"].values()
    emptied = without_digests(data, session["plan"])
    emptied.manifest["software"] = {"mixed_company": "0.8.0"}
    analysis.save(replace(emptied, config=data.config.assign(digest="")), "export.zip")
    problems = [str(problem) for problem in analysis.check("export.zip")]
    assert sum("does not match this treatment" in problem for problem in problems) == 2


def test_an_added_treatment_differs_from_the_seal(project):
    [session] = export().manifest["sessions"].values()
    digests = {**session["plan"]["digests"], "control": "0" * 64}
    assert changed(Path(), digests=digests) == [f"treatment control is not {SEALED}"]


def test_without_a_seal_the_text_of_the_plan_is_compared(project):
    (project / "plans/small.seal.json").unlink()
    (project / "plans/small.toml").write_text(TEXT, encoding="utf-8")
    assert changed(Path()) == []
    rule = "as in plans/small.toml, which is not sealed: somebody changed one of the two"
    assert changed(Path(), plan="0" * 64) == [f"its text is not {rule}"]
    assert changed(Path(), assignment="arrival") == [
        f'assignment: planned "balanced", in the manifest "arrival", which is not {rule}'
    ]


def test_a_plan_that_is_not_there_is_named_and_what_cannot_be_known(project, capsys):
    shutil.move(project / "plans", project / "elsewhere")
    assert main(["check", "export.zip"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "note: neither plans/small.seal.json nor plans/small.toml exists, so the treatments, "
        "payments, assignment and matching of plan 'small' could not be compared with the plan"
    )
    assert main(["check", "export.zip", "--plan", "elsewhere/small.seal.json"]) == 0
    assert "note: neither" not in capsys.readouterr().out


def test_the_plan_that_is_named_must_be_that_of_a_session(project, capsys):
    (project / "plans/other.toml").write_text(TEXT, encoding="utf-8")
    assert main(["check", "export.zip", "--plan", "plans/other.toml"]) == 1
    assert capsys.readouterr().out.splitlines()[-2] == (
        "manifest.json: sessions: no session has the plan 'other'"
    )
    assert main(["check", "export.zip", "--plan", "plans/none.toml"]) == 2


@pytest.mark.parametrize(
    ("when", "order"), [("1970-01-01T00:00:00+00:00", "before"), ("1970-01-01T01:00:00Z", "after")]
)
def test_the_times_of_seal_and_first_participant_are_named(project, monkeypatch, when, order):
    late = sealed(plan(TEXT), when).model_dump_json()
    (project / "plans/small.seal.json").write_text(late, encoding="utf-8")
    monkeypatch.setattr(reading, "tables_of", None)  # tables are not loaded again
    assert [problem.what for problem in when_sealed("export.zip", project / "plans")] == [
        f"plan small: sealed {when}, {order} its first participant was assigned, "
        "1970-01-01T00:00:00.001Z"
    ]


def with_times(project: Path, change: Callable[[list[list[str]]], None]) -> str:
    """Return the note on the seal's time after the rows of `outcomes` (header first) are
    changed."""
    late = sealed(plan(TEXT), "1970-01-01T01:00:00Z").model_dump_json()
    (project / "plans/small.seal.json").write_text(late, encoding="utf-8")
    game = export().game_id
    planted(project / "export.zip", project / "new.zip", "outcomes", change, remade=True, game=game)
    [note] = when_sealed("new.zip", project / "plans")
    return note.what.removeprefix("plan small: sealed 1970-01-01T01:00:00Z, ")


@pytest.mark.parametrize("form", ["{}.0", " {}", "+{}", "{}e0", "{} "])
def test_a_time_of_assignment_is_read_in_every_form_of_a_number(project, form):
    def change(rows: list[list[str]]) -> None:
        place = rows[0].index("assigned_ms")
        for row in rows[1:]:
            row[place] = form.format(row[place])

    expected = "after its first participant was assigned, 1970-01-01T00:00:00.001Z"
    assert with_times(project, change) == expected


UNKNOWN = "it is unknown whether before or after the first participant was assigned, because "


@pytest.mark.parametrize("cell", ["0.5", "1_000", "nan", "inf", "then", " ", "\u0661"])
def test_a_time_of_assignment_that_cannot_be_read_is_not_ignored(project, cell):
    sentence = f"{UNKNOWN}assigned_ms: {cell!r} is not a "
    assert with_times(project, edited(1, "assigned_ms", cell)).startswith(sentence)


def test_a_row_of_participants_that_cannot_be_read_is_not_ignored(project):
    file = f"{export().game_id}/outcomes.csv"
    expected = f"{UNKNOWN}{file} has rows with more or fewer values than its header"
    assert with_times(project, lambda rows: rows[1].append("")) == expected


@pytest.mark.parametrize(
    "name", ["../plans/small", "/small", "a/../small", "", "\u00e9" * 150, "a\0b"]
)
def test_a_name_that_no_plan_can_have_is_not_looked_for(project, name):
    data = export()
    [session] = data.manifest["sessions"].values()
    session["plan"]["name"] = name
    analysis.save(data, "export.zip")
    note, other = not_as_planned("export.zip", project / "plans")
    assert f"{project / 'plans/small.seal.json'}, sealed " in other.what
    assert (note.kind, note.what) == (
        "unknown",
        f"no plan can have the name {name!r:.60}, so its treatments, payments, assignment and "
        "matching could not be compared with the plan",
    )
    assert when_sealed("export.zip", project / "plans") == []


def test_a_session_with_another_seed_than_the_plans_is_named(project):
    study = plan(f"seed = 5\n{TEXT}")
    (project / "plans/small.seal.json").write_text(sealed(study).model_dump_json(), "utf-8")
    expected = own_seed(study, "plan1")
    assert f"its seed is 7, but the plan's seed = 5 leads to {expected}" in changed(Path())


def test_a_seal_of_a_release_that_did_not_fix_the_order_says_so(project):
    seal = sealed(plan(TEXT))
    digest = of_plan({**parts_of(seal.content), "order": []})
    old = {**seal.model_dump(mode="json"), "digest": digest}
    del old["order"]
    (project / "plans/small.seal.json").write_text(json.dumps(old), encoding="utf-8")
    assert not_as_planned("export.zip", project / "plans") == []
    [note] = when_sealed("export.zip", project / "plans")
    assert note.what.endswith(
        "; this seal, from an earlier release, does not fix the order of the treatments, and "
        "the direction of each test depends on that order"
    )


def noted(**changes: Any) -> dict[str, Any]:
    """Return the content of a seal with different keys in its plan, and with recomputed digests."""
    seal = sealed(plan(TEXT))
    text = {**seal.content["plan"], **changes}
    remade = type(seal).of("small", seal.sealed, {**seal.content, "plan": text})
    return remade.model_dump(mode="json")


def held(name: str, *path: str, value: Any) -> dict[str, Any]:
    """Return a seal with one value of its content changed, and with digests recomputed where
    possible."""
    seal = sealed(plan(TEXT))
    content = json.loads(json.dumps(seal.content))
    place = content[name]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return type(seal).of("small", seal.sealed, content).model_dump(mode="json")


def without_treatments() -> dict[str, Any]:
    """Return a seal from an earlier release, with no treatments in its content."""
    held = {**content(plan(TEXT)), "treatments": {}}
    return {"content": held, "treatments": {}, "order": [], "digest": digest_of(held)}


def test_a_seal_with_a_key_twice_is_refused(project):
    file = project / "plans/small.seal.json"
    text = file.read_text("utf-8")
    twice = '"sealed": "2019-01-01T00:00:00+00:00", "sealed"'
    file.write_text(text.replace('"sealed"', twice, 1), encoding="utf-8")
    with pytest.raises(ConfigError, match="the key 'sealed' appears twice"):
        sealing.read(file, "small")


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (
            {"sealed": "2026-11-27T13:05:00"},
            "sealed = '2026-11-27T13:05:00': should be a time in ISO 8601 with a time zone",
        ),
        ({"plan": "other"}, "plan = 'other': should be 'small'"),
        (noted(note="at OSF"), "content.plan.note = 'at OSF': unknown key"),
        (without_treatments(), "content.treatments: should be open, pool, as in the plan"),
        (held("treatments", "open", value={}), "content: not in the form of a seal: "),
        (
            held("treatments", "open", "core", value=[]),
            "content.treatments.open: should contain core",
        ),
        (
            held("treatments", "open", "options", "people_per_group", value="x"),
            "content.treatments.open: should contain a number, options.people_per_group",
        ),
        (
            held("treatments", "open", "options", "disclosure", value=None),
            "content.treatments.open: should contain a string, options.disclosure",
        ),
        (
            held("money", "participation_fee", value=None),
            "content.money.participation_fee = None: should be an amount",
        ),
        (
            held("money", "participation_fee", value=10**400),
            "content.money.participation_fee = a huge number: should be",
        ),
        (
            held("treatments", "open", "core", "seats", value={}),
            "content.treatments.open.core: seats and periods should be whole numbers",
        ),
        (
            held("treatments", "open", "game", value={}),
            "content.treatments.open: game and version should be strings",
        ),
    ],
    ids=[
        *("time zone", "name", "unknown key", "no treatments", "rules", "core", "size"),
        *("disclosure", "money"),
        *("large", "seats", "game"),
    ],
)
def test_a_seal_of_another_form_is_refused_by_name(project, capsys, content, rule):
    file = project / "plans/small.seal.json"
    whole = {**json.loads(file.read_text("utf-8")), **content}
    file.write_text(json.dumps(whole), encoding="utf-8")
    assert main(["check", "export.zip"]) == 2
    assert f"plans/small.seal.json: {rule}" in capsys.readouterr().err
    with pytest.raises(ConfigError, match=re.escape(rule)):
        sealing.read(file, "small")


def test_rules_that_groups_chose_from_in_another_order_are_named(project):
    """Ties go to the first rule."""
    text = TEXT.replace('changes = { governance = "per_step" }\n', CHOSEN)
    seal = sealed(plan(text)).model_dump(mode="json")
    (project / "plans/small.seal.json").write_text(json.dumps(seal), encoding="utf-8")
    held = seal["content"]["treatments"]["pool"]
    data = export()
    pool = data.config["treatment"] == "pool"

    def named(names: tuple[str, str]) -> list[str]:
        rules = {name: held["rules"][name] for name in names}
        options = {
            **held["options"],
            "rules": {name: held["options"]["rules"][name] for name in names},
        }
        config = data.config.assign(rules="", options=data.config["options"])
        config.loc[pool, "rules"] = json.dumps(rules)
        config.loc[pool, "options"] = json.dumps(options)
        analysis.save(replace(data, config=config), "export.zip")
        problems = not_as_planned("export.zip", project / "plans")
        return [problem.what for problem in problems if "order of rules" in problem.what]

    assert named(("open", "fed")) == []
    line = "the order of rules is fed, open, but the sealed order is open, fed"
    assert named(("fed", "open")) == [f"sessions: plan1: plan: treatment pool: {line}"]


def test_languages_of_a_question_in_another_order_are_named(project):
    """An answer to a choice is written in the first language."""
    seal = sealed(plan(TEXT), questions=[MOOD])
    (project / "plans/small.seal.json").write_text(seal.text, encoding="utf-8")
    data = export()

    def named(languages: list[str]) -> list[str]:
        options = json.loads(json.dumps(seal.content["treatments"]["open"]["options"]))
        listed = options["questions"][0]["options"]
        options["questions"][0]["options"] = {code: listed[code] for code in languages}
        config = data.config.assign(options=json.dumps(options))
        analysis.save(replace(data, config=config), "export.zip")
        problems = not_as_planned("export.zip", project / "plans")
        return [problem.what for problem in problems if "the order of" in problem.what]

    assert named(["en", "de"]) == []
    line = "the order of questions.mood.options is de, en, but the sealed order is en, de"
    assert sorted(named(["de", "en"])) == [
        f"sessions: plan1: plan: treatment {name}: {line}" for name in ("open", "pool")
    ]
