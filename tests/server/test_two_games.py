"""A session of two games pays a participant once and bars a participant from both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mixed_company.server.rehearse.server import ROOT, lay_out
from tests.server.fresh import last_value

BOTH = """
SESSION_CONFIGS.append({
    "name": "both", "display_name": "Both", "app_sequence": ["commons_game", "gem_mining"],
    "num_demo_participants": 2, "people_per_group": 1, "bots": "random", "participation_fee": 2.0,
})
"""
MADE = """
import json, os, sys
os.chdir(sys.argv[1])
import otree.main
otree.main.setup()
import otree.session
from otree import database
from otree.common import get_models_module
from mixed_company.server.board.people import session_people
from mixed_company.server.pages.pages import Consent
from mixed_company.server.pages.pages import Instructions
made = otree.session.create_session(session_config_name="both", num_participants=2)
first, second = ([*get_models_module(app).Player.objects_filter(session=made).order_by("id")]
                 for app in ("commons_game", "gem_mining"))
"""


def printed(tmp_path: Path, code: str) -> Any:
    """Return the JSON that a fresh process prints after it has made a session of both games."""
    folder = tmp_path / "project"
    lay_out(folder, (ROOT / "settings.py").read_text("utf-8") + BOTH)
    return last_value("-c", MADE + code, str(folder))


def test_the_budget_counts_each_participant_once_and_an_excluded_one_stays_out(
    tmp_path: Path,
) -> None:
    paid, shown, statuses = printed(
        tmp_path,
        """
first[0].status = second[0].status = "released"
first[1].status = "excluded"
database.db.commit()
crowd = session_people(made.code)
shown = [page.is_displayed(second[1]) for page in (Consent, Instructions)]
print(json.dumps([list(crowd.paid), shown, [second[0].status, second[1].status]]))
""",
    )
    assert paid == [2.0, 0.0]  # the fee, for coming; the other one is barred
    assert shown == [False, False]
    assert statuses == ["released", "excluded"]
