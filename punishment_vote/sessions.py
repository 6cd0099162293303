"""Session configs of the punishment vote, as oTree lists them.

This is a separate file because the app cannot be imported while oTree reads its settings (see
`server.sessions`).
"""

from mixed_company.table.setup import session_config

# Each turn takes two seconds (docs/pace.md explains why), however fast the bots are, because bots
# choose at the start of a turn. The countdown gives people time to look around before the first
# turn.
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
        real_world_currency_per_point=0.06,
        bots="taboo_seeker,retaliator,retaliator",
        **WALK,
    ),
    session_config(
        "vote_three_people",
        "punishment_vote",
        "lab",
        display_name="Punishment vote: three people and a bot",
        real_world_currency_per_point=0.06,
        people_per_group=3,
        bots="noisy_person",
        **WALK,
    ),
    session_config(
        "vote_source",
        "punishment_vote",
        "source",
        display_name="Punishment vote: the original parameters",
        bots="forager,conditional_voter",
        **WALK,
    ),
    session_config(
        "vote_sequential",
        "punishment_vote",
        "sequential",
        display_name="Punishment vote: players act one after the other",
        bots="forager,opportunist",
        **WALK,
    ),
    session_config(
        "vote_weighted",
        "punishment_vote",
        "weighted_votes",
        display_name="Punishment vote: the elder's vote counts more",
        bots="forager,law_and_order,noisy_person",
        **WALK,
    ),
    session_config(
        "vote_composite",
        "punishment_vote",
        "composite",
        display_name="Punishment vote: move and vote in the same turn",
        bots="planner,libertarian",
        **WALK,
    ),
    session_config(
        "vote_separate_worlds",
        "punishment_vote",
        "separate_worlds",
        display_name="Punishment vote: each player has a separate field",
        bots="harm_averse,forager",
        **WALK,
    ),
    session_config(
        "vote_trained",
        "punishment_vote",
        "lab",
        display_name="Punishment vote: you and three trained bots",
        real_world_currency_per_point=0.06,
        bots="vote_ppo_lab_group",
        **WALK,
    ),
]
