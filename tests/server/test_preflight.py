"""Checks before a session: each problem has its own sentence."""

from __future__ import annotations

import json
import math
import re
from types import SimpleNamespace
from typing import Any

import pytest

import settings
from mixed_company.__main__ import main
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.experiment import reading, showing, simulated_people, treatments
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.language.sources import Text
from mixed_company.server.preflight import Finding, Verdict, pay, session, site, words
from mixed_company.server.preflight.whole import looked_at
from mixed_company.table.ledger import Terms
from mixed_company.table.options import STATUSES
from mixed_company.table.setup import Setup, resolve
from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS

CLOSED = {
    "OTREE_AUTH_LEVEL": "STUDY",
    "OTREE_ADMIN_PASSWORD": "correct horse battery",
    "OTREE_PRODUCTION": "1",
    "OTREE_REST_KEY": "another secret of ours",
}
KEY = "f" * 64
GO, LOOK, STOP = Verdict.GO, Verdict.LOOK, Verdict.STOP
ANYWHERE = "0.0.0.0"
PEOPLE_ALONE = {"people_per_group": 4, "dropout": "reduced", "lobby_outcome": "release"}


AGE = '[{"name": "age", "text": "How old are you?", "type": "number", "when": "after"}]'


@pytest.fixture(autouse=True)
def _two_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate only a few plays for the bots' pay, which is only reported here."""
    monkeypatch.setattr(simulated_people, "PLAYS", 2)


def config(name: str = "commons_two_people", **changes: Any) -> dict[str, Any]:
    shipped = next(config for config in SESSION_CONFIGS if config["name"] == name)
    return {**SESSION_CONFIG_DEFAULTS, **shipped, "pay_cap": 100.0, **changes}


def terms_of(setup: Setup) -> Terms:
    return Terms.of(2.0, 0.5, setup.options.model_dump())


def of(findings: Any, verdict: Verdict) -> list[str]:
    return [finding.sentence for finding in findings if finding.verdict is verdict]


# -- the rooms -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "verdict", "words"),
    [
        ("PC_01\nPC_02\n", GO, "Room lab admits the 2 labels in"),
        ("PC_01\nPC-02\n", STOP, "has the label 'PC-02': labels can contain only"),
        ("Zo\u00eb\n", STOP, "has the label 'Zo\u00eb'"),
        ("\n", STOP, "has no labels, so nobody can enter"),
        (None, STOP, "Room lab: its label file cannot be read: "),
    ],
)
def test_labels_that_leave_a_room_without_a_page_are_named(labels, verdict, words, tmp_path):
    file = tmp_path / "labels.txt"
    if labels is not None:
        file.write_text(labels, encoding="utf-8")
    room = {"name": "lab", "participant_label_file": str(file)}
    [finding] = site.of_rooms([room, {"name": "open"}])
    assert finding.verdict is verdict
    assert words in finding.sentence


# -- the server ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "key", "verdict", "words"),
    [
        ({"OTREE_AUTH_LEVEL": ""}, KEY, STOP, "Anybody who can reach the server"),
        ({"OTREE_AUTH_LEVEL": "DEMO"}, KEY, STOP, "Anybody who can reach the server"),
        ({"OTREE_ADMIN_PASSWORD": ""}, KEY, STOP, "has no password"),
        ({"OTREE_ADMIN_PASSWORD": "admin"}, KEY, LOOK, "has 5 characters"),
        ({"OTREE_PRODUCTION": ""}, KEY, STOP, "OTREE_PRODUCTION to 1"),
        ({"OTREE_REST_KEY": ""}, KEY, LOOK, "OTREE_REST_KEY"),
        (
            {"OTREE_REST_KEY": "short"},
            KEY,
            STOP,
            "the key has 5 characters; at least 16 are required",
        ),
        ({}, "", STOP, "SECRET_KEY is empty"),
    ],
)
def test_open_access_is_reported(changes, key, verdict, words):
    findings = list(site.of_server({**CLOSED, **changes}, key, ANYWHERE))
    [sentence] = of(findings, verdict)
    assert words in sentence


@pytest.mark.parametrize(
    "url",
    [
        "",
        "'postgres://user:hidden@127.0.0.1/none'",
        "postgres//user:hidden@127.0.0.1/none",
        "postgres://user:hidden@127.0.0.1:5x/none",
        "postgres://user:hidden@127.0.0.1:1/none",
    ],
)
def test_no_password_is_printed(url):
    variables = {**CLOSED, "DATABASE_URL": url}
    findings = looked_at(settings, "commons", 4, None, ANYWHERE, variables)
    everything = " ".join(finding.sentence for finding in findings)
    assert CLOSED["OTREE_ADMIN_PASSWORD"] not in everything
    assert "hidden" not in everything
    assert CLOSED["OTREE_REST_KEY"] not in everything


# -- the database ----------------------------------------------------------------------------


def test_an_impossible_clock_stops(tmp_path):
    finding = site.of_room(tmp_path, now=86_400.0)
    assert finding == Finding(STOP, "This machine's clock shows 1970-01-02.")


@pytest.mark.parametrize(
    ("bytes_free", "finding"),
    [
        (999_000_000, Finding(STOP, "The disk has 1.0 GB left: at least 1 GB should be free.")),
        (1_000_000_000, Finding(GO, "The disk has 1 GB left.")),
        (52_400_000_000, Finding(GO, "The disk has 52 GB left.")),
    ],
)
def test_the_free_space_on_the_disk_is_reported(bytes_free, finding, monkeypatch, tmp_path):
    usage = SimpleNamespace(free=bytes_free)
    monkeypatch.setattr(site.shutil, "disk_usage", lambda folder: usage)
    assert site.of_room(tmp_path, now=1_900_000_000.0) == finding


@pytest.mark.parametrize(("apart", "verdict"), [(0.0, "GO"), (2.0, "GO"), (-3.0, "LOOK")])
def test_differing_clocks_are_reported(apart, verdict):
    finding = site._clocks(1000.0 + apart, 1000.0)
    assert finding.verdict is Verdict[verdict]
    assert (f"{abs(apart):.0f} s apart" in finding.sentence) == (verdict == "LOOK")


# -- the session -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "people", "verdict", "words"),
    [
        ({}, 41, STOP, "41 people cannot form complete groups"),
        ({}, 2000, STOP, "one server has been tested with"),
        (
            {"people_per_group": 3},
            6,
            GO,
            "6 people in groups of 3, each group with 1 bot (imitator).",
        ),
        (
            {"parts": 4},
            2000,
            GO,
            "2000 people in groups of 2, each group with 2 bots (imitator, constant_effort).",
        ),
        ({"bots": "greedy,steward,fixed"}, 4, GO, "each group with 2 bots (greedy, steward)."),
        ({"parts": 4}, 302, GO, "302 people in groups of 2"),  # 76, 76, 76 and 74
        ({"parts": 4}, 6, STOP, "cannot form a group in each part"),
        ({"bots": "nobody"}, 40, STOP, "cannot be created: bots = 'nobody'"),
        ({"decision_seconds": 0.0}, 40, LOOK, "no time limit"),
        ({"disclosure": "labels"}, 40, GO, "You can see which is which."),
        ({"disclosure": "none"}, 40, LOOK, "disclosure = none"),
        ({"language": "de"}, 40, GO, "People read de: all "),
        (
            {"language": "fr", "consent": "I agree.", "disclosure_text": "Some may be bots."},
            40,
            LOOK,
            "our own texts cannot be checked for fr; please check them yourself: consent, "
            "disclosure_text.",
        ),
        ({"questions": AGE}, 40, LOOK, "checked for en; please check them yourself: questions."),
        ({}, 40, GO, "Some of the players may be computer programs."),
        ({}, 40, LOOK, "not sent to a link at the end"),
        (
            {"completion_links": '{"finished": "http://x.org/a"}'},
            40,
            LOOK,
            "no link for people whose part ends as left, released, ended, full",
        ),
        (
            {"completion_links": '{"finished": "http://x.org/a"}'},
            40,
            LOOK,
            "link for finished does not use https",
        ),
        ({"app_sequence": ["intro", "commons_game"]}, 40, GO, "40 people in groups of 2"),
        ({"app_sequence": ["intro"]}, 40, STOP, "No app in app_sequence is a game"),
        ({"dropout": "pause"}, 40, LOOK, "up to 105 s more each time a person drops out"),
        (
            {"disclosure": "none", "people_per_group": 4, "dropout": "reduced"},  # bots fill groups
            40,
            LOOK,
            "disclosure = none",
        ),
        ({"disclosure": "none", **PEOPLE_ALONE}, 40, GO, "No bots play"),
        # there are only people, and they are told so
        (
            {"disclosure": "count", **PEOPLE_ALONE},
            40,
            GO,
            "People are told about bots: When the game begins, 0 of the 4 players",
        ),
        ({"dropout": "end", "grace_seconds": 20.0}, 40, LOOK, "lost for 20 s ends"),
        # at most 12 fish in each of 20 periods: 2 + 0.08 * 240 = 21.20
        (
            {"pay_cap": 0.0},
            40,
            GO,
            "Nobody can be paid more than 21.20: 20 periods with at most 12 points each.",
        ),
        # 2 + 0.08 * 100 = 10.00
        ({}, 40, GO, "more than 10.00: points have a cap of 100 (pay_cap)."),
        ({"budget": 50.0}, 40, STOP, "the budget is 50"),
        (PEOPLE_ALONE, 40, STOP, "disclosure = 'possible': no bot can play here"),
        ({"return_by_label": "always"}, 40, LOOK, "Anybody who knows a person's label"),
        ({"return_by_label": "never"}, 40, GO, "with a personal link (return_by_label"),
        ({"consent": "nothere.txt"}, 40, STOP, "there is no such file"),
        (
            {"completion_links": '{"finished": "https://x.org/{PROLIFIC}"}'},
            40,
            STOP,
            "{PROLIFIC} is not a known placeholder",
        ),
    ],
)
def test_problems_that_people_would_meet_are_reported(changes, people, verdict, words):
    sentences = of(session.of_session(config(**changes), people, None), verdict)
    assert any(words in sentence for sentence in sentences), sentences


def test_a_closed_server_is_described_point_by_point():
    findings = list(site.of_server(CLOSED, KEY, ANYWHERE))
    assert {finding.verdict for finding in findings} == {GO}
    assert of(findings, GO) == [
        "The administrator's pages require a login (OTREE_AUTH_LEVEL = STUDY).",
        "The administrator's password has 21 characters.",
        "The key that signs the administrator's login is not the published one.",
        "Error pages show no source code (OTREE_PRODUCTION is set).",
        "REST requires a key (OTREE_REST_KEY is set).",
    ]
    no_key = {name: value for name, value in CLOSED.items() if name != "OTREE_REST_KEY"}
    assert "so nobody can use REST" in of(site.of_server(no_key, KEY, ANYWHERE), LOOK)[0]
    no_login = {name: value for name, value in no_key.items() if name != "OTREE_AUTH_LEVEL"}
    stops = of(site.of_server(no_login, KEY, ANYWHERE), STOP)
    assert "REST is open to everybody, because no login is required." in stops
    twelve = {**CLOSED, "OTREE_ADMIN_PASSWORD": "x" * 12}
    assert of(site.of_server(twelve, KEY, ANYWHERE), LOOK) == []


def test_everything_reported_about_a_session():
    """Report sizes, times and endings, with one sentence for each, before the pay."""
    links = dict.fromkeys(("finished", "left", "released", "ended"), "https://x.org")
    links |= {"full": "https://x.org/{code}", "quiz_failed": "https://x.org"}
    alone = {**PEOPLE_ALONE, "disclosure": "none", "grace_seconds": 60.0}
    whole = config("commons_four_people", completion_links=json.dumps(links), **alone)
    findings = list(session.of_session(whole, 40, None))
    assert [(finding.verdict, finding.sentence) for finding in findings[:7]] == [
        (GO, "40 people in groups of 4, one person per seat."),
        (GO, "The play lasts at most 15 minutes: 20 periods, 45 s per decision."),
        (
            GO,
            "A person who is silent for 60 s counts as having left: "
            "the others continue without that person.",
        ),
        (GO, "No bots play, unless the manager hands a seat to one."),
        (GO, "People read en, the original language of all the project's texts."),
        (
            GO,
            "Before the play, there is a practice of 2 periods without a time limit "
            "(about 1.5 minutes).",
        ),
        (GO, "There is a link for every way in which a person's part can end."),
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"dropout": "bot"}, "a bot takes the seat."),
        ({"dropout": "end"}, "the game ends for the whole group, with pay."),
        ({"dropout": "pause"}, "the others wait 60 s, then a bot takes the seat."),
    ],
)
def test_the_consequences_of_leaving_are_reported(changes, words):
    session_config = config(**changes, grace_seconds=60.0)
    sentences = of(session.of_session(session_config, 40, None), GO)
    assert f"A person who is silent for 60 s counts as having left: {words}" in sentences


def test_long_waits_without_a_time_limit_are_reported():
    def looks(**changes: Any) -> list[str]:
        return of(session.of_session(config(**changes), 40, None), LOOK)

    line = "Without a time limit, a group waits 11 minutes for a person who has left."
    assert line in looks(decision_seconds=0.0, grace_seconds=660.0)
    assert line not in looks(decision_seconds=45.0, grace_seconds=660.0)
    assert not any(
        "Without" in sentence for sentence in looks(decision_seconds=0.0, grace_seconds=600.0)
    )


def test_an_untranslated_text_stops(monkeypatch):
    new = Text("Nobody has translated this"), Text("{n} word is new", "{n} words are new")
    monkeypatch.setattr(words, "_said", lambda _: (Text("Next"), *new, Text("ruby", "rubies")))
    stops = of(session.of_session(config(language="de"), 40, None), STOP)
    assert stops == [
        "2 of 4 texts have no translation into de and would appear in en, including "
        "'Nobody has translated this': run `mixed languages`."
    ]
    assert of(session.of_session(config(), 40, None), STOP) == []


def test_the_texts_of_every_treatment_are_checked(monkeypatch):
    monkeypatch.setattr(session, "_expected", lambda *_: None)
    plan = config("vote_company", language="es")
    sentences = of(session.of_session(plan, 96, None), GO)
    treatments = {line.partition(":")[0] for line in sentences if "People read es: all" in line}
    assert len(treatments) > 1
    assert all(name.startswith("Treatment ") for name in treatments)


# -- pay -------------------------------------------------------------------------------------


def people_of(setup: Setup) -> SimulatedPeople:
    return SimulatedPeople(("fixed:harvest=1",), setup.options.people_per_group, [])


def test_the_pay_of_people_by_hand():
    # four people take 1 of a stock that lasts: 20 points each, 2 + 0.5 * 20 = 12; capped at 15: 9.5
    session_config = config("commons_four_people")
    setup, _ = resolve("commons_game", session_config, session_config)
    paid = people_of(setup).paid(setup, terms_of(setup))
    assert paid.amounts == {"": [[pytest.approx(12.0)] * 4] * 2}
    session_config["pay_cap"] = 15.0
    setup, _ = resolve("commons_game", session_config, session_config)
    paid = people_of(setup).paid(setup, terms_of(setup))
    assert paid.amounts == {"": [[pytest.approx(9.5)] * 4] * 2}


@pytest.mark.parametrize(
    ("budget", "verdict", "words"),
    [
        # 2 + 0.12 * 20 = 4.40 each, 40 people 176; with the cap of 100 points 2 + 12 = 14, 560
        (170.0, STOP, "would be paid 176, but the budget is 170"),
        (180.0, LOOK, "the total would be 560, but the budget is 180"),
        (180.0, LOOK, "On average, in simulated plays, 40 people would be paid 176. If"),
        (560.0, GO, "176 of a budget of 560. The total can be at most 560."),
    ],
)
def test_the_budget_is_compared_with_the_pay_of_everybody(budget, verdict, words):
    rate = {"real_world_currency_per_point": 0.12}
    session_config = config("commons_four_people", bots="fixed:harvest=1", **rate)
    sentences = of(session.of_session(session_config, 40, budget), verdict)
    assert any(words in sentence for sentence in sentences), sentences


RATE = {"real_world_currency_per_point": 0.1}
GUESS = {
    "name": "guess",
    "text": "How much will the others take?",
    "type": "number",
    "every": 5,
    "about": "others_mean",
    "action": "harvest",
    "pay": "within",
    "margin": 1.0,
    "prize": 10.0,
}


@pytest.mark.parametrize(
    ("budget", "verdict", "words"),
    [
        # 2 + 0.1 * 20 = 4 each; 4 prizes of 10 points add 4: 80 for 10 people, without prizes 40
        (79.0, STOP, "10 people would be paid 80, with all prizes for answers, but the"),
        (81.0, LOOK, "the total would be 120, but the budget is 81"),
        (120.0, GO, "10 people would be paid 80, with all prizes for answers, of a budget"),
    ],
)
def test_the_budget_includes_the_prizes_for_answers(budget, verdict, words):
    session_config = config(bots="fixed:harvest=1", questions=json.dumps([GUESS]), **RATE)
    findings = list(session.of_session(session_config, 10, budget))
    assert any(words in sentence for sentence in of(findings, verdict)), told(findings)
    paid = next(line for line in of(findings, GO) if line.startswith("Each simulated person"))
    assert paid.endswith("participation fee; all prizes for answers would add 4.00.")


def test_the_most_that_is_paid_includes_prizes_and_says_if_there_is_none(monkeypatch):
    """The maximum is 2 + 0.1 * (20 * 12 + 4 * 10) = 30.00."""
    changes = {"questions": json.dumps([GUESS]), "pay_cap": 0.0, **RATE}
    findings = session.of_session(config(**changes), 10, None)
    assert (
        "Nobody can be paid more than 30.00: 20 periods with at most 12 points each and 40 for "
        "answers."
    ) in of(findings, GO)
    monkeypatch.setattr(pay, "points_per_period", lambda _: math.inf)
    unlimited = session.of_session(config(pay_cap=0.0), 10, None)
    assert (
        "One person's payment has no upper limit, because a period's points have no upper limit, "
        "and there is no cap (pay_cap)."
    ) in of(unlimited, LOOK)


def test_prizes_are_under_the_cap():
    """Cap points at 25. Of the 40 points won by answers, 5 are paid, at 0.50 each."""
    changes = {"questions": json.dumps([GUESS]), "pay_cap": 25.0, **RATE}
    session_config = config(bots="fixed:harvest=1", **changes)
    [line] = [
        line for _, line in told(session.of_session(session_config, 10, None)) if "prizes" in line
    ]
    assert line.endswith("all prizes for answers would add 0.50.")


def test_a_budget_is_judged_for_all_treatments_together():
    """An expensive treatment may cost more than its share if a cheap treatment costs less."""
    plan = reading.from_text(UNEQUAL, "unequal.toml")
    session_config = {
        **SESSION_CONFIG_DEFAULTS,
        **treatments.session_config("unequal", plan, SESSION_CONFIGS),
    }
    # 4 people take 1 of a stock that lasts, 2 + 0.1 * 20 = 4; 4 people take nothing, 2: 24 in total
    findings = list(session.of_session(session_config, 8, 25.0))
    assert of(findings, STOP) == []
    average = "On average, in simulated plays,"
    assert f"{average} 8 people would be paid 24, but the budget is 23." in of(
        session.of_session(session_config, 8, 23.0), STOP
    )
    # 3 on average; the eleventh person, who fills no group of both treatments, is paid too
    assert f"{average} 11 people would be paid 33, but the budget is 32." in of(
        session.of_session(session_config, 11, 32.0), STOP
    )


UNEQUAL = """
title = "Some and none"
session = "commons_four_people"
groups = 2
people = "fixed:harvest=1"
changes.real_world_currency_per_point = 0.1
changes.pay_cap = 100.0

[treatments.some]
meaning = "everybody takes what he or she likes"

[treatments.none]
meaning = "nobody takes anything"
changes.layers.power = { intensity = 1.0, limits = { member = { harvest = 0.0 } } }
"""


def test_pay_is_unknown_if_the_plan_names_no_simulated_people():
    nobody = UNEQUAL.replace('people = "fixed:harvest=1"', "")
    session_config = treatments.session_config(
        "unequal", reading.from_text(nobody, "unequal.toml"), SESSION_CONFIGS
    )
    whole = {**SESSION_CONFIG_DEFAULTS, **session_config}
    line = "The pay is unknown, because `people` does not name policies in place of people"
    looks = of(session.of_session(whole, 8, None), LOOK)
    assert sum(line in sentence for sentence in looks) == 2
    assert not any(
        line in of_given for _, of_given in told(session.of_session(whole, 8, None, "greedy"))
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["commons_talk", "sanctions_in_turn", "vote_effect"])
def test_preflight_and_plan_show_agree(name):
    """Durations, simulated people and pay are the same, block by block."""
    session_config = {**SESSION_CONFIG_DEFAULTS, **config(name)}
    plan = treatments.plan_of(session_config)
    assert plan is not None
    series = treatments.shipped_series(treatments.game_of(session_config), session_config)
    shown = "\n".join(showing.lines(plan, series, session_config))
    size = sum(setup.options.people_per_group for setup in series[0].values())
    findings = "\n".join(line for _, line in told(session.of_session(session_config, size, None)))
    amounts = r"\d+\.\d\d to \d+\.\d\d, \d+\.\d\d on average"
    paid = re.findall(rf"In all: .* pay ({amounts})" if plan.blocks else f"pay: ({amounts})", shown)
    assert paid == re.findall(f"is paid ({amounts})", findings) != []
    minutes = set(re.findall(r"play of .*?(\d+) minutes", shown))
    assert minutes == set(re.findall(r"The play lasts .*?(\d+) minutes", findings)) != set()
    people = r"Simulated people: .*"
    assert set(re.findall(people, shown)) == set(re.findall(people, findings)) != set()
    for apart in plan.people_apart:
        assert apart in shown
        assert apart in findings


BLOCKS = """
title = "Two plays"
session = "commons_four_people"
groups = 8
matching = "strangers"
matching_groups = 2
pay_blocks = "all"
people = "fixed:harvest=1"
changes.bots = "fixed:harvest=1"
changes.lobby_seconds = 300.0
changes.pay_cap = 100.0
changes.real_world_currency_per_point = 0.12

[treatments.all]
meaning = "everybody"

[[blocks]]
name = "long"
meaning = "twenty periods"

[[blocks]]
name = "short"
meaning = "five periods, or a rule"
[blocks.changes]
periods = 5
rules_seconds = 0.0
[blocks.changes.rules.open]
meaning = "everybody takes what he or she likes"
[blocks.changes.rules.none]
meaning = "nobody takes anything"
changes.layers.power = { intensity = 1.0, limits = { member = { harvest = 0.0 } } }
"""


@pytest.mark.parametrize("paid", ["all", "one"])
def test_all_blocks_of_a_plan_are_checked_and_paid(paid):
    """Pay 20 points in the first block to a person who takes 1, and 5 in the second, or none if
    that is chosen: 2 + 0.12 * 20 + 0 to 0.12 * 5 = 4.40 to 5.00, and 5.00 with the choice that
    earns the most. One block pays 2.00 to 4.40, on average (4.40 + 2.60) / 2 = 3.50. For 40 people
    that is 200 or 140.
    """
    plan = reading.from_text(BLOCKS.replace('"all"', f'"{paid}"', 1), "two_plays.toml")
    session_config = treatments.session_config("two_plays", plan, SESSION_CONFIGS)
    findings = list(session.of_session({**SESSION_CONFIG_DEFAULTS, **session_config}, 40, 187.0))
    text = " ".join(finding.sentence for finding in findings)
    low, mean, high, many = {
        "all": ("4.40", "5.00", "5.00", "all are"),
        "one": ("2.00", "3.50", "4.40", "one is"),
    }[paid]
    assert f"is paid {low} to {high}, {mean} on average (2 plays of each of 2 blocks" in text
    assert f"blocks, of which {many} paid); 2.00 of this is the participation fee" in text
    assert ("40 people would be paid 200, but the budget is 187" in text) is (paid == "all")
    assert "In all: plays without a time limit." in text
    assert "Block long: The play lasts at most 15 minutes: 20 periods" in text
    assert "Block short: The play lasts at most 4 minutes: 5 periods" in text
    assert "Block short: The vote on the rule has no time limit" in text
    assert text.count("a practice of 2 periods") == 1  # only in the first block
    silent = "A person who is silent"
    assert text.count(silent) == text.count(f"All blocks: {silent}") == 1
    uneven = session.of_session({**SESSION_CONFIG_DEFAULTS, **session_config}, 36, None)
    [missing] = [sentence for sentence in of(uneven, LOOK) if "matching groups" in sentence]
    assert "36 people cannot form complete matching groups (matching_groups = 2)" in missing


def test_every_ending_in_any_block_has_a_link():
    """Play another game in the last block, where nobody can fail the quiz."""
    links = {status: "https://panel.org" for status in STATUSES if status != "quiz_failed"}
    session_config = config(completion_links=json.dumps(links), quiz_tries=2, quiz_failed="end")
    first, last = (
        resolve("commons_game", variant, variant)[0].options
        for variant in (session_config, {**session_config, "quiz_tries": 0})
    )
    sentences = of(session._links([first, last]), LOOK)
    assert sentences == [
        "There is no link for people whose part ends as quiz_failed (completion_links)."
    ]


# -- the command -----------------------------------------------------------------------------


def stopped(name: str, people: int) -> list[str]:
    """Return what prevents a session of the project from starting with this many people."""
    return of(looked_at(settings, name, people, None, ANYWHERE, CLOSED), STOP)


@pytest.mark.parametrize("paid", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_shipped_session_can_begin(paid, monkeypatch):
    """In `make test`, skip the bots' plays, which estimate the pay.

    If eight groups do not fill all treatments, the finding names a number of people that does.
    """
    monkeypatch.setattr(simulated_people, "PLAYS", 1)
    if not paid:
        monkeypatch.setattr(session, "_expected", lambda *_: None)
    for session_config in SESSION_CONFIGS:
        size = session_config["people_per_group"] * session_config["parts"]
        stops = stopped(session_config["name"], 8 * size)
        if whole := re.search(r"one group per treatment requires (\d+) people", " ".join(stops)):
            stops = stopped(session_config["name"], 8 * int(whole[1]))
        # only the published key of the sources
        assert all("SECRET_KEY" in sentence for sentence in stops), (session_config["name"], stops)


def test_the_command_says_go_or_no_go(monkeypatch, capsys):
    for name, value in CLOSED.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr("settings.SECRET_KEY", KEY)
    assert main(["preflight", "commons", "--people", "3"]) == 0
    assert capsys.readouterr().out.endswith("\ngo\n")
    assert main(["preflight", "commons_two_people", "--people", "3"]) == 1
    output = capsys.readouterr().out
    assert "STOP  3 people cannot form complete groups" in output
    assert output.endswith("\nno go: 1 to fix\n")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("comons", 4, None), UnknownName, "did you mean 'commons'"),
        (("commons", 0, None), ConfigError, "people = 0: should be at least 1"),
        (("commons", 4, -1.0), ConfigError, "budget = -1: should be greater than 0"),
    ],
)
def test_impossible_requests_are_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        looked_at(settings, *arguments, ANYWHERE, CLOSED)


# -- at the edges ----------------------------------------------------------------------------


def make_setup(name: str = "commons_two_people", **changes: Any) -> Setup:
    session_config = config(name, **changes)
    return resolve("commons_game", session_config, session_config)[0]


def told(findings: Any) -> list[tuple[str, str]]:
    return [(finding.verdict.name, finding.sentence) for finding in findings]


@pytest.mark.parametrize(
    ("options", "looks"),
    [
        ({"dropout": "end", "grace_seconds": 60.0}, []),
        (
            {"dropout": "end", "grace_seconds": 59.5},
            ["A connection lost for 59.5 s ends the game for the whole group."],
        ),
        ({"decision_seconds": 0.0, "grace_seconds": 600.0}, []),
        (
            {"decision_seconds": 0.0, "grace_seconds": 600.5},
            ["Without a time limit, a group waits 10 minutes for a person who has left."],
        ),
        ({"decision_seconds": 1.0, "grace_seconds": 900.0}, []),
    ],
)
def test_a_short_or_long_grace_time_is_reported(options, looks):
    first, *others = session._who_leaves(make_setup(**options).options)
    assert first.verdict is GO
    assert told(others) == [("LOOK", line) for line in looks]


@pytest.mark.parametrize(
    ("people", "options", "finding"),
    [
        (
            9,
            {"people_per_group": 3, "parts": 3},
            "9 people in groups of 3, each group with 1 bot (imitator).",
        ),
        (
            6,
            {"people_per_group": 3, "parts": 2},
            "6 people in groups of 3, each group with 1 bot (imitator).",
        ),
        (
            session.CARRIED,
            {"people_per_group": 4},
            f"{session.CARRIED} people in groups of 4, one person per seat.",
        ),
    ],
)
def test_the_maximum_number_of_people_is_accepted(people, options, finding):
    assert session._groups(make_setup(**options), people) == Finding(GO, finding)


def test_the_number_of_people_missing_for_whole_groups_is_reported():
    assert told([session._groups(make_setup(people_per_group=3, parts=3), 6)]) == [
        ("STOP", "6 people cannot form a group in each part: people_per_group times parts is 9.")
    ]


def test_the_minutes_of_a_play_are_reported_with_its_pauses():
    by_clock = {"pace": "clock", "decision_seconds": 2.0}
    pauses = {"dropout": "pause", "pause_seconds": 30.0}
    assert told(session._minutes(make_setup(decision_seconds=0.0))) == [
        ("LOOK", "Decisions have no time limit: a group waits for its slowest person.")
    ]
    assert told(session._minutes(make_setup(**by_clock, periods=60))) == [
        ("GO", "The play lasts 2 minutes: 60 periods, 2 s per decision.")
    ]
    # 20 periods of 45 s: 900 s, 15 minutes; in turn four times that
    for turns, minutes in (({}, 15), ({"agents": '{"timing": "sequential"}'}, 60)):
        assert told(session._minutes(make_setup(**turns))) == [
            ("GO", f"The play lasts at most {minutes} minutes: 20 periods, 45 s per decision.")
        ]
    talk = {"talk": "free", "talk_when": "before", "talk_seconds": 60.0, "decision_seconds": 45.0}
    assert told(session._minutes(make_setup(**talk, periods=4))) == [
        (
            "GO",
            "The play lasts at most 4 minutes: 4 periods, 45 s per decision, 60 s for each time to "
            "talk.",
        )
    ]
    assert told(session._minutes(make_setup(**pauses, periods=4, decision_seconds=45.0))) == [
        ("GO", "The play lasts at most 3 minutes: 4 periods, 45 s per decision."),
        ("LOOK", "It takes up to 75 s more each time a person drops out (dropout pause)."),
    ]


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ({}, []),
        ({"quiz_tries": 3, "quiz_failed": "go_on"}, []),
        ({"quiz_tries": 0, "quiz_failed": "end"}, []),
        ({"quiz_tries": 3, "quiz_failed": "end"}, ["quiz_failed"]),
        ({"quiz": False, "quiz_tries": 3, "quiz_failed": "end"}, []),
        ({"consent": "I agree."}, ["no_consent"]),
    ],
)
def test_people_can_end_in_the_ways_of_the_session(options, more):
    ways = session._ways_to_end(make_setup(**options).options)
    always = [way for way in STATUSES if way not in ("quiz_failed", "no_consent", "excluded")]
    assert set(ways) == {*always, *more}


def test_every_custom_text_is_named_by_its_key():
    roles = {"roles": {"a": {}, "b": {}}, "seats": ["a", "b", "a", "b"]}
    setup = make_setup(
        consent="I agree.",
        disclosure_text="Some may be bots.",
        questions=AGE,
        talk="list",
        talk_sentences=["Let us take less."],
        agents=json.dumps(roles),
    )
    assert words._own(setup) == [
        *("consent", "disclosure_text", "questions", "talk_sentences", "agents.roles")
    ]
    assert words._own(make_setup()) == []


@pytest.mark.parametrize(
    ("allowed", "verdict", "sentence"),
    [
        (
            "never",
            "GO",
            "People can come back in the browser where they started, with a personal link "
            "(return_by_label = never).",
        ),
        (
            "room",
            "GO",
            "People can come back in the browser where they started, with a personal link or, in a "
            "room with a label file, with the label (return_by_label = room).",
        ),
        (
            "always",
            "LOOK",
            "Anybody who knows a person's label or panel ID can take that person's seat "
            "(return_by_label = always).",
        ),
    ],
)
def test_the_parameters_that_people_return_with_are_reported(allowed, verdict, sentence):
    options = make_setup(return_by_label=allowed).options
    assert told([session._return(options)]) == [(verdict, sentence)]


def test_a_limit_that_adds_up_parts_of_the_points_says_so():
    """A seat keeps at most 20 points, and the pool of four earns it at most 32, but not both."""
    findings = session.of_session(config("sanctions_without", pay_cap=0.0), 8, None)
    [limit] = [line for line in of(findings, GO) if "with at most" in line]
    assert "with at most 52 points each (the sum of the maximums of all parts)" in limit


# -- a space of designs ----------------------------------------------------------------------------

SPACE = """
title = "A space"
session = "commons_two_people"
groups = 1
people = "greedy"
[space]
points = 4
[space.variables]
periods = { low = 3, high = 6 }
people_per_group = { choices = [2, 3] }
"""


@pytest.mark.parametrize(
    ("people", "assignment", "verdict", "sentence"),
    [
        (10, "by_group", GO, "10 people: one group in each of 4 treatments requires 10"),
        (7, "by_group", LOOK, "About 2 groups form; their treatments are drawn"),
        (7, "balanced", STOP, "people would wait for others who never arrive"),
        (2, "by_group", STOP, "2 people cannot form a group of 3."),
        (3, "by_group", LOOK, "About 1 group forms"),
        (1000, "by_group", STOP, "has been tested with 992 people"),
    ],
)
def test_a_space_says_how_many_of_its_points_a_session_can_have(
    people, assignment, verdict, sentence
):
    text = f'assignment = "{assignment}"\n{SPACE}'
    plan = reading.from_text(text, "space.toml")
    session_config = {
        **SESSION_CONFIG_DEFAULTS,
        **treatments.session_config("a_space", plan, SESSION_CONFIGS),
    }
    findings = list(session.of_session(session_config, people, None))
    assert sentence in findings[0].sentence
    assert findings[0].verdict is verdict
    sentences = [finding.sentence for finding in findings]
    assert len(sentences) == len(set(sentences))
    assert any("3 periods" not in s and "4 treatments, 2 plays of each" in s for s in sentences)
