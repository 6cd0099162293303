"""Session configs of the commons, as oTree lists them.

This is a separate file because the app cannot be imported while oTree reads its settings (see
`server.sessions`).
"""

from mixed_company.table.setup import session_config

SESSION_CONFIGS = [
    session_config(
        "commons",
        "commons_game",
        "lab",
        display_name="Commons: you and three bots",
        real_world_currency_per_point=0.08,
        bots="imitator,imitator,constant_effort",
    ),
    session_config(
        "commons_two_people",
        "commons_game",
        "lab",
        display_name="Commons: two people and two bots",
        real_world_currency_per_point=0.08,
        people_per_group=2,
        bots="imitator,constant_effort",
    ),
    session_config(
        "commons_four_people",
        "commons_game",
        "lab",
        display_name="Commons: four people and no bots",
        real_world_currency_per_point=0.08,
        people_per_group=4,
        bots="constant_effort",
    ),
    session_config(
        "commons_peer_points",
        "commons_game",
        "lab",
        display_name="Commons: you and three bots can punish each other",
        real_world_currency_per_point=0.08,
        peer="punishment",
        bots="imitator+punishes_below_average,constant_effort+never_punishes,free_rider+retaliates",
    ),
    session_config(
        "commons_governed",
        "commons_game",
        "governed",
        display_name="Commons: players can pay to restock the lake",
        collapse_stock=10.0,
        bots="steward,free_rider,conditional_cooperator",
    ),
    session_config(
        "commons_local_view",
        "commons_game",
        "local_view",
        display_name="Commons: players see only their neighbours",
        growth_rate=0.4,
        collapse_stock=10.0,
        bots="conditional_cooperator,tit_for_tat,noisy_person",
    ),
    session_config(
        "commons_noisy_stock",
        "commons_game",
        "noisy_stock",
        display_name="Commons: nobody knows exactly how many fish are left",
        growth_rate=0.4,
        collapse_stock=10.0,
        bots="half_capacity,sustainable,noisy_person",
    ),
    session_config(
        "commons_unequal",
        "commons_game",
        "unequal",
        display_name="Commons: some players may take less, and information is late and inexact",
        bots="conditional_cooperator,sustainable,noisy_person",
    ),
    session_config(
        "commons_subsistence",
        "commons_game",
        "subsistence",
        display_name="Commons: a lake with few fish left, and living costs",
        bots="conditional_cooperator,sustainable,noisy_person",
    ),
    session_config(
        "commons_in_turn",
        "commons_game",
        "lab",
        display_name="Commons: two people and two bots take turns",
        real_world_currency_per_point=0.08,
        people_per_group=2,
        agents='{"timing": "sequential"}',
        decision_seconds=30.0,
        bots="imitator,constant_effort",
    ),
    session_config(
        "commons_trained",
        "commons_game",
        "lab",
        display_name="Commons: you and three trained bots",
        real_world_currency_per_point=0.08,
        bots="commons_ppo_lab_group,commons_ppo_lab_own",
    ),
]
