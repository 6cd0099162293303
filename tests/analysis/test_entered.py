"""Groups in which bots took people's seats are listed. They are a deviation if no bots were
planned.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mixed_company.analysis.data import Data
from mixed_company.analysis.entered import bots_entered
from mixed_company.analysis.planned.deviations import deviations
from mixed_company.analysis.planned.tested import of_plan
from tests.analysis.planned.made import TEXT, content, export, sealed
from tests.experiment.planned import plan


def replaced(data: Data, reason: str) -> Data:
    """Return the data with a bot in the seat of a person in the first group."""
    stay = data.seats[(data.seats["group"] == 1) & (data.seats["occupant"] == "person")].iloc[[0]]
    stay = stay.assign(occupant="policy", policy_id="steward", since_period=1, reason=reason)
    columns = data.seats.columns
    return replace(data, seats=data.seats.merge(stay, how="outer")[columns])


def test_groups_as_planned_are_not_listed() -> None:
    """Two of the four seats are for bots."""
    assert bots_entered(export()).empty


@pytest.mark.parametrize(
    ("reason", "taken"), [("dropout", [1]), ("handed", [1]), ("returned", []), ("missed", [])]
)
def test_a_seat_that_a_person_lost_to_a_bot_is_counted(reason: str, taken: list[int]) -> None:
    table = bots_entered(replaced(export(), reason))
    assert table["during_play"].tolist() == taken
    assert table["from_start"].tolist() == [0] * len(taken)
    assert table["planned_bots"].tolist() == [2] * len(taken)


def test_bots_in_the_seats_of_missing_people_are_counted() -> None:
    """All four seats are for people, but only two come."""
    table = bots_entered(export(people_per_group=4))
    assert table[["group", "planned_bots", "from_start", "during_play"]].to_numpy().tolist() == [
        [1, 0, 2, 0],
        [2, 0, 2, 0],
    ]


def lines(data: Data, **changes: Any) -> list[str]:
    study = plan(TEXT)
    seal = sealed(study, **changes)
    table = deviations(of_plan(data, "small", study), study, content(study, **changes), seal)
    return [f"{key}: {line}" for key, line in table.itertuples(index=False) if "bots" in line]


def test_bots_are_a_deviation_in_a_treatment_without_bots_only() -> None:
    alone = {"people_per_group": 4}
    first, second = export(**alone).groups["treatment"]
    assert sorted(lines(export(**alone), **alone)) == sorted(
        f"treatment {name}: has no bots, but bots took people's seats in 1 group: plan1-{number}"
        for number, name in enumerate((first, second), 1)
    )
    assert lines(replaced(export(), "dropout")) == []
