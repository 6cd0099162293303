"""Limits can be changed by name."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.gate.limits import Limits, read


def test_limits_are_changed_by_name_and_the_others_stay():
    changed = read(" body_seconds = 2.5,form_fields=10 ,")
    assert changed == Limits(body_seconds=2.5, form_fields=10)
    assert read("") == Limits()


def test_a_limit_may_be_a_fraction():
    assert read("logins_per_second=0.05").logins_per_second == 0.05


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("body_second=1", "MIXED_LIMITS: body_second: no such limit; did you mean 'body_seconds'?"),
        ("form_fields=1.5", "form_fields = '1.5': should be a whole number greater than 0"),
        ("form_fields=0", "form_fields = '0': should be a whole number greater than 0"),
        ("body_seconds=inf", "body_seconds = 'inf': should be a number greater than 0"),
        ("body_seconds=nan", "should be a number greater than 0"),
        ("body_seconds", "body_seconds = '': should be a number greater than 0"),
    ],
)
def test_a_wrong_limit_is_refused_by_name(text, words):
    with pytest.raises(ConfigError) as error:
        read(text)
    assert words in str(error.value)


def test_every_limit_is_explained():
    explained = {line.split()[0] for line in (Limits.__doc__ or "").splitlines() if line.strip()}
    names = {field.name for field in fields(Limits)}
    plain = {name for name in names if not name.endswith(("_at_once", "_per_second"))}
    assert plain <= explained
    counted = {name.removesuffix("_at_once") for name in names if name.endswith("_at_once")}
    assert counted <= explained
    assert names - plain == {
        f"{kind}_{end}" for kind in counted for end in ("at_once", "per_second")
    }


def test_rates_are_found_by_the_name_of_what_they_count():
    rates = Limits(logins_at_once=2, logins_per_second=4).rates("logins", times=2)
    assert [rates.wait("anna", 0.0) for _ in range(5)] == [0, 0, 0, 0, 0.125]


ROOM, FILES = 3, 20
"""Requests by a person who arrives through a room, without a participant code in the address: for
the room's page, a place in it, the browser's icon and the files of the first page."""


def waits(kind: str, count: int) -> list[float]:
    """Return the waits, in seconds, of `count` simultaneous requests from one address."""
    rates = Limits().rates(kind)
    return [rates.wait("a laboratory", 0.0) for _ in range(count)]


def test_a_hundred_people_behind_one_address_arrive_in_the_same_second_and_nobody_waits():
    assert max(waits("visits", 100 * ROOM)) == 0
    assert max(waits("files", 100 * FILES)) == 0


def test_three_hundred_people_are_all_admitted_within_half_a_minute():
    assert Limits().requests_of_address >= 300 * ROOM
    assert max(waits("visits", 300 * ROOM)) <= 30
    assert max(waits("files", 300 * FILES)) <= 30


def test_a_flood_of_pages_without_a_participant_is_slowed_down_within_seconds():
    """Guard against admitting twenty requests a second for half a minute, because a page takes
    about 10 ms."""
    let_in = [wait for wait in waits("visits", 5_000) if wait <= 10]
    assert len(let_in) <= 600
