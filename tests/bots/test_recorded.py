"""Hand-written policies act as recorded, to the last bit, by themselves and with others in a
batch."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.policies.bench import Bench, by_seat
from tests.bots import recorded as record
from tests.bots.recorded import (
    KEPT,
    SEED,
    SOLVING,
    Sent,
    alone,
    company,
    digest,
    main,
    recordable,
    settings,
    unversioned,
    versions,
)
from tests.bots.written import written

RECORDED = json.loads(KEPT.read_text())["plays"]
VERSIONS = json.loads(KEPT.read_text())["versions"]
BATCH = 6  # plays

CASES = [
    pytest.param(game_id, name, game, id=f"{game_id}-{name}")
    for game_id in engine.game_ids()
    for name, game in settings(game_id)
]

PLAYED_ALONE = [
    case
    if name == engine.find(game_id).reference or game.config.agents.timing != "simultaneous"
    else pytest.param(*case.values, id=case.id, marks=pytest.mark.long)
    for case in CASES
    for game_id, name, game in (case.values,)
]
"""Games that are also played one by one; the digests must equal the batch's."""

SOLVED = [
    pytest.param(policy, game, id=f"{policy}-{name}")
    for game_id in engine.game_ids()
    for policy in sorted(SOLVING.intersection(written(game_id)))
    for name, game in settings(game_id)
    if game.config.agents.timing == "simultaneous"
]


def together(policy_id: str, game: engine.Game[Any]) -> list[Sent]:
    """Return the plays from number 0 onwards, played as one batch."""
    seeds = play_seeds(SEED, np.arange(BATCH))
    state, seen = game.reset(seeds)
    bench = Bench(game, by_seat(dict(enumerate(company(policy_id, game))), game.seats))
    bench.begin(np.arange(BATCH), BATCH)
    plays: list[Sent] = [[] for _ in range(BATCH)]
    while (state["reason"] == 0).any():
        actions, playing = bench.decide(seeds, state, seen), game.playing(state)
        for number in np.flatnonzero(state["reason"] == 0).tolist():
            present = np.ones(game.seats, bool) if playing is None else playing[number]
            sent = {name: value[number].astype(object) for name, value in actions.items()}
            for value in sent.values():
                value[~present] = None
            plays[number].append({name: value.tolist() for name, value in sent.items()})
        state, outcome = game.step(state, actions, game.draw_chance(seeds, state["period"]))
        seen = outcome.observations
    assert bench.faults == 0
    return plays


def test_every_policy_is_recorded():
    for game_id in engine.game_ids():
        assert sorted(RECORDED[game_id]) == sorted(name for name, _ in settings(game_id))
        for policies in RECORDED[game_id].values():
            assert sorted(policies) == recordable(game_id)


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_record_has_the_current_versions(game_id):
    assert VERSIONS[game_id] == versions(game_id)


def test_a_policy_that_decides_differently_needs_another_version():
    kept = {"lab": {"steward": ["a", "b"], "fixed": ["c", "d"], "gone": ["e", "f"]}}
    now = {"lab": {"steward": ["a", "x"], "fixed": ["c", "d"], "new": ["g", "h"]}, "other": {}}
    assert unversioned(kept, now, set()) == {"steward": ["lab"]}
    assert unversioned(kept, now, {"fixed"}) == {"steward": ["lab"]}
    assert unversioned(kept, now, {"steward"}) == {}
    assert unversioned(kept, now, {"random"}) == {}
    assert unversioned(kept, kept, set()) == {}


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Return the writer of a record in which `fixed` decides differently in some settings."""

    def written_with(*differing):
        settings = ("lab", "open_access", "lab_0_7")
        now = {"commons_game": {name: {"fixed": ["a", "b"]} for name in settings}}
        kept = {
            name: {"fixed": ["x", "b"] if name in differing else ["a", "b"]} for name in settings
        }
        plays = {
            "versions": {"commons_game": versions("commons_game")},
            "plays": {"commons_game": kept},
        }
        path = tmp_path / "recorded.json"
        path.write_text(json.dumps(plays))
        monkeypatch.setattr(record, "KEPT", path)
        monkeypatch.setattr(record, "recorded", lambda: now)
        return path

    return written_with


def test_a_lab_with_new_numbers_is_recorded_again_only_by_name(file):
    path = file("lab")
    before = path.read_text()
    with pytest.raises(SystemExit) as refused:
        main([])
    assert "fixed: in lab\n" in str(refused.value)
    assert str(refused.value).endswith("python -m tests.bots.recorded commons_game lab")
    with pytest.raises(SystemExit):
        main(["commons_game", "open_access"])
    with pytest.raises(SystemExit):
        main(["sanctions", "lab"])
    assert path.read_text() == before
    main(["commons_game", "lab"])
    assert json.loads(path.read_text())["plays"]["commons_game"]["lab"] == {"fixed": ["a", "b"]}


def test_a_policy_that_changes_elsewhere_needs_another_version_too(file):
    file("lab", "lab_0_7")
    for arguments in ([], ["commons_game", "lab"]):
        with pytest.raises(SystemExit) as refused:
            main(arguments)
        assert str(refused.value).endswith("raise its `version`.")


def test_earlier_numbers_of_lab_are_never_recorded_again(file):
    file("lab_0_7")
    with pytest.raises(SystemExit, match="commons_game lab_0_7: should be one of open_access, "):
        main(["commons_game", "lab_0_7"])


@pytest.mark.few(1)
@pytest.mark.parametrize(("game_id", "name", "game"), PLAYED_ALONE)
def test_each_policy_alone_acts_as_recorded(game_id, name, game):
    kept = RECORDED[game_id][name]
    done = {policy: digest(alone(policy, game, 0)) for policy in kept}
    assert done == {policy: digests[0] for policy, digests in kept.items()}


@pytest.mark.few(9)
@pytest.mark.parametrize(
    ("game_id", "name", "game"),
    [case for case in CASES if case.values[2].config.agents.timing == "simultaneous"],
)
def test_each_policy_in_a_batch_acts_as_recorded(game_id, name, game):
    kept = RECORDED[game_id][name]
    done = {policy: [digest(sent) for sent in together(policy, game)[:2]] for policy in kept}
    assert done == kept


@pytest.mark.parametrize(("policy", "game"), SOLVED)
def test_solving_policies_act_the_same_alone_and_in_a_batch(policy, game):
    assert together(policy, game)[:2] == [alone(policy, game, number) for number in range(2)]
