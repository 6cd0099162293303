"""How many groups of three can walk at two turns a second, and how long does a person wait?

    python -m benchmarks.turns [database [groups ...]]

Each person chooses once a turn, at a moment drawn anew, as a page does. Two waits are measured:
from a key to its ack, and from the end of a turn, by its own time, to the picture of the next one
(`turn`), 95th percentiles. `lab_0_7` has a bot on its fourth seat, and the map. Beside them, on the
same server, about as many messages to a page whose live method does nothing but answer (`bare`).
"""

from __future__ import annotations

from benchmarks.served import BARE, arguments, live_urls, patient, served
from tests.crowd.clients import Crowd, Measured, measured, percentile
from tests.door.harness import Server

GAME = "punishment_vote"
PEOPLE, TURN, SECONDS, WARM = 3, 0.5, 6.0, 3.0
TURNS = round((SECONDS + WARM + 15.0) / TURN)
"""So many that all are there before they are over; then nothing goes on beside the next ones."""
THINK, THINK_BARE = (0.1 * TURN, 0.8 * TURN), (0.8 * TURN, 1.1 * TURN)
HEAD = "groups  page     messages/s  turns/s/group   ack ms  turn ms   cost ms   clients   late ms"


def urls(server: Server, page: str, groups: int) -> list[str]:
    """New people: so many groups at this page."""
    if page == BARE:
        return live_urls(server, BARE, groups * PEOPLE)
    changes = {
        **patient(GAME, TURNS),
        "archetype": page,
        "people_per_group": PEOPLE,
        "pace": "clock",
        "decision_seconds": TURN,
    }
    return live_urls(server, GAME, groups * PEOPLE, **changes)


def row(groups: int, page: str, own: Measured) -> str:
    settled = len(own.turns) / PEOPLE / groups / SECONDS
    waits = f"{percentile(own.acks, 95):8.0f} {percentile(own.turns, 95):8.0f}"
    return (
        f"{groups:6d}  {page:7s} {own.sent:11.0f} {settled:14.2f} {waits}"
        f" {own.cost:9.2f} {own.share:9.2f} {own.late:9.1f}"
    )


def main() -> None:
    name, counts = arguments(25, 50, 100)
    with served(name) as server:
        print(f"{name}: {SECONDS:g} s each; waits: 95th percentile\n{HEAD}")
        for groups in map(int, counts):
            for page in ("source", "lab_0_7", BARE):
                think = THINK_BARE if page == BARE else THINK
                crowd = Crowd(urls(server, page, groups), think, bare=page == BARE)
                print(row(groups, page, measured(server, crowd, SECONDS, WARM)), flush=True)


if __name__ == "__main__":
    main()
