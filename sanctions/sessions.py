"""Session configs of the sanctions game, as oTree lists them.

This is a separate file because the app cannot be imported while oTree reads its settings (see
`server.sessions`).
"""

from mixed_company.table.setup import session_config

SESSION_CONFIGS = [
    session_config(
        "sanctions",
        "sanctions",
        "lab",
        display_name="Sanctions: you and three bots",
        real_world_currency_per_point=0.016,
        bots="conditional_cooperator:bias=0.6,hump_shaped,noisy_person",
    ),
    session_config(
        "sanctions_without",
        "sanctions",
        "unsanctioned",
        display_name="Sanctions: the same game without sanctions",
        real_world_currency_per_point=0.016,
        bots="conditional_cooperator:bias=0.6,hump_shaped,noisy_person",
    ),
    session_config(
        "sanctions_peer_points",
        "sanctions",
        "unsanctioned",
        display_name="Public good: you and three bots can punish each other",
        real_world_currency_per_point=0.016,
        peer="punishment",
        peer_floor="stage",
        periods=10,
        bots="conditional_cooperator:bias=0.6+punishes_below_average,hump_shaped+retaliates,"
        "free_rider+antisocial",
    ),
    session_config(
        "sanctions_two_people",
        "sanctions",
        "lab",
        display_name="Sanctions: two people and four bots",
        real_world_currency_per_point=0.012,
        seats=6,
        lambda_R=9.6,  # scaled from three partners to five
        people_per_group=2,
        bots="conditional_cooperator,free_rider,tit_for_tat,noisy_person",
    ),
    session_config(
        "sanctions_source",
        "sanctions",
        "source",
        display_name="Sanctions: the original parameters",
        real_world_currency_per_point=0.003,
        periods=20,
        bots="conditional_cooperator,free_rider,baseline_keeper,hump_shaped,noisy_person",
    ),
    session_config(
        "sanctions_reputation",
        "sanctions",
        "reputation",
        display_name="Sanctions: reputations count, and points come two periods late",
        real_world_currency_per_point=0.02,
        bots="conditional_cooperator,free_rider,noisy_person",
    ),
    session_config(
        "sanctions_tr4",
        "sanctions",
        "tr4",
        display_name="Sanctions: giving less costs the others points, as published",
        real_world_currency_per_point=0.003,
        periods=20,
        bots="conditional_cooperator,one_time_defector,baseline_keeper,noisy_person",
    ),
    session_config(
        "sanctions_trained",
        "sanctions",
        "lab",
        display_name="Sanctions: you and three trained bots",
        real_world_currency_per_point=0.016,
        bots="sanctions_ppo_lab_group,sanctions_ppo_lab_own",
    ),
]
