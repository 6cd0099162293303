"""Which agents from outside have which seats: who comes, who goes, and what each is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from server.open.agents import Agent, Agents
from server.open.open_table import envelope
from table.protocol import Message


class Opened:
    """An open table that wants agents on some seats, by name."""

    def __init__(self, group: int, **wanted: str) -> None:
        self.key, self.gone = ("app", group), False
        agents = {int(seat[1:]): name for seat, name in wanted.items()}
        self.table = SimpleNamespace(over=False, agents=agents)
        self.done: list[Any] = []
        self.ears: dict[int, Any] = {}

    def sit(self, seat: int, ear: Any) -> None:
        self.done.append(("sit", seat))
        self.ears[seat] = ear

    def leave(self, seat: int, ear: Any) -> None:
        assert self.ears.pop(seat) is ear
        self.done.append(("leave", seat))

    def take(self, seat: int, message: Message) -> None:
        self.done.append((message.kind, seat))


def come(name: str = "gpt", most: int | None = None) -> Any:
    """Return an agent, whose `told` is what it was sent."""
    told: list[Any] = []
    agent: Any = Agent(name, SimpleNamespace(tell=told.append), most)
    agent.told = told
    return agent


def room() -> Agents:
    return Agents(lambda opened, seat: {"seat": seat})


def places(agent: Any) -> list[str]:
    return sorted(agent.seats)


def test_an_agent_that_comes_has_the_seats_of_its_name() -> None:
    agents, one, opened = room(), come(), Opened(3, s0="gpt", s2="other")
    agents.look(opened)  # type: ignore[arg-type]
    assert opened.done == []
    agents.join(one)
    assert opened.done == [("sit", 0), ("sync", 0)]
    assert one.told == [{"kind": "game", "place": "app/3/0", "seat": 0}]
    opened.ears[0].tell(envelope({"kind": "view", "period": 1}))
    assert one.told[1:] == [{"kind": "view", "period": 1, "place": "app/3/0"}]
    agents.look(opened)  # type: ignore[arg-type]
    assert len(opened.done) == 2  # it has the seat already
    agents.join(come())
    agents.join(come("other"))
    assert agents.connected == {"gpt": 2, "other": 1}


def test_seats_go_to_who_has_the_fewest_and_takes_another() -> None:
    agents = room()
    first, second, small = come(), come(), come(most=1)
    for agent in (first, second, small):
        agents.join(agent)
    tables = [Opened(number, s0="gpt") for number in range(5)]
    for opened in tables:
        agents.look(opened)  # type: ignore[arg-type]
    assert [len(agent.seats) for agent in (first, second, small)] == [2, 2, 1]
    assert not small.free
    for opened in tables:
        opened.table.over = True
    assert (first.playing, small.free) == (0, True)


def test_seats_of_who_goes_are_for_others() -> None:
    agents, first, second, opened = room(), come(), come(), Opened(1, s0="gpt")
    agents.join(first)
    agents.look(opened)  # type: ignore[arg-type]
    agents.join(second)
    agents.leave(first)
    assert opened.done == [("sit", 0), ("sync", 0), ("leave", 0), ("sit", 0), ("sync", 0)]
    assert (places(first), places(second)) == ([], ["app/1/0"])
    agents.leave(first)  # again
    assert agents.connected == {"gpt": 1}


def test_a_seat_that_another_has_now_is_left_and_the_agent_told() -> None:
    agents, one, opened = room(), come(), Opened(1, s0="gpt")
    agents.join(one)
    agents.look(opened)  # type: ignore[arg-type]
    opened.table.agents = {0: "other"}
    agents.look(opened)  # type: ignore[arg-type]
    assert one.told[-1] == {
        "kind": "left",
        "place": "app/1/0",
        "reason": "another has the seat now",
    }
    assert (places(one), opened.ears) == ([], {})


def test_a_table_that_is_not_open_any_more_is_forgotten_and_nobody_told() -> None:
    agents, one, opened = room(), come(), Opened(1, s0="gpt", s1="gpt")
    agents.join(one)
    agents.look(opened)  # type: ignore[arg-type]
    told = len(one.told)
    opened.gone = True
    agents.look(opened)  # type: ignore[arg-type]
    assert (places(one), opened.ears, len(one.told)) == ([], {}, told)
    agents.join(come())
    assert opened.ears == {}


def test_a_table_that_is_read_anew_has_its_agents_again() -> None:
    agents, one = room(), come()
    before, after = Opened(1, s0="gpt"), Opened(1, s0="gpt")
    agents.join(one)
    agents.look(before)  # type: ignore[arg-type]
    agents.look(after)  # type: ignore[arg-type]
    assert (before.ears, list(after.ears)) == ({}, [0])
    assert places(one) == ["app/1/0"]


def test_a_play_that_is_over_keeps_its_agents_and_seats_no_more() -> None:
    agents, one = room(), come()
    opened, late = Opened(1, s0="gpt"), Opened(2, s0="gpt")
    agents.join(one)
    agents.look(opened)  # type: ignore[arg-type]
    opened.table.over = late.table.over = True
    opened.table.agents[1] = "gpt"
    agents.look(opened)  # type: ignore[arg-type]
    agents.look(late)  # type: ignore[arg-type]
    assert (list(opened.ears), late.done) == ([0], [])


def test_a_table_without_agents_is_looked_at_no_more() -> None:
    agents, opened = room(), Opened(1)
    agents.look(opened)  # type: ignore[arg-type]
    opened.table.agents[0] = "gpt"
    agents.join(come())
    assert opened.done == []
