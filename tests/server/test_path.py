"""The path of a harvest as drawn in the module `sockets`, compared with the real path."""

from __future__ import annotations

import json
import sys
from types import FrameType
from typing import Any

import pytest

from mixed_company.server import sockets
from tests.loops import complete
from tests.server.test_open_table import Clock, Room

NAMES = {"Paper.put": "Writer.put"}
"""This test's stand-ins, and the server's functions that they replace."""

Call = tuple[int, str]
"""The depth of a call, and its function's name; a path lists calls in order."""


class Web:
    """Browser that reads everything."""

    async def send_text(self, text: str) -> None:
        """Accept a message."""


def drawn() -> list[Call]:
    """Return the calls in the drawing, by their indentation."""
    lines = (sockets.__doc__ or "").partition("The path of a harvest")[2].splitlines()
    path = [line for line in lines[1:] if line.strip()]
    return [(len(line) - len(line.lstrip()), line.split()[0]) for line in path]


def harvested() -> list[Call]:
    """Return the calls made by a harvest that completes a period with two bots, up to its views."""
    bots = "conditional_cooperator,noisy_person"
    room = Room(Clock(), bots=bots, bot_delay="instant", line_seconds=0)
    room.begin()
    room.act(0, "first")
    room.paper.save()
    calls: list[Call] = []
    depth = 0

    def follow(frame: FrameType, event: str, _: Any) -> None:
        nonlocal depth
        if event == "call":
            name = frame.f_code.co_qualname
            calls.append((depth, NAMES.get(name, name)))
        depth += {"call": 1, "return": -1}.get(event, 0)

    async def play() -> None:
        channel = sockets.Channel(None, Web())
        channel._join(room.table, 2)
        action = {"harvest": 2.0, "contribution": 0.0}
        text = json.dumps({"kind": "act", "id": "last", "period": 0, "action": action})
        sys.setprofile(follow)
        try:
            await channel.receive(text)
            room.paper.save()
        finally:
            sys.setprofile(None)

    complete(play())
    assert room.table.table.episode.period == 1
    return calls


def missing(path: list[Call], calls: list[Call]) -> list[str]:
    """Return the names in the path that were not called where the drawing has them: after the
    previous line, and within the less indented line above.
    """
    wrong: list[str] = []
    parents: list[tuple[int, int]] = []  # indentation of a line, and the end of its call
    after = 0
    for indent, name in path:
        while parents and parents[-1][0] >= indent:
            parents.pop()
        end = parents[-1][1] if parents else len(calls)
        index = next((i for i in range(after, end) if calls[i][1] == name), None)
        if index is None:
            wrong.append(name)
            continue
        depth = calls[index][0]
        later = range(index + 1, len(calls))
        parents.append((indent, next((i for i in later if calls[i][0] <= depth), len(calls))))
        after = index + 1
    return wrong


@pytest.fixture(scope="module")
def calls() -> list[Call]:
    return harvested()


def test_a_harvest_goes_the_way_that_is_drawn(calls):
    assert len(drawn()) > 25
    assert missing(drawn(), calls) == []


@pytest.mark.parametrize("line", range(len(drawn()) - 1))
def test_a_drawing_in_another_order_is_noticed(calls, line):
    path = drawn()
    (indent, first), (next_indent, second) = path[line : line + 2]
    path[line : line + 2] = [(indent, second), (next_indent, first)]
    assert missing(path, calls) != []
