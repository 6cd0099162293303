"""Security headers of every response."""

from __future__ import annotations

import base64
import hashlib
import re

from mixed_company.server.gate import Gate, Limits
from mixed_company.server.gate.headers import NONCE_MARK, hashed
from tests.server.gate.asking import Answer, Behind, ask, run


def answer_of(behind: Behind, path: str = "/p/abc/x", scheme: str = "http") -> Answer:
    answers: list[Answer] = []

    async def test() -> None:
        gate = Gate(behind, Limits(), handlers={"advanceUsers()"})
        answers.append(await ask(gate, path, scheme=scheme))

    run(test)
    return answers[0]


def test_a_page_is_not_cached_not_framed_by_others_and_its_address_not_disclosed():
    headers = answer_of(Behind()).headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "cache-control" not in answer_of(Behind(), "/static/mixed/play.js").headers


def test_only_scripts_of_templates_run():
    behind = Behind()
    behind.page = f'<script nonce="{NONCE_MARK}">a</script><script>bad</script>'.encode()
    first, second = answer_of(behind), answer_of(behind)
    (nonce,) = re.findall(r"script-src 'self' 'nonce-(\w+)'", first.headers[POLICY])
    assert first.text == f'<script nonce="{nonce}">a</script><script>bad</script>'
    assert len(first.text) == len(behind.page)  # matches its Content-Length
    assert NONCE_MARK not in first.text
    assert nonce not in second.text
    assert "unsafe-inline" not in first.headers[POLICY].partition("style-src")[0]


POLICY = "content-security-policy"


def test_handlers_in_otree_s_templates_run_by_the_hash_of_their_text():
    digest = base64.b64encode(hashlib.sha256(b"advanceUsers()").digest()).decode()
    assert hashed(["advanceUsers()"]) == f"'unsafe-hashes' 'sha256-{digest}'"
    assert (
        f"script-src-attr 'unsafe-hashes' 'sha256-{digest}';" in answer_of(Behind()).headers[POLICY]
    )
    assert hashed([]) == "'none'"


def test_sockets_go_to_the_same_server():
    policy = answer_of(Behind()).headers[POLICY]
    assert "connect-src 'self' ws://lab.example wss://lab.example;" in policy


def test_headers_of_the_application_are_kept():
    behind = Behind()
    behind.headers = [(b"Cache-Control", b"max-age=60")]
    assert answer_of(behind).headers["Cache-Control"] == "max-age=60"
    assert "cache-control" not in answer_of(behind).headers


def test_behind_tls_cookies_are_sent_back_only_over_tls():
    behind = Behind()
    behind.headers = [(b"set-cookie", b"session=x; path=/; httponly")]
    cookie = "session=x; path=/; httponly"
    assert answer_of(behind).headers["set-cookie"] == cookie
    assert answer_of(behind, scheme="https").headers["set-cookie"] == f"{cookie}; Secure"
    behind.headers = [(b"set-cookie", b"session=x; secure")]
    assert answer_of(behind, scheme="https").headers["set-cookie"] == "session=x; secure"
