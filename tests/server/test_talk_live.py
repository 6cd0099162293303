"""Talk over live channels: recipients, rejected messages, and the export."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES
from tests.door import harness
from tests.door.harness import Live, seated, synced
from tests.server.wire import server

__all__ = ["server"]  # a fixture

TALK: dict[str, Any] = {
    "quiz": False,
    "talk": "free",
    "talk_seconds": 600.0,
    "bots": "promises_and_keeps,promises_and_breaks",
    "bot_delay": "fixed:seconds=1",
    "talk_blocklist": '["fool"]',
}
_names = itertools.count()


def tell(live: Live, message: dict[str, Any]) -> dict[str, Any]:
    """Send a message with a new id, and return its ack or rejection."""
    name = f"t{next(_names)}"
    live.send({"id": name, **message})
    while True:
        answer = live.receive()
        if answer["kind"] in ("ack", "refused") and answer["id"] in (name, message.get("id")):
            return answer


def texts(live: Live) -> list[str]:
    return [message["text"] for message in synced(live)["talk"]["messages"]]


def wait_until(live: Live, reached: Callable[[dict[str, Any]], bool]) -> None:
    """Wait for a view of the page that meets the condition."""
    view = synced(live)
    while not reached(view):
        view = live.receive("view")


HOSTILE: list[tuple[dict[str, Any], str]] = [
    ({"kind": "say", "text": "a" * 10_000}, "10000 characters, but at most 200 are allowed"),
    ({"kind": "say", "text": "a\x00b"}, "a character that cannot be shown"),
    ({"kind": "say", "text": " "}, "the message is empty"),
    ({"kind": "say", "text": ["a"]}, "text = ['a']: should be a string"),
    ({"kind": "say", "text": "a", "sentence": 0}, "text, sentence: set exactly one of the two"),
    ({"kind": "say"}, "text, sentence: set exactly one of the two"),
    ({"kind": "say", "sentence": 0}, "there are no sentences to choose from"),
    ({"kind": "say", "sentence": True}, "sentence = True: should be a whole number"),
    ({"kind": "say", "text": "a", "to": 99}, "not to one player"),
    ({"kind": "say", "text": "a", "to": "0"}, "to = '0': should be a whole number"),
    ({"kind": "say", "text": "a", "to": 10**30}, "should be a whole number"),
    ({"kind": "say", "text": "you FOOL"}, "a word that is not allowed here"),
    ({"kind": "report", "message": 99}, "this message cannot be reported"),
    ({"kind": "report", "message": None}, "message = None: should be a whole"),
    ({"kind": "done"}, "period: is missing"),
]


def test_people_talk_by_sockets_and_their_export_is_in_order(server, tmp_path):
    people_talk(server, tmp_path)


def people_talk(server: harness.Server, folder: Path) -> None:
    """Let two people talk and play on any server, and audit the export."""
    session = server.session("commons_two_people", 2, periods=2, **TALK)
    (_, first), (_, second) = seated(server, session, 2)
    assert synced(first)["phase"] == "talk"
    for message, words in HOSTILE:
        answer = tell(first, message)
        assert answer["kind"] == "refused", message
        assert words in answer["reason"], message
    assert tell(first, {"kind": "say", "text": "<b>=1+1</b>", "id": "same"})["kind"] == "ack"
    assert tell(first, {"kind": "say", "text": "<b>=1+1</b>", "id": "same"})["kind"] == "ack"
    assert texts(second).count("<b>=1+1</b>") == 1
    number = next(
        m["number"] for m in synced(second)["talk"]["messages"] if m["text"] == "<b>=1+1</b>"
    )
    assert tell(second, {"kind": "report", "message": number})["kind"] == "ack"
    flood = [tell(first, {"kind": "say", "text": f"{n}"})["kind"] for n in range(30)]
    assert flood.count("ack") == 12 - 2  # one was blocked, and one was sent before
    for period in range(2):
        for live in (first, second):
            assert tell(live, {"kind": "done", "period": period})["kind"] == "ack"
        wait_until(first, lambda view: view["phase"] != "talk")
        for live in (first, second):
            assert live.act(period, f"a{period}", harvest=2, contribution=0)["kind"] == "ack"
        wait_until(first, lambda view: view["period"] > period or view["phase"] == "over")  # noqa: B023
    assert tell(first, {"kind": "say", "text": "Bye"})["reason"] == "the game is over"
    path = folder / "talk.zip"
    path.write_bytes(server.archive(session["code"]))
    assert [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES] == []
    messages = analysis.load(path, "commons_game").messages
    assert messages is not None
    row = messages[messages["text"] == "<b>=1+1</b>"].iloc[0]
    assert row["reported_by"] != ""
    assert messages["blocked"].sum() == 1
    assert {"I will take 2."} == set(messages.loc[messages["occupant"] == "policy", "text"])


def test_a_session_without_talk_exports_no_such_table(server, tmp_path):
    session = server.session("commons", 1, quiz=False, bot_delay="instant", periods=1)
    ((_, live),) = seated(server, session)
    assert "talk" not in synced(live)
    assert (
        tell(live, {"kind": "say", "text": "a"})["reason"]
        == "players cannot write messages in this game"
    )
    live.act(0, "a", harvest=1, contribution=0)
    path = tmp_path / "silent.zip"
    path.write_bytes(server.archive(session["code"]))
    assert analysis.load(path, "commons_game").messages is None
