"""A play page lasts as long as the longest play there can be."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from server import pages
from tests.table.layered import IN_TURN, begun, stay
from tests.table.plays import SECOND, rows


@pytest.mark.parametrize("agents", [IN_TURN, {}])
def test_the_page_lasts_as_long_as_the_slowest_play(agents: dict[str, Any]) -> None:
    """Everybody is there and uses all the time there is."""
    given = {"core": {"periods": 3}, "decision_seconds": 10, "grace_seconds": 30}
    made = begun([0, 1, 2, 3], agents=agents, **given)
    stay(made, [0, 1, 2, 3], 0, 120)
    assert made.episode.done
    # 3 periods of 4 turns of 10 s, or of 10 s for all
    lasted = rows(made, "period")[-1]["at_ms"]
    assert lasted == (120 if agents else 30) * SECOND
    session = SimpleNamespace(setup=made.setup.model_dump_json())
    page = pages.Play.get_timeout_seconds(SimpleNamespace(subsession=session))
    assert page >= lasted / SECOND + made.setup.options.grace_seconds
