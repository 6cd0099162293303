"""Session configs of gem mining, as oTree lists them.

This is a separate file because the app cannot be imported while oTree reads its settings (see
`server.sessions`).
"""

from mixed_company.table.setup import session_config

SESSION_CONFIGS = [
    session_config(
        "gems",
        "gem_mining",
        "lab",
        display_name="Gem mining: you and three bots",
        real_world_currency_per_point=0.08,
        people_seats="first",  # the first bot follows its neighbour, the person
        bots="follow_crowd,gives_way,gives_way",
    ),
    session_config(
        "gems_four_people",
        "gem_mining",
        "lab",
        display_name="Gem mining: four people and no bots",
        real_world_currency_per_point=0.08,
        people_per_group=4,
        bots="best_response",
    ),
    session_config(
        "gems_three_kinds",
        "gem_mining",
        "lab_0_7",
        display_name="Gem mining: three kinds of gems, some worth more",
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
        display_name="Gem mining: chances are known, but they change",
        real_world_currency_per_point=0.25,
        bots="thompson_sampling,epsilon_greedy,avoid_crowd",
    ),
    session_config(
        "gems_published",
        "gem_mining",
        "momaland_42",
        display_name="Gem mining: twenty villages, as published",
        real_world_currency_per_point=0.05,
        periods=10,
        information="all",
        bots="thompson_sampling,best_response,follow_crowd,own_best_alone,random",
    ),
    session_config(
        "gems_trained",
        "gem_mining",
        "lab",
        display_name="Gem mining: you and three trained bots",
        real_world_currency_per_point=0.08,
        bots="gems_ppo_lab_group",
    ),
]
