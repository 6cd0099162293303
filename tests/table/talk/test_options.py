"""A session's talk options, and errors that name the option."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.options import Options
from mixed_company.table.setup import resolve, session_config
from mixed_company.table.talk.among import can_write, check_talk, neighbours, partners, readers

ROLES = {"roles": {"member": {}, "mute": {}}, "seats": ["member", "mute", "member", "member"]}


def resolved(game: str = "commons_game", archetype: str = "lab_0_7", **options: Any) -> Any:
    config = session_config("a", game, archetype)
    return resolve(game, {**config, "bots": "random", **options}, config)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"talk": "list"}, "talk_sentences = []: talk is 'list', which needs at least one"),
        (
            {"talk": "free", "talk_sentences": '["Yes"]'},
            "applies only if talk is 'list', not 'free'",
        ),
        ({"talk": "list", "talk_sentences": '["Yes", "Yes"]'}, "a sentence is listed twice"),
        ({"talk": "list", "talk_sentences": '[""]'}, "the message is empty"),
        (
            {"talk": "list", "talk_sentences": '["Yes"]', "talk_blocklist": '["no"]'},
            "does not apply if talk is 'list'",
        ),
        (
            {"talk": "free", "talk_seconds": 0},
            "talk_seconds = 0: should be above 0 if talk_when is",
        ),
        (
            {"talk": "free", "talk_roles": '["membr"]'},
            "talk_roles = 'membr': there is no such role",
        ),
        ({"talk": "free", "talk_with": "neighbours"}, "no seat has neighbours here"),
        (
            {"talk": "free", "pace": "clock"},
            "talk_when = 'periods': with pace 'clock' there is no break between periods",
        ),
        (
            {"talk": "free", "talk_when": "stages"},
            "talk_when = 'stages': a period has only one stage here; set peer to 'punishment'",
        ),
        (
            {"talk": "free", "talk_when": "always", "talk_seconds": 60},
            "talk_seconds = 60: longer than a period (decision_seconds = 45)",
        ),
        (
            {"talk": "free", "talk_when": "always", "agents": '{"timing": "sequential"}'},
            "here seats decide in turn",
        ),
        ({"talk": "free", "talk_length": 0}, "talk_length = 0"),
        ({"talk": "free", "talk_per_minute": 0}, "talk_per_minute = 0"),
        ({"talk": "free", "talk_blocklist": '[" "]'}, "' ': not a word"),
        ({"talk": "loud"}, "talk = 'loud'"),
        ({"talks": "free"}, "talks = 'free': unknown key; did you mean 'talk'"),
    ],
)
def test_senseless_options_are_refused_by_name(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        resolved(**options)
    assert words in str(refused.value)


def test_a_role_without_a_seat_cannot_be_the_only_one_that_writes() -> None:
    roles = '{"roles": {"member": {}, "chair": {}}}'
    with pytest.raises(ConfigError, match=r"no seat has one of these roles"):
        resolved(talk="free", talk_roles='["chair"]', agents=roles)


def test_lists_are_written_as_json_in_a_form_and_an_empty_field_means_none() -> None:
    setup, written = resolved(talk="list", talk_sentences='["Two", "Three"]', talk_roles="")
    assert setup.options.talk_sentences == ("Two", "Three")
    assert written["talk_sentences"] == '["Two", "Three"]'
    assert written["talk_roles"] == ""


def test_always_lasts_at_most_as_long_as_a_period_and_zero_means_all_of_it() -> None:
    for seconds in (0, 45):
        setup, _ = resolved(talk="free", talk_when="always", talk_seconds=seconds)
        assert setup.options.talk_apart is False
    setup, _ = resolved(talk="free", talk_when="always", talk_seconds=600, decision_seconds=0)
    assert setup.options.talk_seconds == 600


def test_a_practice_is_silent() -> None:
    setup, _ = resolved(talk="free", talk_blocklist='["fool"]')
    assert setup.practice.options.talks is False
    assert setup.practice.options.talk_blocklist == ()


def test_neighbours_are_the_seats_whose_numbers_a_seat_sees() -> None:
    ring = engine.make("commons_game", archetype="local_view")  # 4 seats in a circle
    assert partners(ring, Options(talk="free", talk_with="neighbours"), 0) == (1, 3)
    assert readers(ring, Options(talk="free", talk_with="neighbours"), 0, None) == [0, 1, 3]
    graph = {"information": {"intensity": 1, "graph": [[0, 1], [1, 2], [2, 3]]}}
    path = engine.make("commons_game", archetype="lab", layers=graph)
    assert partners(path, Options(talk="free", talk_with="neighbours"), 1) == (0, 2)
    assert neighbours(engine.make("commons_game", archetype="lab")) is None
    assert partners(path, Options(talk="free"), 1) == (0, 2, 3)
    assert readers(path, Options(talk="free", talk_with="one"), 1, 3) == [1, 3]


def test_only_the_named_roles_can_write() -> None:
    game = engine.make("commons_game", archetype="lab", agents=ROLES)
    options = Options(talk="free", talk_roles=("member",))
    assert [can_write(game, options, seat) for seat in range(4)] == [True, False, True, True]
    assert all(can_write(game, Options(talk="free"), seat) for seat in range(4))
    assert not any(can_write(game, Options(), seat) for seat in range(4))


def test_sentences_in_a_plan_are_a_list() -> None:
    setup, _ = resolved(talk="list", talk_sentences=["Two", "Three"])
    assert setup.options.talk_sentences == ("Two", "Three")


def test_players_who_may_not_be_recognised_cannot_talk() -> None:
    changes = {"production": "public_good", "reward": "private", "peer": "punishment"}
    game = engine.make("sanctions", archetype="unsanctioned", **changes, peer_names="shuffled")
    with pytest.raises(ConfigError, match="talk = 'free': messages name their writers"):
        check_talk(game, Options(talk="free"), False, 30.0)
    fixed = engine.make("sanctions", archetype="unsanctioned", **changes)
    check_talk(fixed, Options(talk="free"), False, 30.0)
