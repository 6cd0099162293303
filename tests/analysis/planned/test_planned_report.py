"""Reports with a plan: the confirmatory tests and the first screen."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from html import unescape
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis import report
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import planned as part
from mixed_company.analysis.report.excluded import Excluded
from mixed_company.analysis.report.page import _unitless, treated
from mixed_company.analysis.report.parts import Table, worded
from mixed_company.analysis.report.planned import Planned
from mixed_company.analysis.statistics.intervals import OF_MEAN
from tests.analysis.planned.made import MEAN_HARVEST, TEXT, content, export, played, sealed
from tests.analysis.report.made import undrawn
from tests.experiment.planned import SMALL, plan

Files = dict[str, str | bytes]


@cache
def reported(seal: bool) -> tuple[Planned, Files]:
    """Return the statements about a plan, sealed or not, and the report on three groups per
    treatment.
    """
    study = plan(TEXT)
    data = of_plan(played(study, 3), "small", study)
    planned = part.of_plan(data, study, content(study), sealed(study) if seal else None)
    with undrawn():
        return planned, report.files(data, plan=planned)


@pytest.mark.parametrize(
    ("seal", "status", "sentence"),
    [
        (True, "confirmatory", "The hypotheses below are confirmatory; everything else"),
        pytest.param(
            *(False, "exploratory"),
            "The plan was not sealed: everything in this report is exploratory",
            marks=pytest.mark.long,
        ),
    ],
)
def test_the_report_marks_the_confirmatory_tests(seal: bool, status: str, sentence: str) -> None:
    page = reported(seal)[1]
    html = str(page["report.html"])
    assert sentence in html
    assert "Exploratory: the hypotheses of the plan are tested in the first section" in html
    assert "open: nothing but harvest. pool: a pool." in html
    assert "A small experiment. Hypothesis: more is harvested with a pool" in html
    assert html.index('id="plan"') < html.index('id="export"')
    table = pd.read_csv(StringIO(str(page["tables/hypotheses.csv"])))
    assert set(table["status"]) == {status}
    assert set(table["of"]) == {"all seats"}
    assert "tables/deviations.csv" in page


def test_a_text_of_a_researcher_is_no_formula_in_a_table() -> None:
    """The unit of a correlation, -1 to 1, is kept."""
    study = plan(TEXT)
    data = of_plan(played(study, 3), "small", study)
    out = (Excluded("open", 2, "", '=HYPERLINK("http://x", "+1")', "-"),)
    planned = part.of_plan(data, study, content(study), sealed(study), excluded=out)
    with undrawn():
        files = report.files(data, plan=planned, excluded=out)
    table = pd.read_csv(StringIO(str(files["tables/excluded.csv"])))
    assert table[["why", "when"]].to_numpy().tolist() == [['\'=HYPERLINK("http://x", "+1")', "'-"]]
    units = set(pd.read_csv(StringIO(str(files["tables/measures.csv"])))["unit"])
    assert "-1 to 1" in units


@pytest.mark.long
def test_a_report_without_a_plan_does_not_mention_one() -> None:
    with undrawn():
        page = report.files(export())
    assert 'id="plan"' not in str(page["report.html"])
    assert "Exploratory" not in str(page["report.html"])
    assert "tables/hypotheses.csv" not in page


def test_a_treatment_can_have_the_name_of_its_plan() -> None:
    study = plan(
        TEXT.replace("[treatments.pool]", "[treatments.small]").replace('"pool"', '"small"')
    )
    data = of_plan(played(study, 2), "small", study)
    assert data.treatments == ["open", "small"]
    assert data.groups["treatment"].value_counts().to_dict() == {"open": 2, "small": 2}


@pytest.mark.long
def test_the_main_measures_have_the_unit_of_the_first_hypothesis() -> None:
    """People's harvests differ from the group's, because a bot harvests too."""
    text = TEXT.replace('"harvest"\ntest', '"harvest"\nof = "people"\ntest')
    study = plan(text)
    data = of_plan(played(study, 3), "small", study)
    planned = part.of_plan(data, study, content(study), None)
    with undrawn(all_tests=True):
        files = report.files(data, plan=planned)
    table = pd.read_csv(StringIO(str(files["tables/tests.csv"])))
    main = table[table["family"] == "main"]
    assert list(zip(main["level"], main["measure"], strict=True)) == [("person", "harvest")]
    of_people = planned.tables[0].frame["effect"].iloc[0]
    assert main["effect"].item() == pytest.approx(of_people)
    assert "mean_points" in set(table.loc[table["family"] == "group", "measure"])


def test_the_head_has_the_means_the_unit_and_one_measure_of_size() -> None:
    """The first hypothesis is about mean points. With two treatments there is no epsilon
    squared."""
    planned, files = reported(True)
    page = str(files["report.html"])
    screen = page[: page.index("</header>")]
    [(_, measure), *_] = planned.measures
    means = pd.read_csv(StringIO(str(files["tables/hypotheses_means.csv"])))
    own_means = means[means["measure"] == measure]
    assert len(own_means) == 2
    for row in own_means.index:
        assert f'<tr data-row="{row}">' in screen
    named = f"{worded(measure).capitalize()} of all seats"
    assert f"{named}, {own_means['unit'].iloc[0]}." in screen
    assert f"Means of {named.lower()}" in screen
    assert "Means over the tested units." in screen
    assert OF_MEAN in unescape(screen)
    assert f"{worded(measure).capitalize()}: Mean" in screen  # its meaning
    assert f"{named} by treatment" in screen
    assert "Cliff&#39;s delta" in screen
    assert "epsilon squared" not in screen


def test_the_meanings_of_five_treatments_are_on_the_first_screen() -> None:
    names = [f"t{number}" for number in range(5)]
    table = pd.DataFrame({"treatment": names, "stands_for": [f"rule of {name}." for name in names]})
    contents: Any = SimpleNamespace(
        tables={"treatments": Table("treatments", "Treatments", table, "")}, blind=False
    )
    note = "t0: rule of t0. t1: rule of t1. t2: rule of t2. t3: rule of t3. t4: rule of t4."
    assert treated(contents).note == note


@pytest.mark.parametrize(
    ("test", "effect", "size"),
    [
        ("Jonckheere-Terpstra trend test", "probability of superiority", "Somers' d"),
        ("Kruskal-Wallis test", "epsilon squared", "epsilon squared"),
    ],
)
def test_a_test_of_several_treatments_has_its_own_size(test: str, effect: str, size: str) -> None:
    assert _unitless(pd.DataFrame({"test": [test], "effect_name": [effect]})) == size


@pytest.mark.long
@pytest.mark.parametrize(
    ("test", "treatments", "size"),
    [
        ("jonckheere", ["pool", "open", "fed"], "Somers&#39; d"),
        ("mann_whitney", ["pool", "open"], "Cliff&#39;s delta"),
        ("kruskal_wallis", ["pool", "open", "fed"], "epsilon squared"),
    ],
)
def test_the_head_names_the_size_of_its_test(test: str, treatments: list[str], size: str) -> None:
    """The plan has three treatments, whichever of them a hypothesis compares."""
    hypothesis = MEAN_HARVEST.replace("mann_whitney", test) + f"treatments = {treatments}\n"
    fed = '[treatments.fed]\nmeaning = "more"\nchanges = { governance = "accumulating" }\n'
    study = plan(SMALL + fed + hypothesis)
    data = of_plan(played(study, 3), "small", study)
    planned = part.of_plan(data, study, content(study), None)
    with undrawn():
        page = str(report.files(data, plan=planned)["report.html"])
    assert f"Standardised: {size}." in page[: page.index("</header>")]


def test_a_rehearsal_notes_at_the_test_that_simulated_people_cannot_read() -> None:
    study = plan(TEXT.replace('governance = "per_step"', 'disclosure = "labels"'))
    people = of_plan(played(study, 2), "small", study)
    rehearsal = replace(people, manifest={**people.manifest, "rehearsed": {"seed": 1}})
    notes = [
        part.of_plan(data, study, content(study), None).tables[0].frame["notes"].tolist()
        for data in (people, rehearsal)
    ]
    assert not any("cannot read" in note for note in notes[0])
    for note, names in zip(notes[1], ("open and pool", "pool and open"), strict=True):
        assert f"{names} differ only in what people are told about bots, but policies" in note
        assert "power" not in note
