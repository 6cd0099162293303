"""Session configs of the public good, as oTree lists them.

This is a separate file because the app cannot be imported here (see `server.sessions`).
"""

from mixed_company.table.setup import session_config

SESSION_CONFIGS = [
    session_config(
        "public_good",
        "public_good",
        "lab",
        display_name="Public good: you and three bots",
        real_world_currency_per_point=0.02,
        bots="conditional_cooperator,conditional_cooperator:bias=0+punishes_below_average,"
        "free_rider+retaliates",
    ),
    session_config(
        "public_good_two_people",
        "public_good",
        "lab",
        display_name="Public good: two people and two bots",
        real_world_currency_per_point=0.02,
        people_per_group=2,
        bots="conditional_cooperator+punishes_below_average",
    ),
    session_config(
        "public_good_source",
        "public_good",
        "source",
        display_name="Public good without punishment: you and three bots",
        real_world_currency_per_point=0.02,
        bots="conditional_cooperator",
    ),
]
