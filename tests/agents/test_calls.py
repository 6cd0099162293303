"""Tests of the table of calls to a language model: its rows, its replay, and the budget."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.agents.client import Client
from mixed_company.agents.llm.calls import Budget, Calls, Recorded
from mixed_company.agents.llm.model import ModelError, Question, Reply
from mixed_company.agents.llm.player import Players
from mixed_company.agents.llm.treatment import Treatment
from mixed_company.engine.contract.errors import LogError
from tests.agents.test_llm import Punishers, Scripted, run
from tests.loops import complete

GAME: dict[str, Any] = {
    "kind": "game",
    "place": "a/1/0",
    "game": "a",
    "seat": 0,
    "instructions": "",
    "rules": "",
}
GAME["talk"] = {"sentences": [], "length": 100, "one": False, "partners": []}
VIEW: dict[str, Any] = {
    "kind": "view",
    "place": "a/1/0",
    "period": 0,
    "remaining_ms": None,
    "text": "",
    "asked": "",
}
VIEW["schema"] = {"type": "object", "properties": {"harvest": {"type": "number"}}, "required": []}
VIEW["talk"] = {"open": True}


def test_an_error_of_the_model_is_a_call_without_an_answer():
    _, calls = run(Scripted(ModelError("overloaded")), periods=1)
    assert [row["error"] for row in calls.rows if not row["answer"]] == ["overloaded"]


def test_a_budget_of_money_ends_the_questions():
    """Pay for 100 tokens at 10 and 10 tokens at 20 per million. A call costs 0.0012, so the budget
    does not allow a fifth one."""
    budget = Budget(money=0.0048, price_in=10.0, price_out=20.0)
    play, calls = run(Scripted(), budget=budget)
    assert [row["cost"] for row in calls.rows] == [0.0012] * 4
    assert {fault["detail"] for fault in play["faults"]} == {
        "gave up: the budget of 0.0048 has been used up"
    }
    assert budget.spent == pytest.approx(0.0048)


def test_a_budget_of_tokens_needs_no_prices():
    """Count 110 tokens per call. After four calls, 440 tokens are used, and the limit is 400."""
    play, calls = run(Scripted(), budget=Budget(tokens=400))
    assert [row["cost"] for row in calls.rows] == [0.0] * 4
    assert {fault["detail"] for fault in play["faults"]} == {
        "gave up: the budget of 400 tokens has been used up"
    }


def test_tokens_that_are_not_reported_are_estimated():
    """Estimate 8 bytes as 2 tokens, and 5 bytes as 2."""
    budget = Budget(price_in=10.0, price_out=100.0)
    question = Question([{"role": "user", "content": "How many"}])
    assert budget.charge(question, Reply("n\u00fcll", "scripted-1")) == pytest.approx(220 / 1e6)
    assert budget.tokens_used == 4


def test_an_empty_answer_is_charged():
    """Pay for 12 empty answers: 3 attempts for each of 4 seats."""
    budget = Budget(price_in=10.0, price_out=20.0)
    play, calls = run(Scripted(*[""] * 12), budget=budget, periods=1)
    assert {(row["error"], row["cost"]) for row in calls.rows} == {("it is empty", 0.0012)}
    assert len(play["faults"]) == 4
    assert budget.spent == pytest.approx(12 * 0.0012)


def test_a_budget_of_time_ends_the_questions():
    budget = Budget(minutes=1.0, began=-1e9)
    play, calls = run(Scripted(), budget=budget, periods=1)
    assert calls.rows == []
    assert (
        play["faults"][0]["detail"] == "gave up: the run's time limit of 1 minutes has been reached"
    )


def test_a_recorded_run_is_replayed_without_a_model(tmp_path):
    path = tmp_path / "calls.jsonl"
    calls = Calls(path)
    answer = '{"action": {"harvest": 1.5, "contribution": 0}}'
    model = Scripted("nonsense", answer, "", ModelError("busy", 0.0), ModelError("no key", None))
    first, _ = run(model, calls=calls)
    calls.close()
    again, _ = run(Recorded(path, "scripted"))
    assert again == first
    other, _ = run(Recorded(path, "scripted"), Treatment("thinking", chain_of_thought=True))
    assert {fault["detail"] for fault in other["faults"]} == {
        "gave up: this question is not in the recorded run"
    }


class Overspenders(Punishers):
    """Models that first assign more points than they have and, after the error, assign none."""

    async def reply(self, question: Question) -> Reply:
        reply = await super().reply(question)
        if "assign" not in reply.text:
            return reply
        points = json.loads(reply.text)["action"]["assign"]
        refused = "was refused" in question.messages[-1]["content"]
        many = [0 if refused else 100 * amount for amount in points]
        return Reply(json.dumps({"action": {"assign": many}}), "punishers-1")


def test_the_table_of_calls_says_what_the_table_refused(tmp_path):
    path = tmp_path / "calls.jsonl"
    calls = Calls(path)
    model = Overspenders()
    play, _ = run(model, periods=1, changes={"peer": "punishment"}, calls=calls)
    calls.close()
    assert play["faults"] == []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert sorted(row["call"] for row in rows) == list(range(12))
    refused = [row for row in rows if row["error"]]
    assert {json.loads(row["action"])["assign"][row["seat"]] for row in refused} == {0}
    assert len(refused) == 4
    again = [question.messages for question in model.questions if len(question.messages) == 6]
    assert [message["role"] for message in again[0][-2:]] == ["assistant", "user"]
    assert again[0][-2]["content"] == '{"action": {"assign": [0, 0, 0, 100]}}'
    assert {row["error"].split(":")[0] for row in refused} == {"refused"}


def test_the_table_of_calls_says_which_message_was_refused(tmp_path):
    path = tmp_path / "calls.jsonl"
    calls = Calls(path)
    model = Scripted('{"message": "   "}')
    play, _ = run(model, periods=1, talk="free", talk_when="periods", calls=calls)
    calls.close()
    assert [message["seat"] for message in play["messages"]] == [1, 2, 3]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    [refused] = [row for row in rows if row["error"]]
    assert (refused["purpose"], refused["seat"]) == ("talk", 0)
    assert refused["error"] == "refused: the message is empty"


@pytest.mark.parametrize("memory", ["transcript", "summary"])
def test_defaults_after_refusals_of_a_server_are_counted_and_recorded(memory):
    """Let a server reject every decision and every message of one seat."""
    calls = Calls()
    players = Players(Scripted(), Treatment("notes", memory=memory), calls, Budget())
    sent: list[dict[str, Any]] = []

    async def send(text: str) -> None:
        message = json.loads(text)
        sent.append(message)
        kind = "refused" if message["kind"] in ("act", "say") else "ack"
        agent._take({"kind": kind, "id": message["id"], "reason": "no"})

    agent = Client(players.decide, players.talk, refused=players.refused)

    async def play() -> None:
        agent._socket = SimpleNamespace(send=send)
        agent._take(GAME)
        for phase in ("talk", "decide"):
            agent._take({**VIEW, "phase": phase})
            busy = agent._seats["a/1/0"].busy
            assert busy is not None
            await busy

    complete(play())
    assert [message["kind"] for message in sent] == ["say", "done", *["act"] * 3, "give_up"]
    assert (players.decisions, players.defaults) == (1, 1)
    questions = [row for row in calls.rows if row["purpose"] != "summary"]
    assert [(row["purpose"], row["error"]) for row in questions] == [
        ("talk", "refused: no"),
        *[("decide", "refused: no")] * 3,
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("no JSON", "line 2: not JSON"),
        ("[" * 100_000, "line 2: not JSON"),
        ("[1]", r"line 2: not a call: \[1\]"),
        ('{"prompt_hash": 7}', "line 2: prompt_hash = 7: sha256 of"),
        (
            '{"prompt_hash": "a", "answer": "1", "error": "", "model": "", "prompt_tokens": true}',
            "line 2: prompt_tokens = True: tokens in the question",
        ),
    ],
)
def test_an_invalid_table_of_calls_is_refused_by_its_line(tmp_path, line, words):
    path = tmp_path / "calls.jsonl"
    calls = Calls(path)
    calls.add(Question([]), "a", prompt_hash="a", error="nothing came", model="", prompt_tokens=0)
    calls.close()
    Recorded(path, "scripted")
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(LogError, match=words):
        Recorded(path, "scripted")
