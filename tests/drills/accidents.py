"""Simulate the mishaps of real people: two tabs, going back, reloads, and previews of links.

Every other person has a connection that takes LINE_SECONDS each way, and decides at the last moment
by the page's clock, if there is one. Meanwhile people open the game in a second tab, go back and
resubmit earlier pages, and reload repeatedly. Messengers preview links, and some people open a link
and never return. People expect:

* a second tab shows the same past as the first one;
* going back or reloading returns a participant to the table;
* a choice made in time counts, unless the connection was slower than before;
* a preview does not use up a link, so at the end every link that nobody opened is free.
"""

from __future__ import annotations

import asyncio
import random
import re
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

import requests

from tests.crowd.page import Page
from tests.crowd.places import DATABASES, running
from tests.crowd.visitor import Visitor
from tests.door.harness import Server
from tests.door.slow_line import SlowLine
from tests.drills.drill import Report
from tests.drills.people import (
    LINE_SECONDS,
    PATIENCE_SECONDS,
    SPARE,
    TURN_SECONDS,
    Accident,
    People,
)
from tests.drills.wave import Size, struck
from tests.loops import complete

__all__ = ["ACCIDENTS", "configure", "on", "run"]

STORM = 12
MESSENGERS = (
    "WhatsApp/2.23.20.0",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--accidents", type=int, default=200)
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    with running(chosen.database) as server:
        return on(server, chosen.accidents, chosen.seed)


def on(server: Server, accidents: int, seed: int, size: Size | None = None) -> Report:
    """Cause these mishaps while people play."""
    size = replace(size or Size(groups=1), turn=TURN_SECONDS, spare=SPARE, pause=(0.0, 0.5))
    with SlowLine(server.port, LINE_SECONDS) as line:
        return complete(_all(server, line, accidents, seed, size))


async def _all(server: Server, line: SlowLine, accidents: int, seed: int, size: Size) -> Report:
    people = People(server, line, random.Random(seed), ACCIDENTS)
    report = await struck(server, people.act, accidents, size, seed, people.come)
    faults = [*report.faults, *people.faults, *await people.part()]
    late = sum(len(page.late) for page in people.slow)
    figures = {**report.figures, **people.counts, "too late": late}
    return Report({key: value for key, value in figures.items() if key != "max outage s"}, faults)


# -- accidents --------------------------------------------------------------------------------


async def opens_a_second_tab(people: People) -> None:
    """Open a second tab, which must show the same past as the first."""
    person = people.somebody()
    tab = people.tab(person)
    await tab.open()
    pages = (person.page, tab)
    for page in pages:
        page.history = None
        page.greet()
    while any(page.history is None for page in pages) and not person.page.over.is_set():
        await asyncio.sleep(0.02)
    first, second = (_past(page) for page in pages)
    for period in first.keys() & second.keys():
        if first[period] != second[period]:
            people.faults.append(f"{person.page.url}: two tabs show another period {period}")


async def goes_back(people: People) -> None:
    """Go back to every page before the table, and submit it again."""
    person = people.somebody()
    [(place, number)] = re.findall(r"^(.*)/Play/(\d+)$", person.visitor.page.url) or [("", "0")]
    for name, index in zip(("Instructions", "Quiz", "Lobby"), range(1, int(number)), strict=False):
        await people.look(person, f"{place}/{name}/{index}")
        await people.look(person, f"{place}/{name}/{index}", {})


async def reloads_and_reloads(people: People) -> None:
    """Reload without waiting for the response. The page must return each time."""
    person = people.somebody()
    if person.visitor.name == "Play":
        loads = [people.look(person, person.visitor.page.url) for _ in range(STORM)]
        person.page.cut()
        await asyncio.gather(*loads)
        person.page.cut()


async def sends_the_link_to_friends(people: People) -> None:
    """Preview links as messengers do: with HEAD and GET, following redirects, without cookies."""
    created, person = people.somewhere(), people.somebody()
    single = urljoin(people.server.url, f"/InitializeParticipant/{person.visitor.code}")
    for link in (created["session_wide_url"], single):
        await asyncio.to_thread(_previewed, people, link)


async def never_comes_again(people: People) -> None:
    """Open a link in a browser, and never return."""
    created = people.somewhere()
    if people.stray(created["code"]):
        await Visitor().follow(created["session_wide_url"])


ACCIDENTS: tuple[Accident, ...] = (
    opens_a_second_tab,
    goes_back,
    reloads_and_reloads,
    sends_the_link_to_friends,
    never_comes_again,
)


def _previewed(people: People, link: str) -> None:
    for messenger in MESSENGERS:
        for ask in (requests.head, requests.get):
            url = link
            for _ in range(5):
                agent = {"User-Agent": messenger}
                answer = ask(url, headers=agent, allow_redirects=False, timeout=PATIENCE_SECONDS)
                if answer.status_code >= 400:
                    people.faults.append(f"{ask.__name__} {url}: {answer.status_code}")
                if not answer.is_redirect:
                    break
                url = urljoin(url, answer.headers["location"])


# -- views ------------------------------------------------------------------------------------


def _past(page: Page) -> dict[int, Any]:
    """Return the entries of a page's history by period."""
    return {entry["period"]: entry for entry in page.history or []}
