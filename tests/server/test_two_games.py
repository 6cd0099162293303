"""A session with two games pays a participant once, and excludes a participant from both."""

from __future__ import annotations

from settings import SESSION_CONFIG_DEFAULTS
from tests.server.inside import Session, inside

__all__ = ["inside"]  # a fixture

BOTH = {
    "name": "both",
    "display_name": "Both",
    "app_sequence": ["commons_game", "gem_mining"],
    "num_demo_participants": 2,
    "people_per_group": 1,
    "bots": "random",
    "participation_fee": 2.0,
}


def test_the_budget_counts_each_participant_once_and_an_excluded_one_stays_out(inside, monkeypatch):
    import otree.session
    from otree import database
    from otree.common import get_models_module

    from mixed_company.server.board.people import session_people
    from mixed_company.server.pages.pages import Consent, Instructions

    configs = otree.session.SESSION_CONFIGS_DICT
    both = type(configs["commons"])({**SESSION_CONFIG_DEFAULTS, **BOTH})
    monkeypatch.setitem(configs, "both", both)
    code = Session("both", 2).code
    database.db.new_session()
    apps = map(get_models_module, ("commons_game", "gem_mining"))
    first, second = (app.Player.objects_filter().order_by("id").all() for app in apps)
    first[0].status = second[0].status = "released"
    first[1].status = "excluded"
    database.db.commit()
    # the fee, for coming; the other person is barred
    assert list(session_people(code).paid) == [2.0, 0.0]
    assert [page.is_displayed(second[1]) for page in (Consent, Instructions)] == [False, False]
    assert [player.status for player in second] == ["released", "excluded"]
