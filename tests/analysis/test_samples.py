"""Shipped samples are complete, say that they are simulated, and produce a report."""

from __future__ import annotations

import json
import re
import zipfile
from functools import cache
from pathlib import Path

import pytest
from scipy.stats import mannwhitneyu

import settings
from mixed_company import analysis
from mixed_company.analysis import games, measures, report
from mixed_company.analysis.audit import NOTES
from mixed_company.analysis.data import Data
from mixed_company.experiment import reading
from mixed_company.experiment.planned import described, planned_blocks
from mixed_company.experiment.sealing import content_of
from mixed_company.experiment.treatments import plan_of, series
from mixed_company.table.stored import digest_of
from tests.analysis.report.test_report_browser import opened
from tests.project import ROOT

FOLDER = Path(__file__).resolve().parents[2] / "mixed_company/analysis/sample"
GAMES = list(games.having(lambda entry: entry.sample))
GROUPS = {"commons_game": 15}
"""Number of groups per treatment in samples that do not have 12."""


def sample(game: str) -> Path:
    return FOLDER / f"{game}.zip"


@cache
def loaded(game: str) -> Data:
    return analysis.load(sample(game))


def test_every_declared_sample_exists_and_is_small():
    assert sorted(path.stem for path in FOLDER.glob("*.zip")) == GAMES
    assert all(path.stat().st_size < 200_000 for path in FOLDER.glob("*.zip"))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_sample_has_no_faults(game):
    assert [problem for problem in analysis.check(sample(game)) if problem.kind not in NOTES] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_names_the_policies_in_place_of_people_and_its_rules(game):
    """There are two treatments in three sessions. Only in the commons do people have all seats."""
    data = loaded(game)
    assert data.manifest["rehearsed"]["people"]
    groups = data.groups.groupby("treatment", observed=True)
    assert groups.size().tolist() == [GROUPS.get(game, 12)] * 2
    assert groups["session"].nunique().tolist() == [3, 3]
    assert set(data.outcomes["status"]) == {"finished"}
    rules = "lab_0_8" if game == "commons_game" else "lab"  # the tutorial's plan
    assert set(data.groups["archetype"]) == {rules}
    bots = set() if game == "commons_game" else {"policy"}
    assert set(data.decisions["decided_by"]) == {"person"} | bots


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_is_complete_like_a_server_export_and_matches_its_plan(game):
    with zipfile.ZipFile(sample(game)) as archive:
        names = set(archive.namelist())
        described = json.loads(archive.read("datapackage.json"))["resources"]
    tables = {name for name in names if name.endswith(".csv") and name != "codebook.csv"}
    assert names >= {"read.R", "read.do", "codebook.md", "codebook.csv", "manifest.json"}
    assert tables >= {f"{game}/journal.csv", f"{game}/outcomes.csv", "participants.csv"}
    assert {resource["path"] for resource in described} >= tables - {"seals.csv"}
    plan = reading.find(games.find(game).sample.plan, ROOT / "plans")
    assert loaded(game).treatments == list(plan.treatments)
    entries = [entry["plan"] for entry in loaded(game).manifest["sessions"].values()]
    [digest] = {entry["digest"] for entry in entries}
    assert digest == digest_of_rehearsal(game, before="digests" not in entries[0])


TITLES = {
    "commons_quota": "A commons with and without a quota",
    "gems_information": (
        "Gem mining with all finds or only own finds shown: three people and a bot"
    ),
    "sanctions_public_good": "A public good with and without sanctions: two people and two bots",
    "vote_effect": "A vote on punishment that counts, or does not count: three people and a bot",
}
"""Plan titles at the time when their samples were rehearsed. None of the plans stated a
direction."""


def digest_of_rehearsal(game: str, before: bool = False) -> str:
    """Return the digest of the current setups of the sample's plan, with its thinking time."""
    declared = games.find(game).sample
    config = next(config for config in settings.SESSION_CONFIGS if config["name"] == declared.plan)
    plan = plan_of(config)
    changes = {"bot_delay": declared.speed, "seed": "1"}
    whole = {**settings.SESSION_CONFIG_DEFAULTS, **config, **changes}
    if before:  # the format of exports without digests of treatments, and of the plans at that time
        content = content_of(plan, series(plan, whole, config), whole)
        content["plan"]["title"] = TITLES[declared.plan]
        for hypothesis in content["plan"]["hypotheses"].values():
            del hypothesis["direction"]
        return digest_of(content)
    return described(planned_blocks(plan, whole, config))["digest"]


def test_a_changed_plan_has_another_digest(monkeypatch):
    """The test above fails if a plan is changed and its sample is not regenerated."""
    declared, seen = games.find("gem_mining").sample, digest_of_rehearsal("gem_mining")
    config = next(config for config in settings.SESSION_CONFIGS if config["name"] == declared.plan)
    plan = plan_of(config)
    longer = plan.model_copy(update={"changes": {**plan.changes, "periods": 16}})
    monkeypatch.setattr(f"{__name__}.plan_of", lambda _: longer)
    assert digest_of_rehearsal("gem_mining") != seen


@pytest.mark.parametrize(
    ("game", "measure", "lower", "higher"),
    [
        ("commons_game", "stock_share", "open", "quota"),
        ("gem_mining", "excess_crowding", "all", "own"),
        ("punishment_vote", "taboo", "effect", "no_effect"),
        ("sanctions", "contribution", "without", "sanctions"),
    ],
)
def test_a_sample_shows_the_pattern_of_its_game(game, measure, lower, higher):
    """One treatment's groups are above the other's by far more than chance allows."""
    frame = measures.groups(loaded(game), [measure])
    low, high = (frame.loc[frame["treatment"] == name, measure] for name in (lower, higher))
    assert [len(low), len(high)] == [GROUPS.get(game, 12)] * 2
    assert mannwhitneyu(low, high, alternative="less").pvalue < 0.001


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_report_of_a_sample_needs_no_network_and_is_short_on_paper(browser, tmp_path, game):
    file = tmp_path / "report.html"
    file.write_text(report.html(analysis.load(sample(game))), encoding="utf-8")
    window, wrong = opened(browser, file.as_uri())
    assert "Simulated" in window.locator("body").inner_text()
    assert window.locator("section.group").count() == 2 * GROUPS.get(game, 12)
    assert wrong == []
    window.evaluate(_WITHOUT_ANNEXES)
    pages = re.findall(rb"/Type\s*/Page\b", window.pdf(prefer_css_page_size=True))
    assert 1 < len(pages) <= 12
    window.close()


_WITHOUT_ANNEXES = """() => {
    const first = document.querySelector("#annexes");
    while (first.nextSibling) first.nextSibling.remove();
    first.remove();
}"""
