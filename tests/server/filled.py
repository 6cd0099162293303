"""A database with sessions that were played without pages.

    python -m tests.server.filled FOLDER/project sessions.json

`sessions` is a list of {"config", "participants", "groups", "changes", "statuses", "periods"}. It
seats `groups` groups, in which a policy plays for each person, to the end or for `periods` periods.
People without a group get the `statuses` in turn. It prints the codes of the sessions.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mixed_company.server.rehearse.server import lay_out

__all__ = ["fill", "main"]

START_MS = 1_750_000_000_000


def fill(folder: Path, sessions: Sequence[dict[str, Any]]) -> list[str]:
    """Make the sessions in this process's database, once per process, and return their codes."""
    os.chdir(folder)
    import otree.main
    from otree import database

    otree.main.setup()
    codes = [_session(**session) for session in sessions]
    database.db.commit()
    return codes


def _session(
    config: str,
    participants: int,
    groups: int = 0,
    changes: dict[str, Any] | None = None,
    statuses: Sequence[str] = (),
    periods: int = 1_000_000,
) -> str:
    import otree.session
    from otree import database
    from otree.common import get_models_module

    from mixed_company.server.open.tables import tables

    session = otree.session.create_session(
        session_config_name=config,
        num_participants=participants,
        modified_session_config_fields={"bot_delay": "instant", **(changes or {})},
    )
    app = get_models_module(session.config["app_sequence"][0])
    players = app.Player.objects_filter(session=session).order_by("id").all()
    size = session.config["people_per_group"]
    for number in range(groups):
        people = players[number * size : (number + 1) * size]
        _seat(people, number + 1)
        opened = tables.of(people[0])
        _play(opened.table, periods)
        opened.write()
        database.db.commit()
        assert tables.writer.flush(60)
    for player, status in zip(players[groups * size :], statuses, strict=False):
        player.status = status
        if status == "arriving":
            player.quiz_attempts, player.quiz_log = 1, '[{"wrong": ["stock"]}]'
    return str(session.code)


def _seat(people: Sequence[Any], number: int) -> None:
    """Send these people to the lobby, and form the session's group with this number."""
    from otree import database

    from mixed_company.server.keeping.writer import LobbyBatch, Standing
    from mixed_company.server.open.group import new_group
    from mixed_company.server.open.tables import tables
    from mixed_company.server.play_clock import clock_of
    from mixed_company.table.setup import setup_from

    subsession, saved = people[0].subsession, list[bool]()
    columns = {"session_id": subsession.session_id, "round_number": 1, "setup": subsession.setup}
    ids = [player.id for player in people]
    shift_ms = START_MS - clock_of(subsession.session_id).now_ms()
    group = new_group(setup_from(subsession.setup), number, ids, START_MS, shift_ms)
    came = [Standing(player_id, ("arriving",), {"status": "waiting"}) for player_id in ids]
    app = people[0].get_folder_name()
    batch = LobbyBatch(app, subsession.id, columns, came, [group], saved.append)
    database.db.commit()
    tables.writer.put(batch)
    assert tables.writer.flush(60)
    assert saved == [True]


def _play(table: Any, periods: int) -> None:
    """Let every person decide at random, one second after each period begins."""
    from mixed_company import policies
    from mixed_company.policies.policy import ask_at
    from mixed_company.table.protocol import Message

    policy = policies.make("random", table.game)

    people = [chair.seat for chair in table.seats if chair.owner]
    now = START_MS
    for seat in people:
        table.hear(seat, now)
    while not table.episode.done and table.episode.period < periods:
        now += 1000
        period = table.episode.period
        for seat in people:
            answer = ask_at(table.episode, policy, seat, {})
            table.act(seat, Message("act", f"{seat} {period}", period, dict(answer.action)), now)
        table.advance(now)


def main() -> None:
    folder = Path(sys.argv[1])
    lay_out(folder)
    print(*fill(folder, json.loads(Path(sys.argv[2]).read_text())), sep="\n")


if __name__ == "__main__":
    main()
