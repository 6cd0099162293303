"""Tests that a plan shows its blocks: their changes, the total time, and the payment."""

from __future__ import annotations

import pytest

from mixed_company.experiment import treatments
from mixed_company.experiment.showing import lines
from tests.experiment.planned import SMALL, config, plan

BLOCKS = """
[[blocks]]
name = "first"
meaning = "as it is"

[[blocks]]
name = "second"
meaning = "with little"
changes = { capacity = 60.0 }

[treatments.pool.blocks.second]
instruction = "Now there is little, and a pool."
"""
VOTE = """
[treatments.vote]
meaning = "the group chooses"
people = "fixed:harvest=2,fixed:harvest=1"

[treatments.vote.changes]
bots = "fixed:harvest=1"
rules_seconds = 50.0

[treatments.vote.changes.rules.low]
meaning = "Nobody takes more than 1."
changes.layers.power = { intensity = 1.0, limits = { member = { harvest = 1.0 } } }

[treatments.vote.changes.rules.open]
meaning = "Everybody takes what he or she likes."

[treatments.vote.changes.rules.empty]
meaning = "There is next to nothing."
changes = { initial_stock = 5.0, collapse_stock = 30.0 }
"""
FEE, RATE = 2.0, 0.1


def shown(text: str) -> list[str]:
    small = plan(text)
    session_config = {
        **config(small),
        "participation_fee": FEE,
        "real_world_currency_per_point": RATE,
    }
    return list(
        lines(small, treatments.shipped_series("commons_game", session_config), session_config)
    )


TEXT = SMALL + BLOCKS


def sums(line: str) -> list[float]:
    """Return the lowest and the highest payment in a line."""
    lowest, highest = line.partition("pay")[2].lstrip(": ").partition(",")[0].split(" to ")
    return [float(lowest), float(highest)]


def test_each_block_shows_its_changes_and_what_people_in_the_treatment_read() -> None:
    output = shown(TEXT)
    assert output.count("    changes: capacity 60.0") == 2
    changes = [
        line.partition("instruction on changes: ")[2] for line in output if "instruction on" in line
    ]
    assert changes == [
        f"{announced}, and what is new in the instructions"
        for announced in (
            "whether the rules are the same as before",
            '"Now there is little, and a pool."',
        )
    ]


def test_the_sentence_about_bots_is_shown_where_people_read_it() -> None:
    """The second block repeats the sentence, changes it, or drops it."""
    lines_of_plans = [
        [
            line.strip().removeprefix("told about bots")
            for line in shown(TEXT.replace("capacity = 60.0", f"capacity = 60.0{changes}"))
            if "told about bots" in line
        ][:2]
        for changes in ("", ', disclosure = "labels"', ', disclosure = "none"')
    ]
    sentence = ': "Some of the players may be computer programs."'
    assert lines_of_plans == [
        [sentence, ": nothing new; the earlier sentence is still in the instructions"],
        [
            sentence,
            ', as a change in the instructions: "Players can be people or computer programs. You '
            'can see which is which."',
        ],
        [sentence, ": the earlier sentence is no longer in the instructions"],
    ]


@pytest.mark.parametrize("paid", ["all", "one"])
def test_all_blocks_together_show_their_duration_and_payment(paid: str) -> None:
    output = shown(TEXT.replace("groups = 2", f"groups = 2\npay_blocks = '{paid}'"))
    first, second = [line for line in output if line.startswith("    simulated pay: ")][:2]
    total = next(line for line in output if line.startswith("  In all: "))
    # two plays of 3 periods of 45 s: 4.5 minutes, rounded up
    assert "plays of 5 minutes at most" in total
    (low, high), (lowest, highest) = sums(first), sums(second)
    if paid == "all":
        assert sums(total) == pytest.approx([low + lowest, high + highest], abs=0.011)
    else:
        one_of_two = [min(low, FEE + lowest), max(high, FEE + highest)]
        assert sums(total) == pytest.approx(one_of_two, abs=0.011)


def test_the_plays_of_a_repeated_block_are_summed_up() -> None:
    output = shown(TEXT.replace('name = "first"', 'name = "first"\nrepeat = 3'))
    first, second = [line for line in output if line.startswith("    simulated pay: ")][:2]
    total = next(line for line in output if line.startswith("  In all: "))
    assert "plays of 9 minutes at most" in total  # four plays of 3 periods of 45 s
    (low, high), (lowest, highest) = sums(first), sums(second)
    whole = [FEE + 3 * (pay - FEE) + other for pay, other in ((low, lowest), (high, highest))]
    assert sums(total) == pytest.approx(whole, abs=0.021)
    assert "  Block first, each of 3 plays: as it is" in output
    assert [line.partition("; ")[0] for line in output if " periods, " in line][:2] == [
        "    5. each of 3 plays: 3 periods, at most 3 minutes",
        "    3. play of 3 periods, at most 3 minutes",
    ]


def test_pay_after_a_vote_is_shown_for_the_choice_of_policies_and_for_every_rule() -> None:
    """The fee is 2, and a point is worth 0.1, over three periods.

    A seat that takes 2 earns 6, and one that takes 1 earns 3. Under the limit both earn 3. A stock
    of 5 fish is taken in the first period, which ends the play. Both people are drawn at random: in
    20 plays 23 of 40 take 2. In 4 plays both take 1 and abstain, so the first rule holds. The mean
    in open is 2 + (23 * 0.6 + 17 * 0.3) / 40 = 2.47.
    """
    [line] = [text for text in shown(SMALL + VOTE) if "choose" in text and "pay:" in text]
    assert "2.10 to 2.60, 2.47 on average over 20 plays, which" in line
    assert ", which choose low in 4, open in 16 and empty in 0; 2.00 of it for taking part" in line
    assert "; with low 2.30 to 2.30, 2.30 on average; with open 2.30 to 2.60, 2.47 on" in line
    assert line.endswith(
        "; with empty 2.10 to 2.20, 2.15 on average, plays end after 1 of 3 periods"
    )


def test_plays_that_end_early_are_shown_with_the_pay() -> None:
    """Five fish are taken in the first period, but a whole stock lasts."""
    whole = 'changes = { governance = "per_step" }'
    empty = "changes = { initial_stock = 5.0, collapse_stock = 30.0 }"
    first, second = [
        line for line in shown(SMALL.replace(whole, empty)) if "simulated pay:" in line
    ]
    assert "over 20 plays; 2.00 of it" in first
    assert "over 20 plays, which end after 1 of 3 periods; 2.00 of it" in second


def test_changes_in_all_treatments_are_shown_once() -> None:
    text = SMALL.replace("[treatments.open]", "[changes]\ncapacity = 70.0\n[treatments.open]")
    line = "Session config commons_small; changes in all treatments: "
    assert shown(text).count(f"{line}capacity 70.0") == 1
    assert shown(SMALL).count(f"{line}none") == 1


def test_the_order_of_a_trend_test_is_shown_before_there_are_data() -> None:
    third = """
[treatments.rich]
meaning = "more"
changes = { capacity = 200.0 }

[hypotheses.rise]
meaning = "The richer, the more is harvested."
measure = "harvest"
test = "jonckheere"
treatments = ["pool", "rich", "open"]
direction = "higher"

[hypotheses.pair]
meaning = "A pool changes something."
measure = "harvest"
test = "welch"
treatments = ["open", "pool"]
"""
    trend, pair = [line for line in shown(SMALL + third) if "(main)" in line]
    assert trend.endswith(
        "[harvest of all seats, jonckheere: trend in the order pool, then rich, then open; "
        "expected: rises over pool, rich, open]"
    )
    assert pair.endswith("[harvest of all seats, welch: open, pool; expected: no direction]")


def test_the_time_for_votes_is_part_of_the_duration_of_all_blocks() -> None:
    [line] = [text for text in shown(SMALL + BLOCKS + VOTE) if "votes included" in text]
    # two plays of 3 periods of 45 s, each with a vote of 50 s and 10 s to read: 6.5 minutes
    assert "plays of 7 minutes at most, votes included" in line


def test_only_bots_that_can_have_a_seat_are_named() -> None:
    """The list has three policies for two empty seats. The third can play if a person is missing,
    unless the lobby releases the others."""
    keys = 'bots = "imitator,imitator,steward", practice_bots = "random,greedy,greedy,fixed"'
    text = SMALL.replace("groups = 2", f"groups = 2\nchanges = {{ {keys} }}")
    text = text.replace('"greedy,steward"', '"greedy"')
    words = "\n".join(shown(text)[4:])
    assert "; people take 2 of 4 seats, bots take the other 2 (imitator)" in words
    assert "; bots: imitator (2 seats)." in words
    assert "alone with bots (random, greedy (2 seats)), unpaid" in words
    fewer = "In a group with fewer people, the bots are imitator, imitator, steward, in rotation."
    assert words.count(fewer) == words.count("steward") == 2
    released = text.replace(f"{keys} }}", f'{keys}, lobby_outcome = "release" }}')
    assert "steward" not in "\n".join(shown(released)[4:])


def test_one_person_among_bots_has_a_seat() -> None:
    lines_of = shown(SMALL.replace("groups = 2", "groups = 2\nchanges = { people_per_group = 1 }"))
    assert any(
        "; a person takes 1 of 4 seats, bots take the other 3 (steward)" in line
        for line in lines_of
    )
