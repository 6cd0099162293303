"""Tests of a language model in seats: its prompts, records and budget."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.agents.llm.calls import COLUMNS, Budget, Calls
from mixed_company.agents.llm.model import ModelError, Question, Reply
from mixed_company.agents.llm.offline import AGENT, outcome, played, summary
from mixed_company.agents.llm.player import Players
from mixed_company.agents.llm.stub import filled
from mixed_company.agents.llm.treatment import PROMPTS, Treatment, read
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.setup import Setup
from tests.loops import complete

PLAIN = Treatment("plain")


def words(setup: Setup) -> str:
    return f"Instructions for {setup.game.seats} players in {setup.options.language}."


class Scripted:
    """Model that first gives scripted answers, and then answers that fit the schema."""

    name = "scripted"

    def __init__(self, *first: str | ModelError) -> None:
        self.first = list(first)
        self.questions: list[Question] = []

    async def reply(self, question: Question) -> Reply:
        self.questions.append(question)
        if self.first:
            answer = self.first.pop(0)
            if isinstance(answer, ModelError):
                raise answer
            return Reply(answer, "scripted-1", 100, 10)
        text = "my notes" if question.schema is None else json.dumps(filled(question.schema))
        return Reply(text, "scripted-1", 100, 10)


def run(model: Any, treatment: Treatment = PLAIN, **more: Any) -> tuple[dict[str, Any], Calls]:
    """Run a play of the commons with one model in all seats."""
    calls, budget = more.pop("calls", None) or Calls(), more.pop("budget", Budget())
    archetype, periods = more.pop("archetype", "lab"), more.pop("periods", 2)
    changes, instructions = more.pop("changes", {}), more.pop("instructions", words)
    game = engine.make("commons_game", archetype=archetype, periods=periods, **changes)

    async def play() -> dict[str, Any]:
        players = Players(model, treatment, calls, budget)
        return await played(game, 7, players, instructions, **more)

    return complete(play()), calls


def test_models_play_among_themselves_without_a_server():
    """Each of four seats requests 6, midway between 0 and 12: 24 of 50 fish in each of two
    periods."""
    play, calls = run(Scripted())
    assert [row["used"]["harvest"] for row in play["periods"]] == [[6.0] * 4] * 2
    assert play["points"] == [12.0] * 4
    assert play["policies"] == [AGENT] * 4
    assert len(calls.rows) == 8
    assert all(set(row) == set(COLUMNS) for row in calls.rows)
    assert {row["action"] for row in calls.rows} == {'{"harvest": 6.0, "contribution": 0.0}'}
    assert {row["model"] for row in calls.rows} == {"scripted-1"}


def test_the_measures_of_a_play_are_those_of_govsim():
    """Let each of four seats take 6 of 50 fish, although 4 each (16) are sustainable. The total of
    48 exceeds 2 * 16."""
    play, _ = run(Scripted(), archetype="lab_0_8")
    measures = play["measures"]
    assert measures["survival_time"] == 2
    assert measures["survived"]
    assert measures["gain"] == (12.0,) * 4
    assert measures["efficiency"] == 1.0
    assert measures["equality"] == 1.0
    assert measures["over_usage"] == 1.0


def test_measures_by_hand():
    """Check the two plays in the docstring of `agents.llm.offline`: f = 50, five fishers."""
    fair = outcome([[10.0] * 5] * 12, [50.0] * 12, 12)
    assert fair == (12, True, (120.0,) * 5, 1.0, 1.0, 0.0)
    greedy = outcome([[20.0, 0.0, 0.0, 0.0, 0.0]], [50.0], 12)
    assert greedy.survival_time == 1
    assert not greedy.survived
    assert greedy.efficiency == pytest.approx(20 / 600)
    assert greedy.equality == pytest.approx(0.2)
    assert greedy.over_usage == 0.2


@pytest.mark.parametrize(
    ("gains", "equality", "over_usage"),
    [
        ((29.0, 41.0, 10.0, 10.0, 10.0), 67.6, 40.0),
        ((30.0, 30.0, 10.0, 10.0, 20.0), 76.0, 60.0),
        ((19.0, 22.0, 18.0, 17.0, 24.0), 92.8, 100.0),
        ((21.0, 30.0, 0.0, 23.0, 26.0), 74.0, 80.0),
        ((40.0, 5.0, 0.0, 10.0, 45.0), 50.0, 40.0),
    ],
)
def test_plays_of_a_replication_give_its_published_measures(gains, equality, over_usage):
    """Check the measures, in per cent, of five plays of the fishery that ended in their first
    period.

    Source: govsim_metrics.csv of github.com/Ovanerven/Replication_GovSim, commit 42418c8.
    """
    play = outcome([gains], [50.0], 12)
    assert (play.survival_time, play.survived) == (1, False)
    assert 100 * play.efficiency == pytest.approx(16.666666666666664)
    assert 100 * play.equality == pytest.approx(equality)
    assert 100 * play.over_usage == pytest.approx(over_usage)


class Fishers(Scripted):
    """Models that take this many fish in every period."""

    def __init__(self, harvest: float) -> None:
        super().__init__()
        self.harvest = harvest

    async def reply(self, question: Question) -> Reply:
        if question.schema is None or "action" not in question.schema["properties"]:
            return await super().reply(question)
        answer = {"action": {"harvest": self.harvest, "contribution": 0}}
        return Reply(json.dumps(answer), "fishers-1")


class Punishers(Scripted):
    """Models that take 2 fish each, and assign one point to the last of the other players."""

    async def reply(self, question: Question) -> Reply:
        self.questions.append(question)
        assert question.schema is not None
        fields = question.schema["properties"]["action"]["properties"]
        if "assign" not in fields:
            return Reply('{"action": {"harvest": 2, "contribution": 0}}', "punishers-1")
        listed = fields["assign"]["description"].split("may get points: ")[1].split(".")[0]
        points = [0] * fields["assign"]["maxItems"]
        points[int(listed.split(", ")[-1])] = 1
        return Reply(json.dumps({"action": {"assign": points}}), "punishers-1")


def test_models_decide_in_both_stages_of_a_game_with_peer_points():
    """All four take 2 each. Players 1 to 3 each pay 1 for a point against player 4, which takes
    3."""
    play, calls = run(Punishers(), periods=1, changes={"peer": "punishment"})
    assert {row["error"] for row in calls.rows} == {""}
    assert len(calls.rows) == 4 * 2
    assert play["periods"][0]["used"]["assign"] == [[0, 0, 0, 1]] * 3 + [[0, 0, 1, 0]]
    assert play["points"] == [1.0, 1.0, -2.0, -8.0]


@pytest.mark.parametrize(
    ("harvest", "measured"),
    [
        # 50 of 100 remain and double, forever: 12 * 50 = 600 of 600
        (10.0, (12, True, 120.0, 1.0, 0.0)),
        # 45 remain, 90; 35, 70; 15, 30 for 55, 6 each; f(0) = 50, so 39 * 5 = 195 of 600. The
        # equal shares of the thresholds 50, 45, 35, 15 are 10, 9, 7, 3: all requests exceed them
        (11.0, (4, False, 39.0, 195 / 600, 1.0)),
        # everything at once: 20 each, 100 of 600
        (100.0, (1, False, 20.0, 100 / 600, 1.0)),
    ],
)
def test_the_fishing_of_govsim_with_talk_between_harvests(harvest, measured):
    more: dict[str, Any] = {
        "archetype": "fishing",
        "periods": 12,
        "talk": "free",
        "talk_when": "periods",
    }
    play, _ = run(Fishers(harvest), **more)
    measures = play["measures"]
    time, survived, gain, efficiency, over_usage = measured
    assert (measures["survival_time"], measures["survived"]) == (time, survived)
    assert measures["gain"] == pytest.approx((gain,) * 5)
    assert measures["efficiency"] == pytest.approx(efficiency)
    assert measures["equality"] == pytest.approx(1.0)
    assert measures["over_usage"] == over_usage
    assert {message["period"] for message in play["messages"]} == set(range(len(play["periods"])))


def test_a_summary_is_the_mean_of_plays():
    fair = outcome([[10.0] * 5] * 12, [50.0] * 12, 12)
    greedy = outcome([[20.0, 0.0, 0.0, 0.0, 0.0]], [50.0], 12)
    assert summary([fair, greedy]) == pytest.approx(
        {
            "survival rate": 1 / 2,
            "survival time": 6.5,
            "gain": (120 + 4) / 2,
            "efficiency": (1 + 20 / 600) / 2,
            "equality": (1 + 0.2) / 2,
            "over-usage": 0.1,
        }
    )


def test_invalid_json_is_requested_again_with_the_reason():
    model = Scripted("I take two.")
    play, calls = run(model, bots=f"{AGENT},sustainable", periods=1)
    assert play["faults"] == []
    wrong = [row for row in calls.rows if row["error"]]
    assert [(row["attempt"], row["error"], row["answer"]) for row in wrong] == [
        (0, "it is not JSON", "I take two.")
    ]
    last = [question.messages[-1]["content"] for question in model.questions]
    asked_again = [text for text in last if "cannot be used" in text]
    assert asked_again[0].startswith("That cannot be used: it is not JSON")


def test_a_model_that_never_answers_well_gives_up_and_the_default_counts():
    play, _ = run(Scripted(*["nonsense"] * 12), periods=1)
    assert [row["used"]["harvest"] for row in play["periods"]] == [[0.0] * 4]
    assert {fault["detail"] for fault in play["faults"]} == {"gave up: it is not JSON"}
    assert len(play["faults"]) == 4


def test_a_treatment_changes_what_the_model_is_asked():
    treatment = Treatment(
        "all", persona="You are Ann.", chain_of_thought=True, universalisation="If all did so?"
    )
    model = Scripted()
    _, calls = run(model, treatment, periods=1)
    messages, schema = model.questions[0].messages, model.questions[0].schema
    assert schema is not None
    assert messages[0]["content"].startswith(
        "You are Ann.\n\nInstructions for 4 players in en.\n\nThe game is commons game"
    )
    assert "If all did so?" in messages[-1]["content"]
    assert list(schema["properties"]) == ["rationale", "action"]
    assert "default" not in json.dumps(schema)
    assert calls.rows[0]["rationale"] == "Let us all take the same."


def test_a_treatment_sets_how_the_model_is_asked():
    """Check that all seats of all plays have different seeds, and that another run has the same
    ones.
    """
    treatment = Treatment("t", response_format="tools", temperature=0.5, seed=3, max_tokens=40)
    first, again = Scripted(), Scripted()
    for model in (first, again):
        run(model, treatment, periods=2)
    assert first.questions == again.questions
    sent = [question.sampling for question in first.questions]
    assert {(numbers["temperature"], numbers["max_tokens"]) for numbers in sent} == {(0.5, 40)}
    assert len({numbers["seed"] for numbers in sent}) == len(sent) == 8
    assert {question.form for question in first.questions} == {"tools"}
    form = '{"action": {"harvest": a number, "contribution": a number}}'
    last = first.questions[0].messages[-1]["content"]
    assert last.endswith(f"Call the function answer with {form}.")
    plain = Scripted()
    run(plain, periods=1)
    assert plain.questions[0].sampling == {}


def test_a_transcript_keeps_periods_and_a_summary_its_own_notes():
    model = Scripted()
    run(model, periods=3)
    last = model.questions[-1].messages
    assert [message["role"] for message in last] == ["system", *["user", "assistant"] * 2, "user"]
    model = Scripted()
    _, calls = run(model, Treatment("notes", memory="summary"), periods=2)
    assert [row["purpose"] for row in calls.rows].count("summary") == 8
    last = [question.messages for question in model.questions if question.schema is not None][-1]
    assert last[1]["content"] == "Your notes so far: my notes"


def test_models_talk_before_they_decide():
    play, calls = run(Scripted(), periods=2, talk="free", talk_when="periods")
    assert [(message["period"], message["seat"]) for message in play["messages"]] == [
        (period, seat) for period in range(2) for seat in range(4)
    ]
    assert {row["purpose"] for row in calls.rows} == {"talk", "decide"}
    model = Scripted()
    run(model, periods=1, talk="free", talk_when="periods")
    deciding = [question for question in model.questions if "action" in str(question.schema)]
    assert "Player 2 wrote: Let us all take the same." in deciding[0].messages[-1]["content"]


@pytest.mark.parametrize("name", ["plain", "thinking", "universal"])
def test_prompt_files_are_read_by_their_names(name):
    assert read(name).name == name
    assert {file.stem for file in PROMPTS.glob("*.toml")} == {"plain", "thinking", "universal"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("persona = 3", "persona = 3: should be text"),
        ("chain_of_thought = 1", "should be true or false"),
        ("personna = 'x'", "did you mean"),
        ("memory = 'none'", "should be one of transcript, summary"),
        ("response_format = 'yaml'", "should be one of json_schema, json_object, tools, text"),
        ("seed = 1.5", "should be a whole number"),
        ("max_tokens = 0", "at least 1"),
        ("temperature = nan", "at least 0"),
        ("remember = -1", "at least 0"),
        ("name =", "Invalid"),
    ],
)
def test_a_wrong_prompt_file_is_refused_by_its_key(tmp_path, text, reason):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=reason):
        read(str(path))
