"""oTree's settings: the session configs that can be played, and a few choices for all of them.

Every number of a session config can be changed when a session is created. `session_config` lists
them all, with the values of the archetype, and refuses a key that does not exist.
"""

from os import environ

from table.setup import session_config

# Trained policies of your own (bots/trained says what files they are) are found with
#
#     import bots
#     bots.look_in("my_policies")
#
# before SESSION_CONFIGS. What is wrong with one is told here, when the server starts.

SESSION_CONFIGS = [
    session_config(
        "commons",
        "commons_game",
        "lab",
        display_name="Commons: you and three bots",
        bots="conditional_cooperator,sustainable,noisy_person",
    ),
    session_config(
        "commons_two_people",
        "commons_game",
        "lab",
        display_name="Commons: two people and two bots",
        people_per_group=2,
        bots="conditional_cooperator,noisy_person",
    ),
    session_config(
        "commons_four_people",
        "commons_game",
        "lab",
        display_name="Commons: four people",
        people_per_group=4,
        bots="conditional_cooperator",
    ),
    session_config(
        "commons_governed",
        "commons_game",
        "governed",
        display_name="Commons with a pool that feeds the stock: you and three bots",
        collapse_stock=10.0,
        bots="steward,free_rider,conditional_cooperator",
    ),
    session_config(
        "commons_local_view",
        "commons_game",
        "local_view",
        display_name="Commons seen only next door: you and three bots",
        growth_rate=0.4,
        collapse_stock=10.0,
        bots="conditional_cooperator,tit_for_tat,noisy_person",
    ),
    session_config(
        "commons_noisy_stock",
        "commons_game",
        "noisy_stock",
        display_name="Commons with a stock nobody knows exactly: you and three bots",
        growth_rate=0.4,
        collapse_stock=10.0,
        bots="half_capacity,sustainable,noisy_person",
    ),
]

SESSION_CONFIGS += [
    session_config(
        "commons_unequal",
        "commons_game",
        "unequal",
        display_name="Commons of strong and weak, seen late and blurred: you and three bots",
        bots="conditional_cooperator,sustainable,noisy_person",
    ),
    session_config(
        "commons_in_turn",
        "commons_game",
        "lab",
        display_name="Commons, one after the other: two people and two bots",
        people_per_group=2,
        agents='{"timing": "sequential"}',
        decision_seconds=30.0,
        bots="conditional_cooperator,noisy_person",
    ),
]

# A turn every second and a half, whatever the bots do: they choose when a turn begins.
WALK = {"pace": "clock", "decision_seconds": 1.5, "bot_delay": "instant", "grace_seconds": 30.0}

SESSION_CONFIGS += [
    session_config(
        "vote",
        "punishment_vote",
        "lab",
        display_name="Punishment vote: you and three bots",
        bots="forager,law_and_order,noisy_person",
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
]

SESSION_CONFIGS += [
    session_config(
        "sanctions",
        "sanctions",
        "lab",
        display_name="Sanctions: you and three bots",
        real_world_currency_per_point=0.02,
        bots="conditional_cooperator,free_rider,noisy_person",
    ),
    session_config(
        "sanctions_two_people",
        "sanctions",
        "lab",
        display_name="Sanctions: two people and four bots",
        real_world_currency_per_point=0.02,
        seats=6,
        people_per_group=2,
        bots="conditional_cooperator,free_rider,tit_for_tat,noisy_person",
    ),
    session_config(
        "sanctions_source",
        "sanctions",
        "source",
        display_name="Sanctions with the numbers of their source, 20 periods: you and five bots",
        real_world_currency_per_point=0.003,
        periods=20,
        bots="conditional_cooperator,free_rider,baseline_keeper,hump_shaped,noisy_person",
    ),
    session_config(
        "sanctions_reputation",
        "sanctions",
        "reputation",
        display_name="Sanctions with reputations, paid two periods later: you and three bots",
        real_world_currency_per_point=0.02,
        bots="conditional_cooperator,free_rider,noisy_person",
    ),
    session_config(
        "sanctions_tr4",
        "sanctions",
        "tr4",
        display_name="Sanctions as published, which fall on the observer: you and five bots",
        real_world_currency_per_point=0.003,
        periods=20,
        bots="conditional_cooperator,one_time_defector,baseline_keeper,noisy_person",
    ),
]

SESSION_CONFIGS += [
    session_config(
        "gems",
        "gem_mining",
        "lab",
        display_name="Gem mining: you and three bots",
        real_world_currency_per_point=0.25,
        bots="thompson_sampling,epsilon_greedy,avoid_crowd",
    ),
    session_config(
        "gems_four_people",
        "gem_mining",
        "lab",
        display_name="Gem mining: four people",
        real_world_currency_per_point=0.25,
        people_per_group=4,
        bots="thompson_sampling",
    ),
    session_config(
        "gems_three_kinds",
        "gem_mining",
        "lab",
        display_name="Gem mining with three kinds of different worth, chances known: you and a bot",
        real_world_currency_per_point=0.10,
        seats=2,
        gem_types=3,
        weights="[1, 2, 5]",
        known_probabilities=True,
        bots="joint_optimum",
    ),
    session_config(
        "gems_open_book",
        "gem_mining",
        "open_book",
        display_name="Gem mining with open books and chances that move: you and three bots",
        real_world_currency_per_point=0.25,
        bots="thompson_sampling,epsilon_greedy,avoid_crowd",
    ),
    session_config(
        "gems_published",
        "gem_mining",
        "momaland_42",
        display_name="Gem mining as published, 20 villages, 10 periods: you and nineteen bots",
        real_world_currency_per_point=0.05,
        periods=10,
        information="all",
        bots="thompson_sampling,best_response,follow_crowd,own_best_alone,random",
    ),
]

# Bots that learned to play, see docs/policies.md.
SESSION_CONFIGS += [
    session_config(
        "commons_trained",
        "commons_game",
        "lab",
        display_name="Commons: you and three trained bots",
        bots="commons_ppo_group,commons_ppo_own",
    ),
    session_config(
        "vote_trained",
        "punishment_vote",
        "lab",
        display_name="Punishment vote: you and three trained bots",
        bots="vote_ppo_group",
        **WALK,
    ),
    session_config(
        "sanctions_trained",
        "sanctions",
        "lab",
        display_name="Sanctions: you and three trained bots",
        real_world_currency_per_point=0.02,
        bots="sanctions_ppo_group,sanctions_ppo_own",
    ),
    session_config(
        "gems_trained",
        "gem_mining",
        "lab",
        display_name="Gem mining: you and three trained bots",
        real_world_currency_per_point=0.25,
        bots="gems_ppo_group",
    ),
]

SESSION_CONFIG_DEFAULTS = {
    "real_world_currency_per_point": 0.10,
    "participation_fee": 2.00,
    "doc": "",
}

PARTICIPANT_FIELDS: list[str] = []
SESSION_FIELDS: list[str] = []

ROOMS = [{"name": "lab", "display_name": "Laboratory"}]

LANGUAGE_CODE = "en"
REAL_WORLD_CURRENCY_CODE = "EUR"
USE_POINTS = True
POINTS_DECIMAL_PLACES = 2

ADMIN_USERNAME = "admin"
ADMIN_PASSWORD = environ.get("OTREE_ADMIN_PASSWORD")
SECRET_KEY = environ.get("OTREE_SECRET_KEY", "only for playing on one's own machine")

DEMO_PAGE_INTRO_HTML = """
<p>Behavioural games for people and bots in mixed company. Choose a session, open its links in
one window per person, and play.</p>
"""
