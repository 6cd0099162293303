"""The last letter of a session's code names the server on which it is played."""

from __future__ import annotations

import pytest

from mixed_company.server.fleet import owners
from mixed_company.server.fleet.owners import (
    ElsewhereError,
    Place,
    check,
    ending,
    here,
    letters,
    ours,
    owner,
)
from mixed_company.server.live_state import place_lines


def test_letters_are_dealt_to_the_servers_in_turn():
    # a is the first server's, b the second's, c the first's; 0 is the 27th character, so it is the
    # third's of three
    assert [owner(f"k3v9x2m{letter}", 2) for letter in "abc"] == [0, 1, 0]
    assert owner("k3v9x2m0", 3) == 26 % 3 == 2


@pytest.mark.parametrize("servers", [1, 2, 4, 5, 36])
def test_every_letter_belongs_to_one_server_and_every_server_has_one(servers):
    dealt = [letters(server, servers) for server in range(servers)]
    assert sorted("".join(dealt)) == sorted(owners.LETTERS)
    assert all(dealt)
    for server, share in enumerate(dealt):
        assert {owner(letter, servers) for letter in share} == {server}


@pytest.mark.parametrize("place", [Place(0, 1), Place(0, 2), Place(1, 2), Place(4, 5)])
def test_a_code_is_owned_by_the_server_it_is_made_for_and_otherwise_unchanged(place):
    codes = {ending("k3v9x2mb", place) for _ in range(200)}
    assert {owner(code, place.servers) for code in codes} == {place.server}
    assert {code[:-1] for code in codes} == {"k3v9x2m"}
    assert len(codes) > 1


def test_with_another_number_of_servers_all_codes_of_a_session_still_have_one_owner():
    session, people = "k3v9x2mq", ["aaaaaaaq", "b4b4b4bq"]
    for servers in range(1, owners.MOST_SERVERS + 1):
        assert {owner(code, servers) for code in [session, *people]} == {owner("q", servers)}


@pytest.fixture
def second_of_two(monkeypatch):
    monkeypatch.setenv(owners.PLACE, "2/2")
    here.cache_clear()
    yield
    here.cache_clear()


def test_a_single_server_is_the_first_of_one_and_owns_every_session(monkeypatch):
    monkeypatch.delenv(owners.PLACE, raising=False)
    here.cache_clear()
    assert here() == Place(0, 1)
    assert ours("k3v9x2ma", "zzzzzzzb")
    check("k3v9x2ma", "zzzzzzzb")
    here.cache_clear()


def test_one_of_several_servers_knows_its_place(second_of_two):
    assert here() == Place(1, 2)
    assert str(here()) == "2/2"
    assert ours("k3v9x2mb", "aaaaaaab")
    check("k3v9x2mb", "aaaaaaab")


def test_a_session_of_another_server_is_refused_with_its_location(second_of_two):
    assert not ours("k3v9x2ma", "aaaaaaaa")
    with pytest.raises(ElsewhereError, match="session k3v9x2ma is played on server 1/2; this is 2"):
        check("k3v9x2ma", "aaaaaaaa")


def test_a_session_with_inconsistent_codes_is_refused_with_a_solution(second_of_two):
    assert not ours("k3v9x2mb", "aaaaaaad")
    with pytest.raises(ElsewhereError, match="finish it on one server, with `mixed play`"):
        check("k3v9x2mb", "aaaaaaad")


def test_one_of_several_servers_names_itself_and_where_to_see_the_others():
    assert place_lines(Place(1, 3)) == [
        "server 2/3; others: /live_state?server=1, /live_state?server=3"
    ]
    assert place_lines(Place(0, 1)) == []
