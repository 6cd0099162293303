"""Populations in seats: how types are drawn and behave, and invalid files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from docs.populations import listed
from mixed_company import engine, policies
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.experiment.simulated_people import SimulatedPeople
from mixed_company.policies import populations
from mixed_company.policies.bench import Bench
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Policy, Seats, ask_at, seat_chance
from mixed_company.policies.rollout import rollout
from tests.project import ROOT

HALF = """
game = "sanctions"
sentence = "Half of them give nothing."
source = "made up"

[[types]]
name = "none"
policy = "free_rider"
share = 0.25
source = "made up"

[[types]]
name = "line"
policy = "straight_line"
share = 0.75
source = "made up"
first = 0.4
parameters = { intercept = 1.0, slope = 0.5 }
"""


def game(**parameters: object) -> engine.Game:
    return engine.make("sanctions", archetype="unsanctioned", **{"periods": 5, **parameters})


@pytest.fixture
def half(tmp_path: Path) -> str:
    return written(tmp_path, HALF)


def written(folder: Path, text: str) -> str:
    file = folder / "own.toml"
    file.write_text(text)
    return f"population:{file}"


def test_a_line_by_hand(tmp_path):
    """All people follow the line. They start with 0.4 of 20, then give 1 + 0.5 * 8 = 5,
    1 + 0.5 * 5 = 3.5 and 2.75, and approach the fixed point 2.
    """
    text = HALF.replace("share = 0.25", "share = 1e-9").replace("0.75", "1.0")
    seated = [policies.make(written(tmp_path, text), game())] * 4
    played = [step.used["contribution"] for step in rollout(engine.Episode(game(), 1), seated)]
    assert np.array(played) == pytest.approx(
        np.repeat([[8.0], [5.0], [3.5], [2.75], [2.375]], 4, axis=1)
    )


def test_whole_amounts_are_rounded(tmp_path):
    """3.5 is rounded to 4, then 3 follows, 2.5 is rounded to 2 (half to even), and then 2."""
    text = HALF.replace("share = 0.25", "share = 1e-9").replace("0.75", "1.0")
    spec = written(tmp_path, text.replace("source", "whole = true\nsource", 1))
    seated = [policies.make(spec, game())] * 4
    played = [step.used["contribution"][0] for step in rollout(engine.Episode(game(), 1), seated)]
    assert played == [8.0, 5.0, 4.0, 3.0, 2.0]


def ended(folder: Path, last: str, plays: int) -> np.ndarray:
    """Return contributions, shape (5, plays, 4), if everyone follows the line, with this value of
    `last`."""
    text = HALF.replace("share = 0.25", "share = 1e-9").replace("0.75", "1.0")
    text = text.replace("first = 0.4", f"first = 0.4\nlast = {last}")
    rules, seeds = game(), play_seeds(3, np.arange(plays))
    bench = Bench(
        rules, [(policies.make(written(folder, text), rules), np.ones(rules.seats, bool))]
    )
    state, seen = rules.reset(seeds)
    return np.array([after["contribution"] for after, _ in bench.play(seeds, state, seen)])


def test_some_deviate_in_the_last_period(tmp_path):
    """The results follow the line calculated by hand above, with 2.375 at the end. But half of the
    people then give nothing: 2,000 of 4,000, with a standard deviation of sqrt(1000) = 31.6.
    """
    contributions = ended(tmp_path, "{ share = 0.5 }", 1000)
    assert np.array_equal(np.unique(contributions[:4]), [2.75, 3.5, 5.0, 8.0])
    assert set(np.unique(contributions[4])) == {0.0, 2.375}
    assert abs((contributions[4] == 0).sum() - 2000) < 4 * 31.6
    assert (ended(tmp_path, "{ share = 1.0, amount = 0.25 }", 3)[4] == 5.0).all()
    assert (ended(tmp_path, "{ share = 0.0 }", 3)[4] == 2.375).all()


def openings(spec: str, plays: int, **parameters: object) -> np.ndarray:
    """Return the first contributions, shape (plays, 4)."""
    rules = game(**parameters)
    policy, seeds = policies.make(spec, rules), play_seeds(3, np.arange(plays))
    state, seen = rules.reset(seeds)
    bench = Bench(rules, [(policy, np.ones(rules.seats, bool))])
    bench.begin(np.arange(plays), plays)
    return bench.decide(seeds, state, seen)["contribution"]


def test_types_are_drawn_by_their_shares(half):
    """1,000 of 4,000 people are expected, with a standard deviation of sqrt(750) = 27.4."""
    first = openings(half, 1000)
    assert set(np.unique(first)) == {0.0, 8.0}
    assert abs((first == 0).sum() - 1000) < 4 * 27.4
    of_group = (first == 0).sum(axis=1)
    assert len(set(of_group.tolist())) == 5  # every composition of a group occurs


def test_parameters_that_vary_are_drawn_from_their_spreads(tmp_path):
    even = HALF.replace("first = 0.4", "first = { low = 0.2, high = 0.6 }")
    first = openings(written(tmp_path, even), 1000)
    shares = first[first > 0] / 20
    assert shares.min() >= 0.2
    assert shares.max() <= 0.6
    assert shares.mean() == pytest.approx(0.4, abs=0.01)
    assert shares.std() == pytest.approx(0.4 / np.sqrt(12), abs=0.01)
    normal = HALF.replace("first = 0.4", "first = { mean = 0.5, sd = 0.1 }")
    shares = openings(written(tmp_path, normal), 1000)
    shares = shares[shares > 0] / 20
    assert shares.mean() == pytest.approx(0.5, abs=0.01)
    assert shares.std() == pytest.approx(0.1, abs=0.01)


def test_people_keep_their_type(half):
    rules = game(periods=4)
    policy, episode = policies.make(half, rules), engine.Episode(rules, 5)
    memories = [policy.start() for _ in range(4)]
    kinds = []
    while not episode.done:
        answers = [ask_at(episode, policy, seat, memories[seat]) for seat in range(4)]
        assert [answer.fault for answer in answers] == [None] * 4
        memories = [answer.memory for answer in answers]
        json.dumps(memories, allow_nan=False)
        kinds.append([memory["type"] for memory in memories])
        episode.step({"contribution": [answer.action["contribution"] for answer in answers]})
    assert set(map(tuple, kinds)) == {tuple(kinds[0])}


@pytest.mark.parametrize("name", populations.names())
def test_a_population_acts_the_same_whoever_else_is_asked(name):
    described, _ = populations.read(name)
    rules = engine.make(described.game, archetype="lab", periods=6)
    field = rules.declaration.actions[0].name
    spec, seeds = f"population:{name}", play_seeds(7, np.arange(6))
    state, seen = rules.reset(seeds)
    bench = Bench(rules, [(policies.make(spec, rules), np.ones(rules.seats, bool))])
    together = [after[field] for after, _ in bench.play(seeds, state, seen)]
    for number, seed in enumerate(seeds.tolist()):
        steps = rollout(
            engine.Episode(rules, int(seed)), [policies.make(spec, rules)] * rules.seats
        )
        alone = [step.observations[field] for step in steps]
        assert np.array_equal(np.array(alone), np.array(together)[:, number])
    assert bench.faults == 0


@pytest.mark.parametrize("name", populations.names())
def test_every_number_of_a_population_has_its_source(name):
    described, _ = populations.read(name)
    assert sum(kind.share for kind in described.types) == pytest.approx(1, abs=1e-4)
    for kind in described.types:
        spreads = [kind.first, *kind.parameters.values()]
        assert all(part.source for part in spreads if isinstance(part, populations.Spread))
    policies.make(f"population:{name}", engine.make(described.game, archetype="lab"))


@pytest.mark.parametrize("name", populations.names())
def test_every_population_is_in_the_document(name):
    """The document has the same numbers as the file. If it does not, run `python -m
    docs.populations`.
    """
    text = (ROOT / "docs/populations.md").read_text("utf-8")
    assert listed(name).strip() in text
    assert f"| `{name}` |" in text


APIECE = [
    (game_id, name)
    for game_id in engine.game_ids()
    for name in policies.ids(game_id)
    if policies.find(name, game_id).apiece
]


@pytest.mark.parametrize(("game_id", "name"), APIECE)
def test_a_batch_of_parameters_acts_like_each_policy_alone(game_id, name):
    rules = engine.make(game_id, archetype="lab")
    kind, episode = policies.find(name, game_id), engine.Episode(rules, 2)
    for _ in rollout(episode, [policies.make("random", rules)] * rules.seats):
        if episode.period == 2:
            break
    views = [episode.observation(seat) for seat in range(rules.seats)]
    seen = {key: np.stack([view[key] for view in views]) for key in views[0]}
    spreads = {
        key: np.linspace(low, min(high, 15.0), rules.seats)
        for key, (_, low, high) in kind.parameters.items()
    }
    many = kind.for_game(rules)
    many.settings = {**many.settings, **spreads}
    field = rules.declaration.actions[0].name
    places = range(rules.seats)
    done = many.act_together(Seats(seen, {}, Draws([1] * rules.seats, places, places)))[0][field]
    for seat in range(rules.seats):
        alone = kind.for_game(rules, **{key: float(part[seat]) for key, part in spreads.items()})
        seat_alone = Seats.one(views[seat], {}, seat_chance(1, seat, seat))
        assert alone.act_together(seat_alone)[0][field] == pytest.approx(
            np.broadcast_to(done, rules.seats)[seat]
        )


REFUSED = {
    "shares": ("0.75", "0.7", r"own.toml: types.share = 0.95 in total: should be 1"),
    "key": ("first = 0.4", "frist = 0.4", r"types.1.frist = 0.4: unknown key.*first"),
    "policy": ('"free_rider"', '"free_ryder"', r"type 'none': policy 'free_ryder': unknown.*free_"),
    "parameter": ("slope", "slop", r"type 'line': straight_line: parameter 'slop': unknown"),
    "value": ("slope = 0.5", "slope = 500.0", r"type 'line': straight_line: slope = 500"),
    "first": ("first = 0.4", "first = 1.4", r"type 'line': first = 1.4: should be from 0 to 1"),
    "no first": ("first = 0.4", "", r"type 'line': first: is missing"),
    "half a spread": ("first = 0.4", "first = { low = 0.4 }", r"should have low and high, or mean"),
    "ends": ("first = 0.4", "first = { low = 0.4, high = 0.3 }", r"low = 0.4: should be at most"),
    "last": ("first = 0.4", "first = 0.4\nlast = {}", r"last.share: is missing"),
    "end": ("first = 0.4", "first = 0.4\nlast = { share = 2 }", r"last.share = 2"),
    "spread": (
        "slope = 0.5",
        "slope = { low = -200.0, high = 1.0 }",
        r"slope = -200: should be from -100",
    ),
    "text": ("share = 0.25", 'share = "0.25"', r"types.0.share = '0.25': should be a valid"),
    "names": ('name = "line"', 'name = "none"', r"types.name = 'none': used twice"),
    "toml": ("[[types]]", "[[types]", r"own.toml: not TOML"),
    "others": (
        'policy = "free_rider"',
        'policy = "random"\nfirst = 0.1\nx = 1',
        r"\.x = 1: unknown",
    ),
}


@pytest.mark.parametrize("which", REFUSED)
def test_an_invalid_file_is_refused_by_key_and_value(tmp_path, which):
    old, new, rule = REFUSED[which]
    with pytest.raises((ConfigError, UnknownName), match=rule):
        policies.make(written(tmp_path, HALF.replace(old, new)), game())


def test_a_judgement_is_shown_and_changes_no_play(tmp_path):
    half, sentence = tmp_path / "half.toml", "It predicts people no better than a constant."
    half.write_text(HALF)
    _, plain = populations.read(str(half))
    half.write_text(HALF.replace("[[types]]", f'judged = "{sentence}"\n[[types]]', 1))
    described, digest = populations.read(str(half))
    assert (described.judged, digest) == (sentence, plain)
    spec = f"population:{half}"
    assert populations.judged(spec) == sentence
    assert populations.judged("free_rider") == ""
    people = SimulatedPeople((spec, "free_rider"), 4, [])
    assert str(people).endswith(f"; no bots. {spec}: {sentence}")
    file = tmp_path / "again.toml"
    file.write_text(populations.text(described))
    assert populations.read(str(file))[0] == described


def test_a_population_of_another_game_is_refused(half, tmp_path):
    with pytest.raises(UnknownName, match=r"population 'kurzban': unknown.*kurzban_houser_2005"):
        policies.make("population:kurzban", game())
    with pytest.raises(ConfigError, match="a policy for sanctions, not commons_game"):
        policies.make(half, engine.make("commons_game"))
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read: No such file"):
        policies.make(f"population:{tmp_path}/nowhere.toml", game())
    text = HALF.replace('"free_rider"', '"tit_for_tat"')
    spread = "0.25\nparameters.tolerance = { low = 0.0, high = 0.1 }"
    spec = written(tmp_path, text.replace("0.25", spread))
    with pytest.raises(ConfigError, match="takes one number for all people, not a spread"):
        policies.make(spec, game())


def test_a_population_is_asked_in_a_process_of_its_own_if_one_of_its_policies_is(half, monkeypatch):
    policy = policies.make(half, game())
    assert not policy.apart
    monkeypatch.setattr(policy.kinds[0].policy, "slow", True)
    assert policy.apart


def test_another_file_is_another_version(half, tmp_path):
    before = policies.find(half, "sanctions").version
    written(tmp_path, HALF.replace("0.4", "0.5"))
    assert policies.find(half, "sanctions").version != before
    assert issubclass(policies.find(half, "sanctions"), Policy)
