"""Cards of trained policies: errors name the file, the key, the value and the rule."""

from __future__ import annotations

import re
import shutil

import onnx
import pytest

from mixed_company import engine, policies
from mixed_company.engine import ConfigError
from mixed_company.policies.trained import HERE, policies_in
from mixed_company.policies.trained.model import Model
from tests.bots.trained.models import COMMONS, GEMS, always, write

GOOD = always(0.0, -1.0)


def refused(folder, text):
    """Check that the folder is rejected with these words, and that none of its policies is
    registered.
    """
    before = policies.ids("commons_game")
    with pytest.raises(ConfigError, match=re.escape(text)):
        policies.look_in(folder)
    assert policies.ids("commons_game") == before


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"sampling": "best"}, "sampling = 'best': should be 'mode' or 'sample'"),
        ({"colour": 3}, "colour = 3: unknown key; one of: "),
        ({"sampeling": "mode"}, "sampeling = 'mode': unknown key; did you mean 'sampling'?"),
        ({"memory": -1}, "memory = -1: should be greater than or equal to 0"),
        ({"steps": "100"}, "steps = '100': should be a valid integer"),
        ({"observation": []}, "observation = []: Tuple should have at least 1 item"),
        ({"aim": "all"}, "aim = 'all': should be 'own', 'group' or 'people'"),
        ({"game": "chess"}, "game = 'chess': unknown; one of: commons_game, gem_mining"),
        ({"version": "0"}, "version = '0': the rules of commons_game are version '1'"),
        (
            {"config": GEMS.config.model_dump(mode="json")},
            "config.identity.game = 'gem_mining': should be 'commons_game', the card's game",
        ),
        ({"sha256": "0" * 64}, f"sha256 = '{'0' * 64}': pupil.onnx has the hash "),
        (
            {"observation": ["period", "stok"]},
            "observation: 'stok' does not exist under the card's config",
        ),
        ({"action": ["harvest"]}, "action = ['harvest']: should be ['harvest', 'contribution']"),
        (
            {
                "config": {
                    "identity": {"game": "commons_game", "version": "1"},
                    "core": {"seats": 0},
                }
            },
            "config: core.seats = 0: should be greater than or equal to 1",
        ),
        ({"scores": {"plays": 1, "measure": "points"}}, "scores.own: is missing"),
    ],
)
def test_a_wrong_card_is_refused_by_file_key_value_and_rule(tmp_path, changes, text):
    path = write(tmp_path, GOOD, **changes)
    refused(tmp_path, f"{path}: {text}")


def test_every_key_that_is_wrong_is_named_with_the_file(tmp_path):
    path = write(tmp_path, GOOD, aim="all", seed=-1)
    with pytest.raises(ConfigError) as error:
        policies.look_in(tmp_path)
    assert [line.partition(" = ")[0] for line in str(error.value).splitlines()] == [
        f"{path}: seed",
        f"{path}: aim",
    ]


def test_a_card_is_named_like_its_file(tmp_path):
    path = write(tmp_path, GOOD).rename(tmp_path / "other.json")
    (tmp_path / "pupil.onnx").rename(tmp_path / "other.onnx")
    refused(tmp_path, f"{path.with_name('other.json')}: id = 'pupil': should be the name of the")


def test_a_model_without_a_card_and_a_card_without_a_model_are_refused(tmp_path):
    path = write(tmp_path, GOOD)
    path.with_suffix(".onnx").rename(tmp_path / "alone.onnx")
    refused(tmp_path, f"{tmp_path / 'alone.onnx'}: its card alone.json is missing")
    (tmp_path / "alone.onnx").unlink()
    refused(tmp_path, f"{path}: id = 'pupil': its model pupil.onnx is missing")


def test_a_file_without_json_or_a_path_that_is_no_folder_is_refused(tmp_path):
    path = write(tmp_path, GOOD)
    path.write_text("{")
    refused(tmp_path, f"{path}: not JSON: Expecting property name")
    refused(tmp_path / "nowhere", f"{tmp_path / 'nowhere'}: not a folder")


def test_changed_bytes_are_refused(tmp_path):
    path = write(tmp_path, GOOD)
    path.with_suffix(".onnx").write_bytes(always(1.0, -1.0))
    refused(tmp_path, "pupil.onnx has the hash")


def test_bytes_changed_after_discovery_are_refused(tmp_path):
    path = write(tmp_path, GOOD)
    policies.look_in(tmp_path)
    path.with_suffix(".onnx").write_bytes(always(1.0, -1.0))
    text = (
        f"{path}: sha256 = '{policies.find('pupil', 'commons_game').card.sha256}': pupil.onnx has"
    )
    with pytest.raises(ConfigError, match=re.escape(text)):
        policies.make("pupil", COMMONS)


def test_weights_in_another_file_are_refused(tmp_path, monkeypatch):
    """Cards do not contain their hash, so changing these files would change the policy
    unnoticed."""
    parted = onnx.load_from_string(GOOD)
    onnx.save_model(
        parted,
        str(tmp_path / "pupil.onnx"),
        save_as_external_data=True,
        location="pupil.onnx.data",
        size_threshold=0,
    )
    content = (tmp_path / "pupil.onnx").read_bytes()
    assert (tmp_path / "pupil.onnx.data").is_file()
    write(tmp_path, content)
    monkeypatch.chdir(tmp_path)  # that file is not in the folder either
    refused(tmp_path, f"{tmp_path / 'pupil.onnx'}: weights in another file")


def test_an_id_can_be_used_only_once_in_a_game(tmp_path):
    path = write(tmp_path, GOOD, id="greedy")
    refused(
        tmp_path,
        f"{path}: id = 'greedy': commons_game already has a policy with this id, "
        "in bots.commons_game",
    )
    path.unlink()
    path.with_suffix(".onnx").unlink()
    here, elsewhere = tmp_path / "one", tmp_path / "other"
    for folder in (here, elsewhere):
        folder.mkdir()
    first, second = write(here, GOOD), write(elsewhere, GOOD)
    assert policies.look_in(here) == ["pupil"]
    refused(
        elsewhere,
        f"{second}: id = 'pupil': commons_game already has a policy with this id, in {first}",
    )


def test_a_folder_can_be_searched_again(tmp_path):
    write(tmp_path, GOOD)
    assert policies.look_in(tmp_path) == ["pupil"]
    write(tmp_path, GOOD, id="second")
    assert policies.look_in(tmp_path) == ["pupil", "second"]
    assert {"pupil", "second"} <= set(policies.ids("commons_game"))
    assert "pupil" not in policies.ids("gem_mining")


def test_a_trained_policy_is_found_like_any_other(tmp_path):
    write(tmp_path, GOOD)
    policies.look_in(tmp_path)
    policy = policies.find("pupil", "commons_game")
    assert (policy.id, policy.games, policy.source) == ("pupil", ("commons_game",), "a test")
    assert policy.__doc__ == "Does what a test wants it to do."
    assert policies.make("pupil", COMMONS).id == "pupil"


def test_shipped_policies_are_small_and_valid():
    listed = list(policies_in(HERE))
    assert {policy.card.game for policy in listed} <= set(engine.game_ids())
    for policy in listed:
        assert policy.path.with_suffix(".onnx").stat().st_size < 200_000
        if policy.card.aim == "people":
            assert policy.card.command.startswith("python -m docs.judged ")
            assert policy.card.likeness is not None
        else:
            assert policy.card.command.startswith(f"mixed train {policy.card.game} ")
            assert f"--name {policy.id} " in policy.card.command
        assert policy.card.scores is not None


def test_a_copy_of_a_shipped_policy_is_a_duplicate_id(tmp_path):
    for path in HERE.glob("commons_ppo_group.*"):
        shutil.copy(path, tmp_path)
    refused(
        tmp_path, "id = 'commons_ppo_group': commons_game already has a policy with this id, in "
    )


def test_a_custom_policy_is_asked_outside_the_servers_loop(tmp_path):
    write(tmp_path, GOOD)
    policies.look_in(tmp_path)
    policy = policies.make("pupil", COMMONS)
    assert not policy.ours
    assert policy.apart


def test_a_model_is_timed_on_opening_and_asked_outside_the_loop_if_slow(monkeypatch):
    ours = policies.make("commons_ppo_own", COMMONS)
    assert ours.ours
    assert ours._model.seconds > 0
    monkeypatch.setattr(Model, "_timed", lambda _: 0.0021)
    slow = policies.make("commons_ppo_own", COMMONS)
    assert slow.slow
    assert slow.apart
    monkeypatch.setattr(Model, "_timed", lambda _: 0.0019)
    assert not policies.make("commons_ppo_own", COMMONS).apart
