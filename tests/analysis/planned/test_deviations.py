"""Exports compared with their plan: every deviation is reported, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.deviations import deviations
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import planned as part
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import treatments
from mixed_company.experiment.digests import of_treatment, played_rules
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal
from tests.analysis.planned.made import CHOSEN, RULES, TEXT, content, export, played, sealed
from tests.analysis.planned.test_hypotheses import IN_TURN, of_block
from tests.experiment.planned import config, plan


def lines(data: Data, study: Plan, now: dict[str, Any], seal: Seal | None) -> list[str]:
    table = deviations(of_plan(data, "small", study), study, now, seal)
    return [f"{about}: {sentence}" for about, sentence in table.itertuples(index=False)]


def test_a_study_run_as_sealed_deviates_only_in_missing_groups() -> None:
    study = plan(TEXT)
    assert lines(export(), study, content(study), sealed(study)) == [
        f"treatment {name}: 1 group played to the end, fewer than the 2 planned"
        for name in ("open", "pool")
    ]


def test_another_order_of_treatments_than_the_sealed_one_is_reported() -> None:
    study = plan(TEXT)
    seal = sealed(study)
    text = study.model_dump(mode="json")
    turned = Plan.trusted({**text, "treatments": dict(reversed(text["treatments"].items()))})
    reported = lines(export(), study, content(turned), seal)
    assert (
        'plan: differs from the sealed plan: plan.treatments.order: sealed ["open", "pool"], '
        'now ["pool", "open"]'
    ) in reported
    old = seal.model_copy(update={"order": []})
    sentence = "seal: the seal, of an earlier release, does not fix the order of the treatments"
    assert any(line.startswith(sentence) for line in lines(export(), study, content(study), old))


def test_a_seed_that_is_not_the_plans_and_one_set_by_hand_are_reported() -> None:
    study, data = plan(f"seed = 5\n{TEXT}"), export()
    data.manifest["sessions"]["plan1"]["plan"]["seed_by_hand"] = True
    reported = lines(data, study, content(study), sealed(study))
    expected = treatments.own_seed(study, "plan1")
    assert "session plan1: its seed was set by hand instead of drawn" in reported
    assert f"session plan1: its seed is 7; the plan's seed = 5 leads to {expected}" in reported


def test_changed_keys_changed_pay_and_a_late_seal_are_reported() -> None:
    study = plan(TEXT)
    data = export(periods=2)
    data = replace(data, config=data.config.assign(point_value=0.5))
    late = sealed(study, "2030-01-01T00:00:00+00:00")
    found_lines = lines(data, study, content(study), late)
    first, second = found_lines[:2]
    assert first == "session plan1: treatments open, pool: core.periods: planned 3, played 2"
    assert "session plan1: real_world_currency_per_point: 0.1 planned, 0.5 paid" in found_lines
    assert not [line for line in found_lines if "digest" in line]
    assert len([line for line in found_lines if "periods" in line]) == 1
    assert second.startswith(
        "seal: it was sealed 2030-01-01T00:00:00+00:00, after the first participant was assigned"
    )


def test_a_key_changed_in_several_sessions_and_in_the_plan_is_named_once() -> None:
    study = plan(TEXT)
    now = plan(TEXT.replace('"per_step"', '"accumulating"'))
    first = export(periods=2)
    second = {"plan2": first.manifest["sessions"]["plan1"]}
    data = replace(
        first,
        config=pd.concat([first.config, first.config.assign(session="plan2")], ignore_index=True),
        manifest={**first.manifest, "sessions": {**first.manifest["sessions"], **second}},
    )
    named = lines(data, study, content(now), sealed(study))
    assert [line for line in named if "accumulating" in line or "core.periods" in line] == [
        "sessions plan1, plan2: treatments open, pool: core.periods: planned 3, played 2",
        "plan: differs from the sealed plan: plan.treatments.pool.changes.governance: sealed "
        '"per_step", now "accumulating"; also treatments.pool.core.governance',
    ]


def test_two_changes_of_one_value_to_different_ones_are_both_named() -> None:
    study = plan(TEXT.replace('"welch"', '"mann_whitney"'))
    now = plan(TEXT.replace('"welch"', '"permutation"').replace('"mann_whitney"', '"welch"'))
    named = lines(export(), study, content(now), sealed(study))
    start = "plan: differs from the sealed plan: plan.hypotheses"
    assert [line for line in named if "hypotheses" in line] == [
        f'{start}.harvest.test: sealed "mann_whitney", now "welch"',
        f'{start}.points.test: sealed "mann_whitney", now "permutation"',
    ]


def test_a_digest_that_no_key_explains_is_named() -> None:
    study, data = plan(TEXT), export()
    digests = ["0" * 64, *data.config["digest"][1:]]
    entry = data.manifest["sessions"]["plan1"]["plan"]
    entry["digest"] = "1" * 64
    data = replace(data, config=data.config.assign(digest=digests))
    named = [line for line in lines(data, study, content(study), sealed(study)) if "digest" in line]
    assert "the digest in `config` is 000000000000, not the planned " in named[0]
    assert named[1].startswith("session plan1: was made from a plan with the digest 111111111111")
    assert len(named) == 2


def test_exchanged_names_of_treatments_are_named_by_their_keys() -> None:
    study = plan(TEXT)
    data = export()
    exchanged = {"open": "pool", "pool": "open"}
    groups = [
        {**row, "treatment": exchanged[row["treatment"]]} for row in data.config.to_dict("records")
    ]
    remade = [of_treatment(row["treatment"], "", played_rules(row)) for row in groups]
    names = [row["treatment"] for row in groups]
    for digests in (list(data.config["digest"]), remade):
        config_rows = data.config.assign(treatment=names, digest=digests)
        sentences = lines(replace(data, config=config_rows), study, content(study), sealed(study))
        assert any("the digest in `config`" in line for line in sentences) == (digests != remade)
        line = 'treatment open: core.governance: planned "none", played "per_step"'
        assert f"session plan1: {line}" in sentences


def test_a_session_made_from_another_plan_is_named() -> None:
    study, data = plan(TEXT), export()
    other = plan(TEXT.replace("more is earned", "less is earned"))
    assert sealed(other).treatments == sealed(study).treatments
    [line] = [
        line for line in lines(data, other, content(other), sealed(other)) if "digest" in line
    ]
    before, now = sealed(study).digest[:12], sealed(other).digest[:12]
    expected = f"was made from a plan with the digest {before}; this plan has {now}"
    assert line == f"session plan1: {expected}"


def test_a_groups_choice_among_the_planned_rules_is_no_deviation() -> None:
    study = plan(TEXT.replace('changes = { governance = "per_step" }\n', CHOSEN))
    shipped = {**config(study), **RULES, "seed": "0"}
    setup = treatments.series(study, shipped, config(study))[0]["pool"]
    configs = export().config
    pool = configs["treatment"] == "pool"
    for rule, governance in (("fed", None), ("open", None), ("fed", "accumulating")):
        chosen = json.loads(json.dumps(setup.rules[rule]))
        if governance is not None:
            chosen["core"]["governance"] = governance
        written = {
            "digest": "",  # of another plan
            "rule": rule,
            "config": json.dumps(chosen),
            "rules": json.dumps(setup.rules),
            "options": setup.options.model_dump_json(),
        }
        for column, value in written.items():
            configs.loc[pool, column] = value
        found_lines = lines(replace(export(), config=configs), study, content(study), sealed(study))
        line = 'core.governance: planned "per_step", played "accumulating"'
        keys = [
            line for line in found_lines if "planned " in line and "played to the end" not in line
        ]
        assert keys == ([f"session plan1: treatment pool: {line}"] if governance else [])


def test_a_plan_changed_after_sealing_is_reported_and_the_sealed_plan_is_tested() -> None:
    study = plan(TEXT)
    now = plan(TEXT.replace('"mann_whitney"', '"welch"'))
    found_lines = lines(export(), study, content(now), sealed(study))
    assert found_lines[0] == (
        'plan: differs from the sealed plan: plan.hypotheses.harvest.test: sealed "mann_whitney", '
        'now "welch"'
    )
    data = of_plan(played(study, 4), "small", study)
    table = part.of_plan(data, now, content(now), sealed(study)).tables[0].frame
    assert table["test"].iloc[0].startswith("Mann-Whitney")


def test_a_group_that_started_with_too_few_people_is_named() -> None:
    study = plan(TEXT)
    data = export()
    seats = data.seats.copy()
    first = (seats["group"] == 1) & (seats["seat"] == 0)
    seats.loc[first, "occupant"] = "policy"
    found_lines = lines(replace(data, seats=seats), study, content(study), sealed(study))
    assert any("1 group began with fewer than 2 people: plan1-1" in line for line in found_lines), (
        found_lines
    )


def test_the_managers_interventions_are_reported() -> None:
    study = plan(TEXT)
    data = export()
    outcomes = data.outcomes.copy()
    outcomes.loc[outcomes["participant"] == "alone", "status"] = "excluded"
    ended = data.events.iloc[:0].copy()
    for number, seat in enumerate((None, 1)):  # the second because a person left
        ended.loc[number, ["session", "group", "event", "seat"]] = ["plan1", 2, "ended", seat]
    events = pd.concat([data.events, ended], ignore_index=True)
    found_lines = lines(
        replace(data, outcomes=outcomes, events=events), study, content(study), sealed(study)
    )
    assert found_lines[-2:] == [
        "session plan1: the manager excluded 1 participant: alone",
        "session plan1: the manager ended the game of group 2",
    ]


def test_seats_that_the_manager_handed_to_a_bot_and_released_people_are_reported() -> None:
    """A person who was released by the lobby has no seat and is not reported."""
    study, data = plan(TEXT), export()
    seats = data.seats.astype({"reason": "str"})
    first = (seats["group"] == 1) & (seats["seat"] == 0)
    twice = pd.concat([seats, *[seats[first].assign(reason="handed")] * 2], ignore_index=True)
    status = data.outcomes["status"].astype("str")
    gone = data.outcomes["participant"].isin(["alone", data.outcomes["participant"].iloc[1]])
    outcomes = data.outcomes.assign(status=status.mask(gone, "released"))
    managed = replace(data, seats=twice, outcomes=outcomes)
    code = data.outcomes["participant"].iloc[1]
    assert lines(managed, study, content(study), sealed(study))[-2:] == [
        f"session plan1: the manager released 1 participant: {code}",
        "session plan1: the manager handed 1 seat to a bot: group 1, seat 0",
    ]


def test_groups_of_a_later_block_that_began_with_fewer_people_are_reported() -> None:
    """Two people play each group in the first block. One of them is missing in the second block,
    except in group 2 of each treatment. The blocks' data come separately, as those of two games."""
    study = plan(IN_TURN.replace('session = "sanctions"', ""))
    games = []
    for block, complete in (("fish", (1, 2, 3)), ("trust", (2,))):
        data = of_plan(of_block("commons_game", block), "small", study)
        second = (data.seats["seat"] == 1) & data.seats["group"].isin(complete)
        occupants = data.seats["occupant"].astype("str").mask(second, "person")
        games.append(replace(data, seats=data.seats.assign(occupant=occupants)))
    table = deviations(games[0], study, content(study), None, games[1:])
    short = table[table["what"].str.contains("began with")].itertuples(index=False, name=None)
    assert list(short) == [
        (
            f"treatment {name}, trust",
            f"2 groups began with fewer than 2 people: {name}-1, {name}-3; 2 of 2 not excluded",
        )
        for name in study.treatments
    ]


def test_changes_made_by_a_rehearsal_are_reported_but_no_deviation() -> None:
    study = plan(TEXT)
    now = content(study, bot_delay="instant", periods=4)
    seal = sealed(study, bot_delay="instant", periods=4)
    rehearsal = replace(export(), manifest={**export().manifest, "rehearsed": {"seed": 1}})
    line = 'options.bot_delay: planned "instant", played "fixed:seconds=2"'
    played_by_people = lines(export(), study, now, seal)
    assert f"session plan1: treatments open, pool: {line}" in played_by_people
    rehearsed = lines(rehearsal, study, now, seal)
    assert not any("bot_delay" in line for line in rehearsed)
    assert "session plan1: treatments open, pool: core.periods: planned 4, played 3" in rehearsed
    planned = part.of_plan(of_plan(rehearsal, "small", study), study, now, seal)
    first, second, *others = planned.words
    assert first.startswith(
        "A rehearsal: policies played in place of people, so no result is about"
    )
    assert "It was played with bot_delay fixed:seconds=2, quiz_tries" in first
    assert second == f"The plan was sealed {seal.sealed} ({seal.digest:.12})."
    assert others[-1] == f"The data show {len(planned.tables[-1].frame)} deviations from the plan."
    assert set(planned.tables[0].frame["status"]) == {"rehearsal"}
    assert "ehears" not in " ".join(part.of_plan(export(), study, now, seal).words)


def test_a_session_with_the_same_text_under_another_name_is_named() -> None:
    """The tests do not include this session's groups, so someone could hide a session with an
    unwelcome result.
    """
    study, data = plan(TEXT), export()
    entry = data.manifest["sessions"]["plan1"]
    other = {**entry, "session_config": "again", "plan": {**entry["plan"], "name": "again"}}
    third = {**other, "plan": {**other["plan"], "plan": "0" * 64}}
    sessions = {**data.manifest["sessions"], "plan2": other, "plan3": third}
    data = replace(data, manifest={**data.manifest, "sessions": sessions})
    expected = (
        "session plan2: was made from this plan's text under the name 'again', so nothing in "
        "this report is about it"
    )
    for seal in (sealed(study), None):
        found_lines = lines(data, study, content(study), seal)
        assert expected in found_lines
        assert not any("plan3" in line for line in found_lines)


def test_a_value_that_only_the_rules_had_is_shown_next_to_the_plans() -> None:
    study, now = (
        plan(TEXT),
        plan(TEXT.replace("groups = 2", "groups = 2\nchanges = { capacity = 90.0 }")),
    )
    found_lines = lines(export(), study, content(now), sealed(study))
    [line] = [line for line in found_lines if "plan.changes.capacity" in line]
    assert "sealed nothing, now 90.0; also treatments.open.core.capacity (sealed 160.0" in line


def test_an_export_without_names_of_treatments_cannot_be_compared_with_a_plan():
    data = export()
    nameless = replace(data, config=data.config.drop(columns="treatment"))
    with pytest.raises(ConfigError, match="the table config lacks the column treatment"):
        of_plan(nameless, "small", plan(TEXT))
