"""Views and quizzes on pages, as a simulated person reads them in a rehearsal."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.policies.policy import Policy
from mixed_company.server.rehearse import whole
from mixed_company.server.rehearse.deciding import decision
from mixed_company.server.rehearse.person import Quiz
from mixed_company.table.setup import resolve
from mixed_company.table.table import Table
from mixed_company.table.view import view
from settings import SESSION_CONFIGS
from tests.experiment.planned import config, plan

PAGE = """
<fieldset class="mc-question mc-wrong" data-question="stock">
  <input type="radio" name="stock" value="it &lt; grows"><input type="radio" name="stock" value="b">
</fieldset>
<fieldset class="mc-question" data-question="pay">
  <input type="radio" name="pay" value="1"><input type="radio" name="pay" value="2" checked>
</fieldset>
<input type="hidden" name="quiz_answers" value="">
"""


def test_a_quiz_is_read_from_its_page():
    quiz = Quiz(PAGE)
    assert quiz.options == {"stock": ["it < grows", "b"], "pay": ["1", "2"]}
    assert quiz.wrong == ["stock"]


class Nosy(Policy):
    """Policy that keeps its observation."""

    id = "nosy"
    games = ("commons_game",)
    source = "test"

    def act(self, observation, memory, rng):
        self.seen = observation
        return {"harvest": 3.0, "contribution": 0.0}, {"asked": memory.get("asked", 0) + 1}


def test_a_policy_sees_its_seat_s_observation_as_the_engine_gives_it():
    config = next(config for config in SESSION_CONFIGS if config["name"] == "commons_local_view")
    setup, _ = resolve("commons_game", {**config, "seed": "3"}, config)
    table = Table.open(setup, people=[2], seed=3, now=0)
    table.hear(2, now=1)
    shown = json.loads(json.dumps(view(table, 2, now=1).to_json()))
    policy = Nosy(setup.game.core)
    decided = decision(setup.game, policy, shown, {"asked": 4}, seed=0, person=0)
    assert decided.action == {"harvest": 3.0, "contribution": 0.0}
    assert decided.memory == {"asked": 5}
    observation = table.episode.observation(2)
    assert set(policy.seen) == set(observation)
    assert any(np.isnan(np.asarray(value, float)).any() for value in observation.values())
    for name, value in observation.items():
        assert policy.seen[name].dtype == np.asarray(value).dtype
        np.testing.assert_array_equal(policy.seen[name], value)


def test_a_choice_that_the_view_does_not_allow_is_a_fault_and_the_default_is_sent():
    game = engine.make("gem_mining", archetype="lab_0_7")

    class Lost(Nosy):
        def act(self, observation, memory, rng):
            return {"mine": 0.0}, memory

    play = engine.Episode(game, seed=3)
    seen = json.loads(json.dumps(engine.contract.space.to_json(play.observation(3))))
    shown = {"period": 0, "observation": seen, "limits": play.allowed(3).to_json()}
    decided = decision(game, Lost(game.core), shown, {}, seed=0, person=0)
    assert decided.fault == "mine = 0.0: not allowed right now; choose one of 3, 4, 5"
    assert decided.action == {"mine": 3.0}


def test_a_missing_policy_is_named_before_anything_starts():
    with pytest.raises(UnknownName, match=r"'greedi'.*greedy"):
        whole.plan("commons", 1, "greedi", 5, "instant", {})


# -- a plan ---------------------------------------------------------------------------------------


def test_a_plan_is_rehearsed_block_by_block_with_the_named_policies():
    chosen = whole.plan("commons_governance", 2, "", 5, "instant", {})
    assert [Counter(block) for block in chosen.arrivals] == [{"open": 4, "pool": 4}] * 2
    named = SimulatedPeople(("greedy", "half_capacity", "noisy_person", "steward"), 4, [])
    assert chosen.parts[0].people == dict.fromkeys(("open", "pool"), named)
    assert chosen.described == [f"Treatment open. {named}", f"Treatment pool. {named}"]
    assert chosen.periods == 4 * 15  # groups times periods
    other = whole.plan("commons_governance", 1, "steward", 5, "instant", {"periods": 3})
    assert other.parts[0].people["open"] == SimulatedPeople(("steward",), 4, [])
    assert other.periods == 2 * 3


def test_the_thinking_time_of_bots_is_the_treatment_s_own_if_it_sets_one(monkeypatch):
    slow = 'changes = { governance = "per_step", bot_delay = "fixed:seconds=1" }'
    session_config = config(plan(**{'changes = { governance = "per_step" }': slow}))
    monkeypatch.setattr(whole, "SESSION_CONFIGS", [session_config])
    chosen = whole.plan("small", 1, "", 5, "instant", {})
    assert chosen.parts[0].setups["pool"].options.bot_delay == "fixed:seconds=1"


def test_groups_of_a_space_arrive_one_after_the_other(monkeypatch):
    session_config = config(plan(**{"groups = 2": 'groups = 2\nassignment = "by_group"'}))
    monkeypatch.setattr(whole, "SESSION_CONFIGS", [session_config])
    arrivals = whole.plan("small", 3, "", 5, "instant", {}).arrivals
    assert [len(set(people)) for people in arrivals] == [1] * 6
    assert Counter(name for people in arrivals for name in people) == {"open": 6, "pool": 6}


def test_a_plan_without_policies_for_people_asks_for_them(monkeypatch):
    session_config = config(plan(**{'people = "greedy,steward"': ""}))
    monkeypatch.setattr(whole, "SESSION_CONFIGS", [session_config])
    with pytest.raises(ConfigError, match="names no policies for treatment 'open'; set"):
        whole.plan("small", 1, "", 5, "instant", {})


def test_sessions_of_a_rehearsal_differ_in_their_seeds_and_everything_drawn_from_them():
    """The order of treatments is drawn from the session's seed."""
    several = whole.plans(3, "commons_governance", 2, "", 5, "instant", {"periods": 3})
    assert [chosen.seed for chosen in several] == [5, 6, 7]
    assert [chosen.changes["seed"] for chosen in several] == ["5", "6", "7"]
    for chosen in several:
        alone = whole.plan("commons_governance", 2, "", chosen.seed, "instant", {"periods": 3})
        assert (chosen.arrivals, chosen.changes) == (alone.arrivals, alone.changes)
    assert len({str(chosen.arrivals) for chosen in several}) > 1
    assert whole._who(several)["seed"] == [5, 6, 7]
    assert whole._who(several[:1])["seed"] == 5


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["comons"], "session config 'comons': unknown; did you mean 'commons'?"),
        (["commons", "--people", "gredy"], "policy 'gredy': unknown in commons_game; did you mean"),
        (["commons", "--simulated", ","], "simulated = ',': should name at least one policy"),
        (["commons", "--bots", "gredy"], "did you mean 'greedy'?"),
        (["commons", "--groups", "0"], "groups = 0: should be at least 1"),
        (["commons", "--sessions", "0"], "sessions = 0: should be at least 1"),
        (["commons", "--seed", "-1"], "seed = -1"),
        (["commons", "--speed", "quick"], "'quick': unknown delay"),
        (["commons", "capcity=3"], "capcity: commons has no such key; did you mean 'capacity'?"),
        (["commons", "capacity=-3"], "core.capacity = -3"),
        (["commons", "seed=3"], "seed: set it with --seed"),
        (["commons", "capacity"], "'capacity': should be key=value"),
        (["commons", "people_per_group=5"], "should be at most seats, 4"),
    ],
)
def test_impossible_rehearsals_are_refused_before_a_server_starts(
    tmp_path, capsys, monkeypatch, arguments, refusal
):
    monkeypatch.setattr(whole, "Server", None)
    people = [] if {"--people", "--simulated"} & {*arguments} else ["--simulated", "greedy"]
    assert main(["rehearse", *arguments, *people, "--output", str(tmp_path / "out.zip")]) == 2
    assert refusal in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_file_is_refused_before_a_server_starts(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(whole, "Server", None)
    assert main(["rehearse", "commons", "--people", "greedy", "--output", str(tmp_path)]) == 2
    assert "is a folder, not a file" in capsys.readouterr().err


def test_a_server_that_does_not_start_says_why(tmp_path, monkeypatch, capsys):
    class Broken(whole.Server):
        def __init__(self, folder: Path, **_: object) -> None:
            super().__init__(folder, settings="raise RuntimeError('no such luck')")

    monkeypatch.setattr(whole, "Server", Broken)
    assert (
        main(["rehearse", "commons", "--people", "greedy", "--output", str(tmp_path / "out.zip")])
        == 2
    )
    output = capsys.readouterr().err
    assert "the server did not start" in output
    assert "no such luck" in output
    assert list(tmp_path.iterdir()) == []
