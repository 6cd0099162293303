"""Groups excluded by hand: the report says who excluded them, why and when, and gives tests with
and without them.
"""

from __future__ import annotations

import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis import report
from mixed_company.analysis.report import excluded
from mixed_company.analysis.report.contents import contents
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from tests.analysis.report.made import Page, played, two_treatments, undrawn

GROUP = "session,group,participant,why,when\nopen,2,,the projector failed,2026-11-02\n"


def rows(tmp_path, text, name="excluded.csv"):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return excluded.read(file)


@pytest.mark.long
def test_tests_are_reported_both_ways_and_other_numbers_use_all_groups(tmp_path):
    data = two_treatments(groups=3, periods=2)
    with undrawn():
        files = report.files(data, excluded=rows(tmp_path, GROUP))
        plain = report.files(data)
    assert files["tables/tests.csv"] == plain["tables/tests.csv"]
    assert "excluded" not in plain["paper/tables.html"]
    page = Page(files["report.html"])
    cells = {(csv, column): text for csv, row, column, text in page.cells if row == 0}
    assert cells["excluded", "why"] == "the projector failed"
    assert cells["excluded", "when"] == "2026-11-02"
    assert (cells["both_ways", "all groups"], cells["both_ways", "without groups"]) == (
        "3, 3",
        "2, 3",
    )
    assert "Nobody is excluded" not in page.text


@pytest.mark.long
def test_excluding_a_group_gives_the_tests_of_an_export_without_it(tmp_path):
    """The last group of the first treatment is excluded, as if it had never existed."""
    data = two_treatments(groups=3, periods=2)
    gone = rows(tmp_path, GROUP.replace("open,2", "open,3"))
    with undrawn(all_tests=True):
        both = contents(data, excluded=gone).tables["both_ways"].frame
    less = analysis.joined(
        played(groups=2, periods=2), played(groups=3, treatment="other", seed=2, periods=2)
    )
    tests = report.tables(less)["tests"]
    assert both["without effect"].tolist() == pytest.approx(tests["effect"].tolist(), nan_ok=True)
    assert both["without p"].tolist() == pytest.approx(tests["p"].tolist(), nan_ok=True)


def test_a_participant_identifies_the_group_and_toml_works_like_csv(tmp_path):
    data = played(groups=2, periods=1)
    person = str(data.outcomes["participant"].iloc[0])
    toml = f'[[exclude]]\nparticipant = "{person}"\nwhy = "played before"\nwhen = "before"\n'
    listed = rows(tmp_path, toml, "excluded.toml")
    assert listed == rows(tmp_path, f"participant,why,when\n{person},played before,before\n")
    table = excluded.table(data, listed)
    assert table[["session", "group"]].to_numpy().tolist() == [["open", 1]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("session,group,why,when\nopen,2,,today\n", "why: is missing"),
        ("session,group,why,when\nopen,2,late,\n", "when: is missing"),
        ("session,group,why,when\nopen,,late,today\n", "a participant, or a session and a group"),
        ("session,group,why,when\nopen,two,late,today\n", "group = 'two': should be a number in"),
        (
            "session,group,why,when\nopen,\uff12,late,today\n",
            "group = '\uff12': should be a number",
        ),
        ("participant,group,why,when\na,+2,late,today\n", r"group = '\+2': should be a number in"),
        *(
            (f"session,group,why,when\nopen,2,late,{when}\n", f"when = '{when}': should have its")
            for when in ("02/11/2026", "2.11.26", "2 Nov 2026", "Nov 2nd", "20261102", "2026-13-02")
        ),
        ("session,group,why,when,why\nopen,2,late,today,\n", "column why appears twice"),
        ("session,group,group,why,when\nopen,1,2,late,today\n", "column group appears twice"),
        ("session,grup,why,when\nopen,2,late,today\n", "unknown key 'grup'"),
    ],
)
def test_missing_entries_of_a_file_are_named(tmp_path, text, words):
    with pytest.raises(ConfigError, match=words):
        rows(tmp_path, text)


def test_unknown_groups_and_a_treatment_without_groups_are_refused(tmp_path):
    data = played(groups=1, periods=1)
    with pytest.raises(UnknownName, match="session 'open' has no group 9"):
        excluded.table(data, rows(tmp_path, GROUP.replace("open,2", "open,9")))
    with pytest.raises(UnknownName, match="participant 'nobody'"):
        excluded.table(data, rows(tmp_path, "participant,why,when\nnobody,late,today\n"))
    with pytest.raises(ConfigError, match="no group would be left in treatment 'open'"):
        excluded.table(data, rows(tmp_path, GROUP.replace("open,2", "open,1")))


@pytest.mark.long
def test_several_exports_make_one_report_and_the_command_accepts_exclusions(tmp_path, capsys):
    for name, seed in (("open", 1), ("other", 2)):
        data = played(treatment=name, groups=3, periods=1, seed=seed)
        analysis.save(data, tmp_path / f"{name}.zip")
    (tmp_path / "out.csv").write_text(GROUP, encoding="utf-8")
    exports = [str(tmp_path / f"{name}.zip") for name in ("open", "other")]
    folder = str(tmp_path / "made")
    arguments = ["report", *exports, "--exclude", str(tmp_path / "out.csv"), "--output", folder]
    with undrawn():
        assert main(arguments) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'made' / 'report.html'}\n"
    page = (tmp_path / "made" / "report.html").read_text("utf-8")
    assert "open.zip, other.zip" in page
    assert "the projector failed" in page
    assert main(["report", exports[0], exports[0], "--output", folder]) == 2
    assert "group 1 of session 'open' is in two of the exports" in capsys.readouterr().err


def test_a_participant_of_another_group_is_refused(tmp_path):
    data = two_treatments(groups=3, periods=2)
    people = data.outcomes[data.outcomes["session"] == "open"].set_index("group")["participant"]
    person = people[3].iloc[0]
    for number in (2, 99):
        [row] = rows(tmp_path, GROUP.replace("2,,", f"{number},{person},"))
        wrong = f"participant '{person}' is not in group {number} of session 'open'"
        with pytest.raises(ConfigError, match=wrong):
            excluded.table(data, [row])
    [row] = rows(tmp_path, GROUP.replace("2,,", f"3,{person},"))
    assert excluded.table(data, [row])["group"].tolist() == [3]


def test_a_reason_of_several_lines_becomes_one_line(tmp_path):
    [row] = rows(tmp_path, GROUP.replace("the projector failed", '"the projector\n\nfailed"'))
    assert row.why == "the projector failed"
