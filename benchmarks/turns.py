"""Number of three-person groups that one server can handle at two turns per second, and their
waiting times.

    python -m benchmarks.turns [database [groups ...]]

Each person acts once a turn, at a random time. Two waits are measured as 95th percentiles: from a
key press to its ack, and from the scheduled end of a turn to the display of the next one (`turn`).
`lab_0_7` has a bot in its fourth seat, and shows the map. For comparison, a page on the same server
whose live method only sends a reply (`bare`) gets about as many messages.
"""

from __future__ import annotations

from benchmarks.served import BARE, arguments, live_urls, patient, served
from tests.crowd.clients import Crowd, Measured, measured, percentile
from tests.crowd.page import BarePage, Page
from tests.door.harness import Server

GAME = "punishment_vote"
PEOPLE, TURN, SECONDS, WARM = 3, 0.5, 6.0, 3.0
TURNS = round((SECONDS + WARM + 15.0) / TURN)
"""Number of turns: enough for everyone to arrive, but few enough for the play to end before the
next page is measured."""
THINK, THINK_BARE = (0.1 * TURN, 0.8 * TURN), (0.8 * TURN, 1.1 * TURN)
HEAD = "groups  page     messages/s  turns/s/group   ack ms  turn ms   cost ms   clients   late ms"


def urls(server: Server, page: str, groups: int) -> list[str]:
    """Return the live addresses of new people in groups on this page."""
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


def row(groups: int, page: str, measurement: Measured) -> str:
    settled = len(measurement.turns) / PEOPLE / groups / SECONDS
    waits = f"{percentile(measurement.acks, 95):8.0f} {percentile(measurement.turns, 95):8.0f}"
    return (
        f"{groups:6d}  {page:7s} {measurement.sent:11.0f} {settled:14.2f} {waits}"
        f" {measurement.cost:9.2f} {measurement.share:9.2f} {measurement.late:9.1f}"
    )


def main() -> None:
    name, counts = arguments(25, 50, 100)
    with served(name) as server:
        print(f"{name}: {SECONDS:g} s each; waits: 95th percentile\n{HEAD}")
        for groups in map(int, counts):
            for page in ("source", "lab_0_7", BARE):
                think = THINK_BARE if page == BARE else THINK
                crowd = Crowd(urls(server, page, groups), think, BarePage if page == BARE else Page)
                print(row(groups, page, measured(server, crowd, SECONDS, WARM)), flush=True)


if __name__ == "__main__":
    main()
