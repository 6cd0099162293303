"""Tests of the commands `mixed plan` and `mixed schema plan`."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mixed_company.__main__ import main
from mixed_company.analysis import audit, report
from mixed_company.analysis.audit import promised
from mixed_company.analysis.planned import tested
from mixed_company.cli.commands import rehearse
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import reading, sealing, treatments
from mixed_company.table.export import sealing as sealing_of_exports
from tests.analysis.report.made import undrawn
from tests.project import ROOT

NAME = "commons_governance"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Change to a folder with plans that can be sealed. Sessions are those of this project."""
    import settings  # noqa: F401  imported before the change of folder

    shutil.copytree(Path("plans"), tmp_path / "plans")
    (tmp_path / "settings.py").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


TALKERS = (
    "look  people: Simulated people differ between treatments (treatments.talk.people), so a "
    "difference between treatments can be due to this alone."
)


@pytest.mark.parametrize("name", [path.stem for path in (Path("plans")).glob("*.toml")])
def test_the_shipped_plans_lack_nothing(project, capsys, name):
    assert main(["plan", "check", name]) == 0
    *looks, last = capsys.readouterr().out.splitlines()
    assert last == "go"
    of_the_design = (
        ": A bot takes the seat of a person who is",
        "differ only in what people are told about bots",
        "is averaged over the people of a group",
    )
    expected = [line for line in looks if any(words in line for words in of_the_design)]
    assert [line for line in looks if line not in expected] == (
        [TALKERS] if name == "commons_talk" else []
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("command", [["plan", "show"], ["plan", "check"], ["preflight"]])
def test_bots_in_a_treatment_without_bots_are_named_until_keys_rule_them_out(
    project, capsys, monkeypatch, command
):
    """People have all four seats, and bots take the seats of people who are missing or silent."""
    name = "commons_quota"
    last = ["--people", "40"] if command == ["preflight"] else []
    main([*command, name, *last])
    sentence = (
        "A bot takes the seat of a person who is missing after 60 s in the lobby (set "
        "lobby_outcome=release to rule it out), or who is silent for 90 s (set dropout=reduced or "
        "dropout=end to rule it out)."
    )
    assert sentence in capsys.readouterr().out
    file = project / "plans" / f"{name}.toml"
    text = file.read_text("utf-8")
    ruled_out = '[changes]\nlobby_outcome = "release"\ndropout = "end"\ndisclosure = "none"\n'
    file.write_text(text.replace("[changes]\n", ruled_out), "utf-8")
    settings = importlib.import_module("settings")
    configs = [config for config in settings.SESSION_CONFIGS if config["name"] != name]
    session = treatments.session_config(name, reading.find(name, project / "plans"), configs)
    monkeypatch.setattr(settings, "SESSION_CONFIGS", [*configs, session])
    main([*command, name, *last])
    assert "A bot takes" not in capsys.readouterr().out


def test_show_says_what_happens_to_a_participant_in_each_treatment(project, capsys):
    assert main(["plan", "show", NAME]) == 0
    text = capsys.readouterr().out
    assert "2 treatments, 20 groups per treatment: 160 people. Assignment: balanced blocks" in text
    open_access, pool = text.split("\nTreatment ")[1:]
    assert "changes: none" in open_access
    assert "changes: governance per_step, pool_effect 2.0" in pool
    # 15 periods of 45 s
    assert "play of 15 periods, at most 12 minutes; people take 4 of 4 seats" in open_access
    order = ["instructions", "quiz", "lobby", "play", "results"]
    places = [open_access.index(f". {step}") for step in order]
    assert places == sorted(places)
    people = "drawn from greedy, half_capacity, noisy_person, steward (equal shares); no bots."
    assert f"Simulated people: 4 per group, each {people}" in pool
    ended = r"over 20 plays, which end after \d+ to 15 of 15 periods; 2\.00 of it for taking part"
    assert re.search(f"on average {ended}", pool)
    assert text.endswith("Not sealed.\n")


def test_a_plan_is_sealed_once_and_says_so(project, capsys):
    assert main(["plan", "seal", NAME]) == 0
    assert capsys.readouterr().out == f"plans/{NAME}.seal.json\n"
    seal = sealing.sealed(NAME, project / "plans")
    assert main(["plan", "show", NAME]) == 0
    assert capsys.readouterr().out.endswith(f"Sealed {seal.sealed} ({seal.digest:.12}).\n")
    assert main(["plan", "seal", NAME]) == 2
    assert "already sealed" in capsys.readouterr().err


def test_show_and_check_say_that_a_plan_was_edited_after_its_seal(project, capsys):
    assert main(["plan", "seal", NAME]) == 0
    file = project / "plans" / f"{NAME}.toml"
    text = file.read_text("utf-8")
    assert main(["plan", "show", NAME, "--simulated", "greedy"]) == 0  # not an edit of the file
    assert main(["plan", "check", NAME]) == 0
    assert "sealed plan" not in capsys.readouterr().out
    file.write_text(text.replace("groups = 20", "groups = 30", 1), "utf-8")
    edit = "The plan differs from the sealed plan: plan.groups: sealed 20, now 30"
    assert main(["plan", "show", NAME]) == 0
    assert capsys.readouterr().out.endswith(f").\n{edit}\n")
    assert main(["plan", "check", NAME]) == 0
    assert f"look  {edit}\n" in capsys.readouterr().out


def test_check_exits_with_1_if_something_cannot_be_tested(project, capsys):
    file = project / "plans" / f"{NAME}.toml"
    file.write_text(file.read_text("utf-8").replace('"stock_share"', '"stok_share"'), "utf-8")
    assert main(["plan", "check", NAME]) == 1
    text = capsys.readouterr().out
    assert "STOP  hypotheses.stock.measure = 'stok_share'" in text
    assert "did you mean 'stock_share'?" in text
    assert text.endswith("no go: 1 to fix\n")
    assert main(["plan", "seal", NAME]) == 2  # a seal is permanent
    assert "measure = 'stok_share': no measure of groups; did you mean" in capsys.readouterr().err
    assert sealing.sealed(NAME, project / "plans") is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "commons_governence"], "did you mean 'commons_governance'?"),
        (["report", NAME], "mixed plan report: needs an export"),
        (["seal", NAME, "export.zip"], "mixed plan seal: does not take an export"),
        (["rehearse", NAME, "--groups", "2,4"], "a rehearsal needs a single number"),
        (["power", NAME, "--groups", "many"], "groups = 'many': should be whole numbers"),
        (["seal", NAME, "--blind"], "mixed plan seal: --blind applies only to report"),
        (["show", NAME, "--uncertain"], "mixed plan show: --uncertain applies only to power"),
        (
            ["power", NAME, "--sessions", "2"],
            "mixed plan power: --sessions applies only to rehearse",
        ),
        (
            ["show", NAME, "--repetitions", "9"],
            "mixed plan show: --repetitions applies only to power",
        ),
        (
            ["check", NAME, "--seed", "1"],
            "plan check: --seed applies only to power, rehearse, report",
        ),
        (
            ["power", NAME, "--width-mm", "99"],
            "mixed plan power: --width-mm applies only to report",
        ),
        (
            ["power", NAME, "--groups", "5", "--uncertain", "--workers", "1"],
            "uncertain: no policy is a population whose parameters can be drawn",
        ),
        (
            ["report", NAME, "export.zip", "--blind", "--seed", "-1"],
            "seed = -1: should be 0 or more",
        ),
    ],
)
def test_impossible_requests_are_refused_in_a_sentence(project, capsys, arguments, sentence):
    assert main(["plan", *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_a_plan_is_rehearsed_like_its_session(project, monkeypatch):
    rehearsals = []
    monkeypatch.setattr(rehearse, "run", lambda chosen: rehearsals.append(vars(chosen)) or 0)
    command = [NAME, "--groups", "2", "--sessions", "3", "--seed", "5", "--output", "out.zip"]
    assert main(["rehearse", *command]) == main(["plan", "rehearse", *command]) == 0
    assert main(["rehearse", NAME]) == main(["plan", "rehearse", NAME]) == 0
    whole, plans, shortest, plans_shortest = rehearsals
    assert (whole["sessions"], shortest["sessions"]) == (3, 1)
    assert {key: whole[key] for key in plans} == plans
    assert {key: shortest[key] for key in plans_shortest} == plans_shortest


@pytest.fixture
def export(tmp_path):
    """Simulate two groups of each treatment. The export has faults, because nobody played a
    session."""
    from mixed_company import analysis
    from mixed_company.experiment import treatments
    from settings import SESSION_CONFIGS

    config = next(entry for entry in SESSION_CONFIGS if entry["name"] == NAME)
    setups = treatments.shipped_series("commons_game", config)[0]
    options = {"people": ["noisy_person"] * 4, "groups": 2}
    parts = [
        analysis.simulated(setup.game, seed=index, treatment=name, **options)
        for index, (name, setup) in enumerate(setups.items())
    ]
    data = analysis.joined(*parts)
    path = tmp_path / "export.zip"
    analysis.save(replace(data, config=data.config.assign(session_config=NAME)), path)
    return path


@pytest.mark.long
def test_a_blind_report_names_its_seed_and_seal_and_can_be_reproduced(project, export, capsys):
    assert main(["plan", "seal", NAME]) == 0
    command = ["plan", "report", NAME, str(export), "--blind"]
    with undrawn():
        assert main([*command, "--output", "first"]) == 1
        assert capsys.readouterr().out.endswith("first/blind_report.html\n")
        about = json.loads((project / "first" / "blind.json").read_text("utf-8"))
        assert (about["blind"], about["plan"], about["export"]) == (True, NAME, "export.zip")
        assert about["sealed"] == sealing.sealed(NAME, project / "plans").digest
        assert main([*command, "--output", "second", "--seed", str(about["seed"])]) == 1
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}
        for folder in (project / "first", project / "second")
    )
    assert first == second


def test_the_data_of_a_sealed_plan_are_read_by_the_sealed_plan(project, monkeypatch):
    """The blocks and treatments of the plan decide which groups the tests compare."""
    name, read = "fehr_gaechter_2000", []

    def loaded(export, plan_name, plan, games):
        read.append((list(plan.block_names), games))
        raise ConfigError("no export")

    monkeypatch.setattr(tested, "loaded", loaded)
    file = project / "plans" / f"{name}.toml"
    assert main(["plan", "seal", name]) == 0
    text = file.read_text("utf-8")
    blocks = reading.from_text(text, file.name).block_names
    assert "second" in blocks
    file.write_text(re.sub(r"\bsecond\b", "another", text), encoding="utf-8")
    assert main(["plan", "report", name, "export.zip"]) == 2
    assert read == [(blocks, ["sanctions"])]


def test_an_export_of_another_plan_is_refused_with_a_list_of_its_contents(project, export, capsys):
    other = "sanctions_public_good"
    assert main(["plan", "report", other, str(export)]) == 2
    sentence = f"there is no session of {other!r}; there are sessions of {NAME!r}"
    assert sentence in capsys.readouterr().err


def test_the_report_of_a_plan_audits_its_export_once(project, export, monkeypatch):
    counts = []
    check = audit.check_sessions
    monkeypatch.setattr(audit, "check_sessions", lambda *args: counts.append(1) or check(*args))
    with undrawn():
        assert main(["plan", "report", NAME, str(export)]) == 1
    assert len(counts) == 1


@pytest.mark.long
def test_figures_have_the_width_of_a_page(project, export):
    assert main(["plan", "report", NAME, str(export), "--width-mm", "120"]) == 1
    (svg, *_) = (project / "report" / "figures").glob("groups_*.svg")
    width = re.search(r'<svg[^>]*width="([\d.]+)pt"', svg.read_text("utf-8"))[1]
    assert float(width) == pytest.approx(120 / 25.4 * 72, abs=0.5)


def test_the_report_of_a_plan_prints_the_check_of_its_export_first(
    project, export, monkeypatch, capsys
):
    sources = []

    def write(*arguments, **options):
        sources.append(options["sources"])
        return {"report.html": b""}

    monkeypatch.setattr(report, "files", write)
    digest = hashlib.sha256(export.read_bytes()).hexdigest()
    command = ["plan", "report", NAME, str(export)]
    assert main(command) == 1
    *checked, _ = capsys.readouterr().out.splitlines()
    about = f"Export: sha256 {digest}; sealed without a key, so anybody who changes the file can"
    [place] = [number for number, line in enumerate(checked) if line.startswith(about)]
    assert checked[0].startswith("commons_game: ")
    assert checked[place - 1].startswith("seals: ")
    different = [line.startswith("deviation: ") for line in checked[place + 1 :]]
    end = different.index(False)
    assert checked[place + 1 + end] == "No group is left out of the tests."
    assert end > 1
    assert not any(different[end:])
    (project / "key.txt").write_text("ab" * 32, "utf-8")
    assert main([*command, "--key", "key.txt"]) == 1
    assert "manifest.json: its seal was not made with the key" in capsys.readouterr().out
    assert main(["report", str(export), "--key", "key.txt"]) == 1
    assert "manifest.json: its seal was not made with the key" in capsys.readouterr().out
    assert main([*command, "--key", "key.txt", "--blind"]) == 1
    printed, _ = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"problems in the export: \d+; `mixed check` lists them", printed)
    key = sealing_of_exports.key_id(bytes.fromhex("ab" * 32))
    assert sources[0] == [checked[place]]
    for [line] in sources[1:]:
        assert line.startswith(f"Export: sha256 {digest}; ")
        assert line.endswith(f"; checked with the key {key}.")


def test_the_report_of_a_plan_names_other_seals_with_its_treatments(project, export, monkeypatch):
    sources = []

    def write(*arguments, **options):
        sources.extend(options["sources"])
        return {"report.html": b""}

    monkeypatch.setattr(report, "files", write)
    monkeypatch.setattr(promised, "others_sealed", lambda export, folder, name: [f"plan {name}"])
    assert main(["plan", "report", NAME, str(export)]) == 1
    assert sources[1:] == [f"Note: plan {NAME}."]


def test_the_report_of_a_plan_has_the_requested_width(project, export, monkeypatch, capsys):
    widths = []

    def write(*arguments, **options):
        widths.append(options["width"])
        return {"report.html": b""}

    monkeypatch.setattr(report, "files", write)
    command = ["plan", "report", NAME, str(export), "--width-mm"]
    assert main([*command, "120"]) == 1
    assert widths == [120]
    with pytest.raises(SystemExit):
        main([*command, "12"])
    assert "'12': should be a number from 60 to 400" in capsys.readouterr().err


def test_the_schema_of_plans_has_every_key_with_its_meaning(capsys):
    assert main(["schema", "plan"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert all("description" in about for about in schema["properties"].values())
    assert set(schema["required"]) == {"title", "session", "groups"}  # and treatments or a space
    assert schema["additionalProperties"] is False


def test_the_plan_of_a_vote_can_be_played_and_is_shown_with_the_vote():
    from mixed_company.experiment import reading, showing, treatments
    from settings import SESSION_CONFIGS

    document = (ROOT / "docs" / "choosing.md").read_text("utf-8")
    text, *_ = re.findall(r"```toml\n(.*?)```", document, flags=re.S)
    documented = reading.from_text(text, "given_or_chosen.toml")
    config = treatments.session_config("given_or_chosen", documented, SESSION_CONFIGS)
    (setups,) = treatments.shipped_series("commons_game", config)
    assert setups["given"].rules == {}
    assert setups["chosen"].chosen("pool").game.core == setups["given"].game.core
    assert not any("vote" in step for step in showing.steps(setups["given"]))
    (step,) = [step for step in showing.steps(setups["chosen"]) if "vote" in step]
    assert "(open, pool), by majority, at most 60 s; bots abstain; in a tie: the first" in step
    sealed = treatments.rules_of(setups["chosen"])["rules"]["pool"]
    assert sealed["core"]["governance"] == "per_step"
    assert "identity" not in sealed


def test_the_documented_blocks_can_be_added_to_their_plan():
    from mixed_company.experiment import reading, treatments
    from settings import SESSION_CONFIGS

    document = (ROOT / "docs" / "plans.md").read_text("utf-8")
    text, blocks, *_ = re.findall(r"```toml\n(.*?)```", document, flags=re.S)
    text = text.rstrip() + '\nblock = "before"\n\n' + blocks
    documented = reading.from_text(text, "quota.toml")
    config = treatments.session_config("quota", documented, SESSION_CONFIGS)
    assert config["app_sequence"] == ["commons_game", "commons_game_2", "commons_game_3"]
    series = treatments.shipped_series("commons_game", config)
    limits = [setups["open"].game.config.layers.power.limits for setups in series]
    assert [bool(limit) for limit in limits] == [False, True, False]


def test_the_documented_plan_can_be_played_and_lacks_nothing():
    from mixed_company.analysis.planned.checking import remarks
    from mixed_company.experiment import reading, treatments
    from settings import SESSION_CONFIGS

    document = (ROOT / "docs" / "plans.md").read_text("utf-8")
    text, *_ = re.findall(r"```toml\n(.*?)```", document, flags=re.S)
    documented = reading.from_text(text, "quota.toml")
    config = treatments.session_config("quota", documented, SESSION_CONFIGS)
    setups = treatments.shipped_series("commons_game", config)[0]
    assert list(remarks(documented, ["commons_game"])) == []
    limits = {name: setup.game.config.layers.power.limits for name, setup in setups.items()}
    assert limits["open"] == {}
    assert limits["quota"]["member"]["harvest"] == 2.5
    assert config["num_demo_participants"] == 8  # "a group of each treatment (here 8)"
