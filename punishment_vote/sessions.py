"""The sessions of the punishment vote on oTree's list.

A file by itself: nothing of the app can be imported here (`server.sessions` says why).
"""

from mixed_company.table.setup import session_config

# A turn every two seconds (docs/pace.md says why), whatever the bots do: they choose when a turn
# begins. Three, two, one: the first turn comes when one is looking.
WALK = {
    "pace": "clock",
    "decision_seconds": 2.0,
    "countdown_seconds": 3.0,
    "bot_delay": "instant",
    "grace_seconds": 30.0,
}

SESSION_CONFIGS = [
    session_config(
        "vote",
        "punishment_vote",
        "lab",
        display_name="Punishment vote: you and three bots",
        bots="harm_averse,harm_averse,law_and_order",
        **WALK,
    ),
    session_config(
        "vote_three_people",
        "punishment_vote",
        "lab",
        display_name="Punishment vote: three people and a bot",
        people_per_group=3,
        bots="noisy_person",
        **WALK,
    ),
    session_config(
        "vote_source",
        "punishment_vote",
        "source",
        display_name="Punishment vote with the numbers of its source: you and two bots",
        bots="forager,conditional_voter",
        **WALK,
    ),
    session_config(
        "vote_sequential",
        "punishment_vote",
        "sequential",
        display_name="Punishment vote, one after the other: you and two bots",
        bots="forager,opportunist",
        **WALK,
    ),
    session_config(
        "vote_weighted",
        "punishment_vote",
        "weighted_votes",
        display_name="Punishment vote in which an elder's vote counts more: you and three bots",
        bots="forager,law_and_order,noisy_person",
        **WALK,
    ),
    session_config(
        "vote_composite",
        "punishment_vote",
        "composite",
        display_name="Punishment vote, moving and voting at once: you and two bots",
        bots="planner,libertarian",
        **WALK,
    ),
    session_config(
        "vote_separate_worlds",
        "punishment_vote",
        "separate_worlds",
        display_name="Punishment vote, each on a field of its own: you and two bots",
        bots="harm_averse,forager",
        **WALK,
    ),
    session_config(
        "vote_trained",
        "punishment_vote",
        "lab",
        display_name="Punishment vote: you and three trained bots",
        bots="vote_ppo_lab_group",
        **WALK,
    ),
]
