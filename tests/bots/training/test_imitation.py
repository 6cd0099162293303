"""Imitation learning: its options, and a network that learns to imitate."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the `training` extra", exc_type=ImportError)
pytest.importorskip("sb3_contrib", reason="needs the `training` extra", exc_type=ImportError)

from mixed_company import engine, policies
from mixed_company.__main__ import main
from mixed_company.engine import UnknownName
from mixed_company.learning.training import learning
from mixed_company.learning.training.classroom import Classroom, rooms
from mixed_company.learning.training.imitation import Teacher, _returns
from mixed_company.policies.trained.card import read

COMMONS = engine.make("commons_game", archetype="lab_0_7", periods=3)


def classroom(game=COMMONS, **more):
    options = {"seed": 1, "aim": "own", "against": "", "seats": range(game.seats), **more}
    return Classroom(rooms(game, 2, **options), np.arange(3), np.zeros(0, int))


def test_a_teacher_gives_its_actions_in_the_learners_form():
    room = classroom()
    teacher = Teacher(room, "fixed:harvest=2.5")
    room.reset()
    # a quarter of 10 fish on the scale -1 .. 1; the lowest possible gift
    assert teacher.answers().tolist() == [[-0.5, -1.0]] * 8


def test_amounts_of_another_stage_are_not_imitated():
    room = classroom(engine.make("commons_game", archetype="lab", periods=3, peer="punishment"))
    teacher = Teacher(room, "fixed:harvest=3+never_punishes")
    room.reset()
    decided = teacher.answers()
    room.step(np.nan_to_num(decided))
    assigned = teacher.answers()
    np.testing.assert_array_equal(decided, [[-0.5, -1.0, *[np.nan] * 4]] * 8)
    np.testing.assert_array_equal(assigned, [[np.nan, np.nan, *[-1.0] * 4]] * 8)


def test_choices_are_given_by_their_index():
    game = engine.make("gem_mining", archetype="lab_0_7")
    room = classroom(game)
    teacher = Teacher(room, "own_best_alone")
    room.reset()
    masks, answers = room.action_masks(), teacher.answers()
    assert answers.shape == (2 * game.seats,)
    assert masks[np.arange(len(answers)), answers].all()


def test_a_teacher_remembers_a_play_and_forgets_it_when_it_is_over():
    room = classroom(against="fixed", seats=[2])
    teacher = Teacher(room, "grim_trigger")
    room.reset()
    kind = teacher.answers().tolist()
    for _ in range(2):
        seen = room.step(np.array([[1.0, -1.0]] * 2))
        teacher.answers()
    done = room.step(np.array([[1.0, -1.0]] * 2))[2]
    assert done.all()
    assert not seen[2].any()
    teacher.forget(done)
    assert teacher.answers().tolist() == kind


def test_returns_are_discounted_to_the_end_of_a_play_or_the_expected_value():
    rewards, dones = np.ones((3, 2)), np.array([[False, False], [True, False], [False, False]])
    returns = _returns(rewards, dones, np.array([8.0, 8.0]), 0.5)
    # 1 + 0.5 * 8 = 5 at the end; the first play ends before
    assert returns.tolist() == [[1.5, 2.75], [1.0, 3.5], [5.0, 5.0]]


def test_an_unknown_teacher_is_refused():
    with pytest.raises(UnknownName, match="policy 'nobody': unknown"):
        Teacher(classroom(), "nobody")


@pytest.mark.parametrize(
    ("game", "teacher"),
    [(["commons_game", "periods=8"], "sustainable"), (["gem_mining"], "own_best_alone")],
)
def test_the_network_learns_to_act_like_the_policy(tmp_path, monkeypatch, game, teacher):
    monkeypatch.setattr(learning, "ROUND", 800)
    monkeypatch.setattr(policies, "_folders", {})
    named = ["--name", "pupil", "--sentence", "Does as it is told.", "--output", str(tmp_path)]
    more = ["--imitate", teacher, "--imitate-steps", "24000", "--steps", "1", "--rate", "1e-9"]
    assert main(["train", *game, "--archetype", "lab_0_7", "--aim", "group", *more, *named]) == 0
    card = read(tmp_path / "pupil.json")
    assert card.steps > 24_000
    rules = engine.make(card.config)
    policies.look_in(tmp_path)
    pupil, master = policies.make("pupil", rules), policies.make(teacher, rules)
    alike = []
    for seed in range(20):
        play = engine.Episode(rules, seed)
        for seat in range(rules.seats):
            seen, allowed = play.observation(seat), play.allowed(seat)
            actions = [
                policy.act_within(allowed, seen, policy.start(), np.random.default_rng(seed))[0]
                for policy in (pupil, master)
            ]
            field = allowed.fields[0].name
            alike.append(abs(actions[0][field] - actions[1][field]) < 0.5)
    policies._all.cache_clear()
    assert np.mean(alike) > 0.9
