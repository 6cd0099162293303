"""The key with which a server seals its exports."""

from __future__ import annotations

from otree import settings

from mixed_company.server.archive.codes import sealing_key
from mixed_company.server.secret_key import PUBLISHED


def test_a_key_follows_from_a_secret_that_is_not_published(monkeypatch):
    monkeypatch.setattr(settings, "SECRET_KEY", "the server's")
    assert sealing_key() == sealing_key("the server's")
    assert len({sealing_key(), sealing_key("another")}) == 2
    for secret in ("", PUBLISHED):
        assert sealing_key(secret) == b""
        monkeypatch.setattr(settings, "SECRET_KEY", secret)
        assert sealing_key() == b""
