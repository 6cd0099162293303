"""Points of policies from several training seeds in cross-play, calculated by hand."""

from __future__ import annotations

import pytest

from mixed_company import policies
from mixed_company.__main__ import main
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.learning.training.crossplay import by_aim, crossplay, crossplay_table, seeds_of
from mixed_company.policies.trained.card import read
from tests.bots.trained.models import COMMONS, always, write

pytestmark = pytest.mark.usefixtures("folders_forgotten")

FIRST, SECOND = always(-0.5, -1.0), always(-0.4, -1.0)  # 2.5 and 3 fish in each of 15 periods
COMMAND = "mixed train commons_game --hidden=32 --seed {} --name {}"


def cards(folder, *, both=None, **changes):
    """Write the cards of a pupil trained with seed 1 and of one trained with seed 2, with changes
    to both or to the second.
    """
    first = {"id": "pupil", "seed": 1, "command": COMMAND.format(1, "pupil"), **(both or {})}
    second = {**first, "id": "second", "seed": 2, "command": COMMAND.format(2, "second")}
    paths = [write(folder, FIRST, **first), write(folder, SECOND, **{**second, **changes})]
    policies.look_in(folder)
    return [read(path) for path in paths]


def test_a_seat_earns_by_its_own_policy_whoever_the_others_are(tmp_path):
    # the lake sustains four harvests of 3, so each request is met: 37.5 or 45
    cards_read = cards(tmp_path)
    points, aimed = crossplay(cards_read, plays=4), by_aim(cards_read, plays=4)
    means = {pair: earned.mean() for pair, earned in points.items()}
    assert means == pytest.approx({(1, 1): 37.5, (1, 2): 37.5, (2, 1): 45.0, (2, 2): 45.0})
    seeds = seeds_of(points, aimed)
    assert (seeds.plays, set(seeds.alone)) == (4, {"1", "2"})
    assert (seeds.alone["1"].mean, seeds.among["2"].mean) == pytest.approx((37.5, 45.0))
    assert "| 2 | 45.0 ± 0.0 | 45.0 ± 0.0 | 45.0 ± 0.0 |" in crossplay_table(points, aimed)


def test_a_policy_is_judged_among_the_policies_it_was_trained_against(tmp_path):
    # greedy policies leave little for requests of 2.5
    cards_read = cards(tmp_path, both={"against": "greedy"})
    seeds = seeds_of(crossplay(cards_read, plays=4), by_aim(cards_read, plays=4))
    assert seeds.alone["1"].mean == pytest.approx(37.5)
    assert 0 < seeds.by_aim["1"].mean < 20 < seeds.among["1"].mean


def test_a_visitor_and_a_resident_are_distinguished(tmp_path):
    # a lake of 100 does not sustain four harvests of 10, but for a long time it sustains one among
    # smaller ones
    write(tmp_path, always(1.0, -1.0), id="greedy_pupil", seed=3)
    cards_read = [*cards(tmp_path), read(tmp_path / "greedy_pupil.json")]
    points = crossplay(cards_read, plays=4)
    assert points[3, 1].mean() > 90.0 > 40.0 > points[3, 3].mean()
    assert points[1, 3].mean() < 37.5
    among = seeds_of(points, by_aim(cards_read, plays=4)).among
    assert among["3"].mean == pytest.approx((points[3, 1] + points[3, 2]).mean() / 2, abs=1e-4)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"seed": 1}, "second: seed = 1: another policy has the same seed"),
        ({"steps": 7}, "second: steps = 7: different in pupil"),
        ({"aim": "group"}, "second: aim = 'group': different in pupil"),
        (
            {"command": COMMAND.format(2, "second") + " --rate 0.01"},
            "second: command: --rate 0.01, unlike in",
        ),
        (
            {"command": "mixed train commons_game --seed 2"},
            "second: command: no --hidden, unlike in",
        ),
    ],
)
def test_policies_from_different_trainings_are_refused(tmp_path, changes, text):
    with pytest.raises(ConfigError, match=text):
        crossplay(cards(tmp_path, **changes), plays=4)


def test_a_card_of_an_earlier_release_has_the_rules_of_that_time(tmp_path):
    config = COMMONS.config.model_dump(mode="json")
    del config["core"]["living_cost"]  # the old release lacked the key, and 0 is equivalent
    config["instrumentation"]["events"] = []  # options for recording do not change the training run
    points = crossplay(cards(tmp_path, config=config), plays=2)
    assert points[2, 1].mean() == pytest.approx(45.0)
    config["core"]["growth_rate"] = 0.1
    cards_read = cards(tmp_path, config=config)
    with pytest.raises(ConfigError, match="second: config: different in pupil"):
        crossplay(cards_read, plays=2)


@pytest.mark.long
def test_the_card_gets_the_result_on_request(tmp_path, capsys):
    cards(tmp_path)
    policies._folders.clear()
    command = ["judge", "pupil", "--folder", str(tmp_path), "--plays", "4", "--seeds", "second"]
    assert main(command) == 0
    assert "| 1 | 37.5 ± 0.0 | 37.5 ± 0.0 | 37.5 ± 0.0 |" in capsys.readouterr().out
    assert read(tmp_path / "pupil.json").seeds is None
    assert main([*command, "--write"]) == 0
    assert read(tmp_path / "pupil.json").seeds.among["1"].mean == pytest.approx(37.5)
    assert main(["judge", "pupil", "--folder", str(tmp_path), "--plays", "4", "--write"]) == 0
    assert read(tmp_path / "pupil.json").seeds is not None  # the earlier entry


@pytest.mark.parametrize(
    ("seeds", "text"),
    [("nobody", "trained policy 'nobody': unknown"), ("pupil", "pupil: seed = 1: another policy")],
)
def test_a_policy_without_another_seed_is_refused_before_playing(
    tmp_path, capsys, monkeypatch, seeds, text
):
    monkeypatch.setattr(
        "mixed_company.learning.training.judge.judged", lambda *_: pytest.fail("was played")
    )
    cards(tmp_path)
    policies._folders.clear()
    command = ["judge", "pupil", "--folder", str(tmp_path), "--plays", "4", "--seeds", seeds]
    assert main(command) == 2
    assert text in capsys.readouterr().err
