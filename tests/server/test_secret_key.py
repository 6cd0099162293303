"""A server that is reachable from outside has its own secret key, or it does not start."""

from __future__ import annotations

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.secret_key import PUBLISHED, check


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "localhost"])
def test_on_a_local_machine_the_published_key_is_enough(address):
    check(PUBLISHED, None, address)
    check(PUBLISHED, "", address)


@pytest.mark.parametrize(
    ("level", "address", "words"),
    [
        ("STUDY", "127.0.0.1", "OTREE_AUTH_LEVEL = STUDY needs a private key"),
        ("DEMO", "127.0.0.1", "OTREE_AUTH_LEVEL = DEMO needs a private key"),
        (None, "0.0.0.0", "a server at 0.0.0.0 needs a private key"),
        (None, "lab.example", "a server at lab.example needs a private key"),
    ],
)
def test_elsewhere_the_published_key_is_refused(level, address, words):
    for key in (PUBLISHED, ""):
        with pytest.raises(ConfigError) as error:
            check(key, level, address)
        assert words in str(error.value)
        assert "Set the variable OTREE_SECRET_KEY" in str(error.value)
    check("nobody knows this", level, address)
