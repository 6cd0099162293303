"""A group's votes on the rule for its play, and the play under the chosen rule."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mixed_company.table import view as shown
from mixed_company.table.directives import Directive
from mixed_company.table.exchange import exchange
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import Ack, Message, Refusal, parse
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.table import Table
from mixed_company.table.voting import READ_MS, played
from tests.table.chosen import RULES, choose, entries, events, open_table, setup, voting
from tests.table.test_rebuilding import everything

SECOND = 1000


def detail(table: Table) -> dict[str, Any]:
    (chosen,) = events(table, "chosen")
    return {key: chosen[key] for key in ("rule", "votes", "occupants")}


def view(table: Table, seat: int, now: int) -> dict[str, Any]:
    return shown.view(table, seat, now).to_json()


def test_the_vote_begins_when_all_people_are_there() -> None:
    table = open_table([0, 2])
    table.hear(0, 0)
    assert view(table, 0, 0)["phase"] == "waiting"
    table.hear(2, 4 * SECOND)
    assert events(table, "choosing")[0]["at_ms"] == 4 * SECOND
    now = view(table, 0, 5 * SECOND)
    assert (now["phase"], now["vote"], now["remaining_ms"]) == ("choose", {"choice": None}, 59_000)


def test_a_person_who_does_not_come_is_awaited_as_long_as_before_any_play() -> None:
    table = open_table([0, 2])
    table.hear(0, 0)
    table.hear(0, 29 * SECOND)
    assert not events(table, "choosing")
    table.hear(0, 31 * SECOND)
    assert events(table, "choosing")[0]["at_ms"] == 30 * SECOND


def test_the_rule_with_most_votes_is_played_by_the_same_people_with_the_same_seed() -> None:
    table = voting([0, 2, 3], people_per_group=3)
    choose(table, 0, "pool", 2 * SECOND)
    choose(table, 2, "open", 3 * SECOND)
    choose(table, 3, "pool", 4 * SECOND)
    votes, people = ["pool", "", "open", "pool"], ["person", "steward", "person", "person"]
    assert detail(table) == {"rule": "pool", "votes": votes, "occupants": people}
    assert events(table, "chosen")[0]["at_ms"] == 4 * SECOND
    assert table.game.core.governance == table.setup.game.core.governance == "per_step"
    assert (table.episode.seed, table.people) == (7, [0, 2, 3])
    assert [row["seed"] for row in table.rows if row["kind"] == "start"] == [7, 7]


def test_the_play_begins_when_people_have_had_time_to_see_the_chosen_rule() -> None:
    table = voting([0, 2])
    choose(table, 0, "pool", SECOND)
    choose(table, 2, "pool", SECOND)
    seen = view(table, 0, SECOND)
    assert seen["vote"] == {"rule": "pool", "counts": {"open": 0, "pool": 2}}
    assert (seen["phase"], seen["ready"], seen["remaining_ms"]) == ("waiting", True, READ_MS)
    table.advance(SECOND + READ_MS - 1)
    assert table.started_ms is None
    table.advance(SECOND + READ_MS)
    assert table.started_ms == SECOND + READ_MS
    assert view(table, 0, table.started_ms)["phase"] == "decide"


def test_pages_show_the_chosen_rule_with_its_votes_until_the_first_decision() -> None:
    table = voting([0, 2])
    choose(table, 0, "pool", 0)
    choose(table, 2, "open", 0)
    table.advance(READ_MS)
    action = {"harvest": 1.0, "contribution": 0.0}
    table.act(0, Message("act", "a", 0, action), READ_MS)
    assert view(table, 0, READ_MS)["vote"] == {"rule": "open"}
    assert view(table, 2, READ_MS)["vote"] == {"rule": "open", "counts": {"open": 1, "pool": 1}}
    table.act(2, Message("act", "b", 0, action), READ_MS)
    assert (table.episode.period, view(table, 2, READ_MS)["vote"]) == (1, {"rule": "open"})


def test_a_vote_can_be_changed_until_the_time_is_up_and_the_last_one_counts() -> None:
    table = voting([0, 2])
    choose(table, 0, "pool", SECOND)
    choose(table, 0, "open", 2 * SECOND)
    assert view(table, 0, 2 * SECOND)["vote"] == {"choice": "open"}
    choose(table, 2, "open", 3 * SECOND)
    assert detail(table)["votes"] == ["open", "", "open", ""]


def test_a_person_who_does_not_choose_abstains_when_the_time_is_up() -> None:
    table = voting([0, 2], rules_seconds=30.0)
    choose(table, 2, "pool", SECOND)
    table.hear(0, 29_999)
    assert not events(table, "chosen")
    table.advance(30 * SECOND)
    assert detail(table)["votes"] == ["", "", "pool", ""]
    assert events(table, "chosen")[0]["at_ms"] == 30 * SECOND


def test_nobody_waits_for_a_person_who_abstains() -> None:
    table = voting([0, 2])
    choose(table, 0, "", SECOND)
    choose(table, 2, "pool", SECOND)
    assert detail(table) == {
        "rule": "pool",
        "votes": ["", "", "pool", ""],
        "occupants": ["person", "steward", "person", "steward"],
    }


def test_without_a_time_limit_a_person_who_left_abstains_after_the_grace_time() -> None:
    """The grace period is 40 s, and seat 2 was last heard from at 0."""
    table = voting([0, 2], rules_seconds=0.0)
    assert view(table, 0, 0)["remaining_ms"] is None
    choose(table, 0, "pool", 5 * SECOND)
    table.hear(0, 39 * SECOND)
    assert not events(table, "chosen")
    table.hear(0, 41 * SECOND)
    assert events(table, "chosen")[0]["at_ms"] == 40 * SECOND
    assert detail(table)["votes"] == ["pool", "", "", ""]


def test_a_person_who_returns_within_the_grace_time_can_still_vote() -> None:
    table = voting([0, 2], rules_seconds=0.0)
    choose(table, 0, "open", 5 * SECOND)
    choose(table, 2, "pool", 39 * SECOND)
    assert detail(table)["votes"] == ["open", "", "pool", ""]


def test_the_vote_of_a_person_who_votes_and_leaves_counts() -> None:
    table = voting([0, 2], rules_seconds=0.0, grace_seconds=10.0)
    choose(table, 0, "pool", SECOND)
    for second in range(2, 30):
        table.hear(2, second * SECOND)
    choose(table, 2, "", 30 * SECOND)
    assert detail(table)["votes"] == ["pool", "", "", ""]


def test_in_a_tie_a_rule_is_drawn_by_the_seed_of_the_play() -> None:
    drawn = set()
    for seed in range(20):
        table = open_table([0, 2], setup(rules_tie="drawn"), seed=seed)
        for seat in (0, 2):
            table.hear(seat, 0)
        choose(table, 0, "pool", 0)
        choose(table, 2, "open", 0)
        drawn.add(detail(table)["rule"])
    assert drawn == {"open", "pool"}


def test_bots_vote_by_their_policy_when_the_vote_is_over() -> None:
    """A bot that takes 2 per period earns 2 where everything is open, and 1 where the maximum is
    1."""
    limited = {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 1.0}}}}
    rules = {"open": RULES["open"], "low": {"meaning": "One.", "changes": {"layers": limited}}}
    table = voting([0, 2], rules=rules, rules_bots="policy", bots="fixed:harvest=2")
    choose(table, 0, "low", 0)
    assert not events(table, "chosen")
    choose(table, 2, "low", SECOND)
    assert detail(table)["votes"] == ["low", "open", "low", "open"]
    assert detail(table)["rule"] == "open"  # a tie, so the first rule


def test_nobody_sees_bots_vote_immediately_if_bots_take_time() -> None:
    """Otherwise a person alone with bots would know that there are no other people."""
    table = voting([0], people_per_group=1, bot_delay="fixed:seconds=6")
    choose(table, 0, "pool", SECOND)
    assert view(table, 0, 5999)["phase"] == "choose"
    table.advance(6 * SECOND)
    assert events(table, "chosen")[0]["at_ms"] == 6 * SECOND


def test_the_page_of_a_vote_does_not_depend_on_who_else_has_voted() -> None:
    table = voting([0, 2])
    before = view(table, 0, SECOND)
    sent = exchange(table, 2, Message("choose", "a", rule="pool"), SECOND)
    assert set(sent.views) == {2}
    assert view(table, 0, SECOND) == before


# -- refused messages --------------------------------------------------------------------


def reason(answer: Ack | Refusal) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.reason


def test_a_vote_is_refused_too_early_too_late_and_for_an_unknown_rule() -> None:
    table = open_table([0, 2])
    assert reason(choose(table, 0, "pool", 0)) == "the vote has not begun yet"
    table.hear(2, SECOND)
    assert reason(choose(table, 0, "lake", SECOND)) == "rule = 'lake': should be one of open, pool"
    choose(table, 0, "pool", SECOND)
    choose(table, 2, "pool", SECOND)
    assert reason(choose(table, 0, "open", 2 * SECOND)) == "the vote is over"
    assert detail(table)["votes"] == ["pool", "", "pool", ""]


def test_a_repeated_vote_is_acknowledged_again_and_counts_once() -> None:
    table = voting([0, 2])
    assert choose(table, 0, "pool", SECOND, "a") == Ack("a", 0)
    assert choose(table, 0, "open", 2 * SECOND, "b") == Ack("b", 0)
    assert choose(table, 0, "pool", 3 * SECOND, "a") == Ack("a", 0)
    assert view(table, 0, 3 * SECOND)["vote"] == {"choice": "open"}
    choose(table, 2, "open", 4 * SECOND)
    assert choose(table, 0, "pool", 5 * SECOND, "a") == Ack("a", 0)


def test_nobody_can_fill_the_journal_with_votes() -> None:
    table = voting([0, 2])
    answers = [choose(table, 0, ("open", "pool")[n % 2], SECOND, f"v{n}") for n in range(250)]
    assert sum(isinstance(answer, Ack) for answer in answers) == 200
    assert "too many times" in reason(answers[-1])
    assert view(table, 0, SECOND)["vote"] == {"choice": "pool"}


def test_a_vote_changes_no_other_seat() -> None:
    table = voting([0, 2])
    data = {"kind": "choose", "id": "a", "rule": "pool", "seat": 2}
    message = parse(data)
    assert isinstance(message, Message)
    exchange(table, 0, message, SECOND)
    assert view(table, 2, SECOND)["vote"] == {"choice": None}


# -- the manager -------------------------------------------------------------------------


def test_during_a_pause_nobody_votes_and_no_time_passes() -> None:
    table = voting([0, 2])
    assert isinstance(table.manage(Directive("pause", "p"), 10 * SECOND), Ack)
    assert view(table, 0, 10 * SECOND)["phase"] == "waiting"
    assert reason(choose(table, 0, "pool", 10 * SECOND)) == "the game is paused"
    table.manage(Directive("go_on", "g", ms=3_600_000), 10 * SECOND)
    assert view(table, 0, 10 * SECOND)["remaining_ms"] == 50_000


def test_a_person_whom_the_manager_skips_abstains_and_the_others_do_not_wait() -> None:
    table = voting([0, 2], rules_seconds=0.0)
    choose(table, 0, "pool", SECOND)
    table.hear(2, 39 * SECOND)
    skipped = table.manage(Directive("skip", "s", 2), 39 * SECOND)
    assert isinstance(skipped, Ack)
    assert detail(table)["votes"] == ["pool", "", "", ""]
    again = rebuilt(setup(rules_seconds=0.0), entries(table))
    assert everything(again, 39 * SECOND) == everything(table, 39 * SECOND)


def test_a_play_that_the_manager_ends_during_the_vote_is_over() -> None:
    table = voting([0, 2])
    table.manage(Directive("end", "e"), SECOND)
    assert view(table, 0, SECOND)["phase"] == "over"
    assert "vote" not in view(table, 0, SECOND)
    assert reason(choose(table, 0, "pool", SECOND)) == "the game is over"


# -- rebuilding --------------------------------------------------------------------------


def steps(seed: int, **changes: Any) -> list[tuple[list[Entry], str, int]]:
    """Let people come, vote, change their minds, go silent and play at random. Return the journal,
    the table, and the time after each message."""
    rng = np.random.default_rng(seed)
    table = open_table([0, 2], setup(bot_delay="fixed:seconds=2", **changes), seed=seed)
    journal: list[Entry] = []
    taken, now = [], 0
    for number in range(40):
        now += int(rng.integers(0, 9 * SECOND))
        seat = int(rng.choice([0, 2]))
        if rng.random() < 0.5:
            rule = str(rng.choice(["open", "pool", "", "lake"]))
            table.choose(seat, Message("choose", f"c{number}", rule=rule), now)
        elif rng.random() < 0.7:
            action = {"harvest": 1.0, "contribution": 0.0}
            table.act(seat, Message("act", f"a{number}", table.episode.period, action), now)
        else:
            table.advance(now)
        journal += json.loads(json.dumps(table.take_rows()))
        taken.append((list(journal), table.to_json(), now))
    return taken


HABITS: list[dict[str, Any]] = [
    {},
    {"rules_seconds": 0.0, "grace_seconds": 15.0},
    {"rules_bots": "policy", "bots": "random", "rules_tie": "drawn"},
    {"ready": True},
    {"pace": "clock", "decision_seconds": 5.0},
]


@pytest.mark.few(5)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("habits", HABITS, ids=["plain", "endless", "bots", "ready", "clock"])
def test_a_table_can_be_rebuilt_at_any_message(habits: dict[str, Any], seed: int) -> None:
    taken = steps(seed, **habits)
    journal = taken[-1][0]
    assert any(entry.get("event") == "chosen" for entry in journal)
    settings = setup(bot_delay="fixed:seconds=2", **habits)
    for part, text, now in taken[::3]:
        again = rebuilt(settings, part)
        assert everything(again, now) == everything(Table.from_json(settings, text), now)
        late = rebuilt(settings, journal[len(part) :], text)
        assert everything(late, taken[-1][2]) == everything(
            Table.from_json(settings, taken[-1][1]), taken[-1][2]
        )


def test_a_table_can_be_rebuilt_from_a_journal_that_was_cut_anywhere() -> None:
    journal = steps(2)[-1][0]
    settings = setup(bot_delay="fixed:seconds=2")
    for length in range(1 + settings.game.seats, len(journal), 3):
        again = rebuilt(settings, journal[:length])
        missing = json.loads(json.dumps(again.take_rows()))
        assert journal[:length] + missing == journal[: length + len(missing)]


def test_the_rule_that_a_group_played_is_read_from_its_journal() -> None:
    table = voting([0, 2])
    assert played(setup(), table.rows).rule == ""
    choose(table, 0, "pool", 0)
    choose(table, 2, "pool", 0)
    assert played(setup(), entries(table)).game.core.governance == "per_step"
