"""The text of a paper about a plan with a space; tests/door writes a whole folder twice."""

from __future__ import annotations

import pytest

from mixed_company.analysis.paper import methods, over_space, results
from mixed_company.experiment.space import Space, Variable
from tests.analysis.space.made import plan
from tests.analysis.space.test_report import TEXT, content, of_study, table

MANIFEST = {"software": {"python": "3"}, "code": "abc"}
MANY = Space(
    points=24,
    design="grid",
    variables={
        "size": Variable(low=3, high=6),
        "talk": Variable(choices=("off", "free", "list")),
        "punishment": Variable(choices={"off": {}, "on": {"peer": "punishment"}}),
    },
)


def written_methods() -> list[str]:
    return list(methods.paragraphs(content(plan(**TEXT)), None, "", "not sealed", MANIFEST))


def test_methods_say_what_the_space_is_and_how_its_points_were_placed():
    design, variables = written_methods()[1:3]
    assert "The experiment had 24 treatments, which are points of a space of designs with 4" in (
        design
    )
    assert "1 group was planned at each point. The points are a Sobol sequence, randomised by" in (
        design
    )
    assert "with seed 5. No two points are the same." in design
    assert "Each group at points with disclosure labels can play up to 2 periods" in design
    assert variables.splitlines()[2:] == [
        "- mpcr: 0.3 to 0.9, in steps of 0.001 (`mpcr`)",
        "- endowment: 18 to 22, in steps of 0.01 (`endowment`)",
        "- decision_seconds: 30 to 60, in steps of 0.1 (`decision_seconds`)",
        "- disclosure: none / labels (`disclosure`)",
        "",
        "`tables/space_design.csv` has the values at every point.",
    ]


def test_methods_are_as_long_for_many_points_as_for_few():
    text = "\n\n".join(written_methods())
    design = table("space_design")["mpcr"]
    assert f"- mpcr: {design.min():g} to {design.max():g}, by point (points that everyone" in text
    assert text.count("Pages that a participant sees, in order") == 1
    heading = "Texts that people read, and bots that take people's seats"
    assert f"{heading} (points with disclosure none)" in text
    assert "p001" not in text


def test_methods_describe_the_regression_and_its_hypotheses():
    text = "\n\n".join(written_methods())
    assert "a coefficient in a regression of the measure on all variables of the space" in text
    assert "Errors are HC3 with the point as the unit" in text
    assert (
        "Test: `regression`, variable mpcr. Expected: rises with mpcr. Independent unit: point."
    ) in text
    assert "The plan has 1 group at each point of the space." in text


def test_results_have_the_effects_in_the_notation_of_journals():
    text = "\n\n".join(results.paragraphs(of_study(), plan(**TEXT)))
    row = table("space_effects").iloc[0]
    assert row["low"] < row["effect"] < row["high"]
    assert row["t"] == pytest.approx(row["effect"] / row["standard_error"])
    assert (
        f"- mpcr (0.3 to 0.9): *b* = {row['effect']:.2f}, *SE* = {row['standard_error']:.2f}, "
        f"95% CI [{row['low']:.2f}, {row['high']:.2f}], *t*(19) = {row['t']:.2f}, *p* < .001"
    ) in text
    assert "24 points, 24 groups (`figures/space_effects_0.pdf`)" in text
    assert "predicted at held-out points (10 folds of 24 points)" in text
    assert "Least squares over the space, HC3 errors by point (points 24, groups 24): *t*(" in text
    assert "(`tables/space_interactions.csv`)" in text


def test_points_are_named_by_the_values_that_set_them_apart():
    points = MANY.drawn

    def named(**values):
        matching = [
            name
            for name, point in points.items()
            if all(point[key] in allowed for key, allowed in values.items())
        ]
        return over_space.points_of(MANY, matching)

    assert named(punishment=["on"]) == "points with punishment on"
    assert named(talk=["free", "list"]) == "points with talk free or list"
    assert named(talk=["off"], punishment=["on"]) == "points with talk off and punishment on"
    assert named(size=[4]) == "points with size 4"
    assert over_space.points_of(MANY, ["p001", "p004"]) == "2 of 24 points: p001, p004"


def test_numbers_that_differ_become_ranges():
    lines = ["6 periods of 0.5 s, 3 seats", "12 periods of 0.5 s, 2 seats"]
    assert over_space.combined(lines) == "6 to 12 periods of 0.5 s, 2 to 3 seats"
    assert over_space.spread(MANY, {"p001": "0.4", "p002": "-1"}) == "-1 to 0.4, by point"
    values = {name: f"{point['punishment']}" for name, point in MANY.drawn.items()}
    words = "off (points with punishment off); on (points with punishment on)"
    assert over_space.spread(MANY, values) == words
