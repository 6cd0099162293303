"""A page's live channel: messages from the browser come in, and updates go out.

A misbehaving page cannot slow down other participants. Limits, per page of a person:

    MOST_BYTES       size of a message; a longer message is rejected unread
    MOST_UNREAD      messages that the browser has not accepted yet; until it has, the server
                     neither sends nor reads more. A page that was asleep asks again when it wakes
    MOST_PAGES       pages that one person has open
    MOST_UNSAVED     decisions that are waiting to be saved (`server.open.open_table`)

Requests for complete histories and unreadable messages are limited per participant: a burst is
allowed, and then a few per second (`server.gate.limits`). After each message, other tasks can run.
Play pages talk to their table, and lobby pages to their lobby, without oTree's lock or its
database. Live pages of other apps are left to oTree.

After `Writer.put`, the writer's thread commits the entries; only then does `OpenTable._was_saved`
run in the event loop. If the database is unreachable, the writer tries again, and nothing is sent
before it succeeds (`server.keeping.writer`). Bots with the same policy are asked together.

The path of a harvest that completes a period, with the main functions in calling order:

    Channel.receive             read a message from the page
      parse                     check its form
      OpenTable.take            pass it to the table, which is in memory
        exchange                handle it, and collect the reply and the views that change
          Table.act             handle a decision
            Table.hear          settle what is due, and record that the person is there
            Table._why_not      check that the seat can decide now
            Allowed.plain       check the action
            log                 add it to the journal, in memory
            decide              record the decision
            Table.advance       settle what is due now
              next_due          find that all people have decided and the bots are done
              happen            carry out this event
                Episode.step    play the period
                  Game.step     apply the rules
                  Period.of     collect the results
                Seat.earn       credit the points
                period_entry    describe the period for the journal
                log             add it to the journal
                begin           begin the next period
                  answer        ask a bot
                    ask         let its policy decide, within time limits
                  _schedule     determine when the bot's decision takes effect
          views                 build the views of people and agents
        OpenTable.write         have the new entries saved
          Table.take_rows       collect them
          Writer.put            queue them for the next commit
        Outgoing.shown          add the history to the views, as JSON values
        envelope                write each reply and each view as text
    OpenTable._was_saved        continue after the commit
      Outgoing.send             send the reply and the views
        Channel.tell            pass each text to the page
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections import deque
from collections.abc import Callable
from typing import Any

import orjson
from otree import database, live
from otree.channels import consumers
from otree.models import Participant

from mixed_company.language import gettext as _
from mixed_company.language import speaking
from mixed_company.server.gate.limits import rates
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.open_lobby import OpenLobby
from mixed_company.server.open.open_table import OpenTable
from mixed_company.server.open.outgoing import envelope
from mixed_company.server.open.practices import practices
from mixed_company.server.open.tables import tables
from mixed_company.server.pages.play import Lobby, Play, Practice
from mixed_company.table.protocol import Message, Refusal, parse

MOST_BYTES = 16 * 1024
MOST_UNREAD = 64
MOST_PAGES = 8


def decoded(text: str | bytes) -> Any:
    """Parse a browser's message; if it is not JSON, return None, which is rejected later.

    Raises ValueError for more than MOST_BYTES.
    """
    sent = text.encode(errors="replace") if isinstance(text, str) else text
    if len(sent) > MOST_BYTES:
        raise ValueError(f"the message has {len(sent)} bytes; at most {MOST_BYTES} are allowed")
    try:
        return orjson.loads(sent)
    except orjson.JSONDecodeError:
        return _unusual(sent)


def _unusual(sent: bytes) -> Any:
    """Parse JSON as Python does; the error that rejects NaN or a huge number later names the field.

    Half of a surrogate pair (`"\\ud800"`) is rejected, because it cannot be stored.
    """
    try:
        data = json.loads(sent)
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return data


class Channel:
    """Socket of a live page; it is a `Listener` of its table or lobby once that is known.

    write   sends a message at once, or returns False (`server.gate.wire`); None if that is
            impossible
    room    the open table or lobby; `place`: the seat there, or the player's id
    """

    def __init__(
        self, consumer: Any, websocket: Any, write: Callable[[bytes], bool] | None = None
    ) -> None:
        self._consumer = consumer
        self._websocket = websocket
        self._write = write
        self._outbox: deque[str] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._read = asyncio.Event()
        self._person = str(id(self))  # until the participant is known
        self._ignored = (
            False  # a browser bot, one page too many, or an unknown participant: read slowly
        )
        self._foreign = False  # a live page of another app
        self._streams = False  # it answers in parts, so nobody else waits for the end
        self._room: OpenTable | OpenLobby | None = None
        self._place = -1

    # -- outgoing -------------------------------------------------------------------------------

    def tell(self, text: str) -> None:
        """Send a message now or after earlier ones, unless the page has too many unread ones."""
        if self._write is not None and self._sending is None and self._write(text.encode()):
            return
        if len(self._outbox) < MOST_UNREAD:
            self._outbox.append(text)
            if self._sending is None:
                self._sending = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        try:
            while self._outbox:
                await self._websocket.send_text(self._outbox[0])
                self._outbox.popleft()
        except Exception:  # noqa: BLE001  the page reconnects, however the connection ends
            self._outbox.clear()
        finally:
            self._sending = None
            self._read.set()

    def close(self) -> None:
        """Leave the table or lobby after the page has disconnected."""
        if self._room is not None:
            self._room.leave(self._place, self)
        if self._sending is not None:
            self._sending.cancel()

    # -- incoming -------------------------------------------------------------------------------

    async def receive(self, text: str | bytes) -> None:
        """Handle a message from the browser."""
        while len(self._outbox) >= MOST_UNREAD:
            self._read.clear()
            await self._read.wait()
        try:
            data = decoded(text)
        except ValueError as error:
            await self._refuse_nonsense(Refusal(str(error)))
        else:
            await self._take(data)
        await asyncio.sleep(0)  # let other tasks run

    async def _take(self, data: Any) -> None:
        if not (self._ignored or self._foreign) and self._is_unidentified():
            await self._identify()
        if self._foreign:
            await self._by_otree(data)
        if self._ignored:
            await self._pause("nonsense")
        if self._ignored or self._room is None:
            return
        message = parse(data)
        if isinstance(message, Refusal):
            await self._refuse_nonsense(message)
        elif message.kind == "sync":
            await self._sync(message)
        else:
            self._room.take(self._place, message)

    def _is_unidentified(self) -> bool:
        """Return whether the page's participant must be looked up for the first time or again."""
        room = self._room
        stale = isinstance(room, OpenLobby) and room.is_stale(self._place)
        return room is None or room.gone or stale

    async def _sync(self, message: Message) -> None:
        await self._pause("histories")
        if self._room is not None:
            self._room.take(self._place, message)

    def _refuse(self, refusal: Refusal) -> None:
        self.tell(envelope(refusal.to_json()))

    async def _refuse_nonsense(self, refusal: Refusal) -> None:
        """Reject an unreadable message, and slow down a page that sends many of them."""
        self._refuse(refusal)
        await self._pause("nonsense")

    async def _pause(self, name: str) -> None:
        """Count one more action of this person, and wait until it is allowed."""
        wait = rates(name).wait(self._person, asyncio.get_running_loop().time())
        if wait:
            await asyncio.sleep(wait)

    async def _by_otree(self, data: Any) -> None:
        lock = live.get_participant_scoped_lock(self._person)
        async with lock if self._streams else consumers.lock2:
            with consumers.session_scope():
                database.db._db.expire_on_commit = False
                await self._consumer.post_receive_json(data, **self._consumer.clean_kwargs())

    async def _identify(self) -> None:
        """Look up the page's participant and table or lobby, while holding oTree's lock.

        In the lobby of a later block, also read which people are expected.
        """
        page, self._room = self._consumer.clean_kwargs(), None
        self._person = page["participant_code"]
        async with consumers.lock2:
            with consumers.session_scope():
                person = Participant.objects_first(code=self._person)
                self._ignored = person is None
                if person is None or not 1 <= person._index_in_pages <= person._max_page_index:
                    return  # an unknown code, or the participant is not on a page now
                entities = live._get_live_page_entities(self._person)
                _, lookup, models, page_class, participant = entities
                self._ignored = bool(participant.is_browser_bot)
                if self._ignored or page["page_name"] != page_class.__name__:
                    return
                self._foreign = page_class.live_method not in _OURS
                if self._foreign:
                    self._streams = inspect.isasyncgenfunction(page_class.live_method)
                    return
                player = models.Player.objects_get(
                    round_number=lookup.round_number, participant=participant
                )
                tables.live(asyncio.get_running_loop())
                if page_class.live_method is Lobby.live_method:
                    self._join(lobbies.enter(player), player.id)
                elif page_class.live_method is Practice.live_method:
                    practice = practices.of(player)
                    self._join(practice, *practice.table.people)
                else:
                    self._join(tables.of(player), player.seat)

    def _join(self, room: OpenTable | OpenLobby, place: int) -> None:
        if self not in room.listeners[place] and len(room.listeners[place]) >= MOST_PAGES:
            with speaking(room.language):
                self._refuse(
                    Refusal(
                        _("you have opened this page too many times; please close the other tabs")
                    )
                )
            self._ignored = True
            return
        self._room, self._place = room, place
        room.sit(place, self)


_OURS = (Play.live_method, Lobby.live_method, Practice.live_method)
