"""The gate rejects requests that oTree, or a library below it, would misread."""

from __future__ import annotations

import pytest

from mixed_company.server.gate.reading import plain_json
from tests.server.gate.asking import FORM, JSON, Behind, ask, gate_before, run

# 155 bytes: python-multipart 0.0.5 would search for the end of a quotation in 2^58 ways
BACKTRACKING = b'application/x-www-form-urlencoded; !="' + 117 * b"\\"


def refused(status: int, words: str, path: str = "/p/abc/x", **request: object) -> None:
    """Check that the gate responds with this status and does not pass the request on."""

    async def test() -> None:
        behind = Behind()
        headers = request.pop("headers", ())
        answer = await ask(gate_before(behind), path, *headers, **request)
        assert (answer.status, words in answer.text) == (status, True), answer.text
        assert answer.headers["connection"] == "close"
        assert behind.paths == []

    run(test)


def let_in(path: str = "/p/abc/x", **request: object) -> None:
    async def test() -> None:
        behind = Behind()
        headers = request.pop("headers", ())
        answer = await ask(gate_before(behind), path, *headers, **request)
        assert (answer.status, behind.paths) == (200, [path]), answer.text

    run(test)


def test_an_unknown_type_of_form_is_refused():
    assert len(BACKTRACKING) == 155
    for kind in (BACKTRACKING, b"multipart/form-data; boundary=x", b"multipart/form-data", b"/"):
        header = (b"content-type", kind)
        refused(415, "content-type: should be", method="POST", body=[b"a=1"], headers=[header])


@pytest.mark.parametrize("first", [BACKTRACKING, FORM[1], b"text/plain"])
def test_a_repeated_header_is_refused(first):
    # a library below oTree takes the first header, whatever the last one says
    twice = [(b"content-type", first), (b"content-type", b"text/plain")]
    refused(400, "content-type: appears 2 times", method="POST", body=[b"a=1"], headers=twice)
    hosts = [(b"host", b"lab.example/api/export_wide?"), (b"host", b"lab.example")]
    refused(400, "host: appears 2 times", headers=hosts)


@pytest.mark.parametrize(
    "kind",
    [
        b"application/x-www-form-urlencoded",
        b"application/x-www-form-urlencoded; charset=UTF-8",  # jQuery's
        b'Application/X-WWW-Form-Urlencoded ;charset="utf-8"',
        b"text/plain",
    ],
)
def test_types_that_browsers_send_are_admitted(kind):
    let_in(method="POST", body=[b"a=1"], headers=[(b"content-type", kind)])


def test_fields_of_a_form_are_counted():
    let_in(method="POST", headers=[FORM], body=[b"&".join([b"a="] * 1000)])
    message = "the form has 1001 fields; at most 1000 are allowed"
    refused(413, message, method="POST", headers=[FORM],
            body=[b"&".join([b"a="] * 1001)])  # fmt: skip
    # a library that also splits at semicolons scans the rest once for each semicolon
    refused(413, "at most 1000", method="POST", headers=[FORM], body=[b"a;" * 1001])


@pytest.mark.parametrize(
    "path",
    [
        "/static/../_static_private/key.txt",
        "/static/x/../../_static_private/key.txt",
        "/static/./a.js",
        "/static/..\\_static_private\\key.txt",
        "@elsewhere.example",  # would be taken for the server's name (CVE-2026-54282)
    ],
)
def test_no_path_leads_upwards(path):
    refused(404, "there is nothing at this address", path)


def test_a_character_that_no_database_stores_is_refused_anywhere():
    refused(400, "an unprintable character", "/join/\x00")
    refused(400, "'a' = '\\x00': contains a control character", query=b"a=%00")
    refused(400, "an unprintable character", method="POST", headers=[FORM], body=[b"a=x%00y"])
    refused(400, "a null character", method="POST", headers=[JSON], body=[b'{"a": "\\u0000"}'])


@pytest.mark.parametrize("harmless", [r"\\u0000", r"\\\\u0000", "u0000"])
def test_a_backslash_before_u0000_is_not_a_null_character(harmless):
    """In a JSON string, two backslashes mean one backslash."""
    assert plain_json(f'{{"a": "{harmless}"}}') == {"a": harmless.replace("\\\\", "\\")}


@pytest.mark.parametrize("label", [b"%3Cscript%3E", b"%3D1%2B1", b"%40x", b"%00", b"x" * 101])
def test_an_invalid_label_is_refused_before_it_is_stored(label):
    refused(400, "participant_label", "/join/abc", query=b"participant_label=" + label)
    refused(400, "workerId", "/MTurkStart/abc", query=b"workerId=" + label)


def test_a_laboratory_s_label_is_admitted():
    let_in("/join/abc", query=b"participant_label=5f3c%20Z%C3%BCrich%2B12@a.org%2F7")


def test_an_invalid_host_is_refused():
    # oTree would take the page's path from the header (CVE-2026-48710)
    refused(400, "host", headers=[(b"host", b"lab.example/api/export_wide?")])


def test_a_cookie_that_takes_long_to_parse_is_refused():
    long = (b"cookie", b'a="' + b"\\" * 101 + b'"')
    refused(400, "101 backslashes", headers=[long])
    refused(400, "101 backslashes", headers=[long, (b"cookie", b"a=1")])
    let_in(headers=[(b"cookie", b'session=eyJh.X; other="a\\054b"')])


def test_endless_parameters_are_refused():
    refused(414, "at most 8192", query=b"a=" + b"x" * 8192)
    refused(400, "more than 100 parameters", query=b"&".join([b"a=1"] * 101))


@pytest.mark.parametrize("body", [b"no JSON", b"\xff", b"{" * 100_000, b'{"a": "\\ud800"}'])
def test_invalid_json_is_refused_where_json_is_expected(body):
    refused(400, "not JSON", "/api/sessions", method="POST", body=[body])
    refused(400, "not JSON", "/room/lab", method="POST", headers=[JSON], body=[body])


def test_json_that_is_not_an_object_is_refused():
    refused(400, "should be an object", "/api/sessions", method="POST", body=[b"[1]"])
    let_in("/api/sessions", method="POST", body=[b'{"num_participants": 1}'])
    let_in("/api/sessions", body=[b""])


def test_other_methods_are_refused():
    refused(405, "method = TRACE: should be one of GET, HEAD, POST", method="TRACE")
