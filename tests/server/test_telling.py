"""Talk messages are sent with a view: all of them, or only those that are new to a seat."""

from __future__ import annotations

from typing import Any

from mixed_company.server.open.outgoing import Told


def view(*numbers: int) -> dict[str, Any]:
    messages = [{"number": number} for number in numbers]
    return {"period": 1, "talk": {"open": True, "messages": messages}}


def numbers(sent: dict[str, Any]) -> list[int]:
    return [message["number"] for message in sent["talk"]["messages"]]


def test_a_seat_is_sent_each_message_once():
    delivery = Told()
    assert numbers(delivery.beside(0, view(), whole=False)) == []
    assert numbers(delivery.beside(0, view(0, 1), whole=False)) == [0, 1]
    assert numbers(delivery.beside(0, view(0, 1, 4), whole=False)) == [4]
    assert numbers(delivery.beside(0, view(0, 1, 4), whole=False)) == []
    assert numbers(delivery.beside(2, view(0, 1), whole=False)) == [0, 1]
    assert delivery.beside(0, view(5), whole=False) == view(5)


def test_a_page_that_asks_for_everything_gets_all_messages_and_then_new_ones():
    delivery = Told()
    assert numbers(delivery.beside(0, view(0, 1), whole=True)) == [0, 1]
    assert numbers(delivery.beside(0, view(0, 1), whole=True)) == [0, 1]
    assert numbers(delivery.beside(0, view(1, 2), whole=False)) == [2]
    assert numbers(delivery.beside(0, view(), whole=False)) == []
    assert numbers(delivery.beside(0, view(1, 2, 3), whole=False)) == [3]


def test_without_talk_a_view_is_unchanged():
    plain = {"period": 1}
    assert Told().beside(0, plain, whole=False) is plain
    silent = {"period": 1, "talk": None}
    assert Told().beside(0, silent, whole=True) is silent
