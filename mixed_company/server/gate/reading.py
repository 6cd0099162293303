"""Checks of a request and its body: the gate rejects anything that oTree or its libraries would
misread.

* python-multipart 0.0.5 hangs on some headers (CVE-2024-24762), and takes minutes to parse a form
  with ten million fields. The gate allows only a few content types and counts the fields of a form.
* starlette 0.14.1 serves `_static_private` as well as `_static` (CVE-2023-29159). The gate rejects
  paths that lead to a parent folder.
* oTree fails on characters that databases cannot store, a body that is not JSON, or an invalid
  path. The gate reports these as errors in the request.
* oTree reads a body while holding its only lock, so an incomplete or very long body blocks
  everybody. The gate reads the whole body first, within its limits.
* oTree writes labels unescaped into the administrator's pages, and they appear in tables that
  people open as spreadsheets. A label must therefore not contain markup or be a formula.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any
from urllib.parse import parse_qsl

from mixed_company.server.gate.limits import Limits
from mixed_company.server.gate.request import Receive, Refused, Scope
from mixed_company.table.export.column import FORMULA

MOST_LABEL_CHARACTERS = 100
_MARKUP = frozenset("<>&\"'`\\")


def checked_label(label: str, name: str = "participant_label") -> str:
    """Return the label if it is valid; `name` is the parameter's name. Raises Refused.

    A label has at most 100 printable characters, contains none of < > & " ' ` \\, and does not
    start with = + - or @.
    """
    if len(label) > MOST_LABEL_CHARACTERS:
        raise Refused(
            400, f"{name}: {len(label)} characters; at most {MOST_LABEL_CHARACTERS} are allowed"
        )
    if not label.isprintable():
        raise Refused(400, f"{name} = {label!a}: contains an unprintable character")
    if wrong := sorted(_MARKUP & set(label)):
        raise Refused(400, f"{name} = {label!a}: must not contain {' '.join(wrong)}")
    if label.startswith(FORMULA):
        raise Refused(400, f"{name} = {label!a}: must not begin with = + - or @")
    return label


METHODS = ("GET", "HEAD", "POST")
MOST_QUERY_BYTES = 8_192
MOST_PARAMETERS = 100
MOST_BACKSLASHES = 100
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
LABELS = ("participant_label", "workerId", "assignmentId", "hitId", "tab_unique_id")
"""Parameters of links that are stored or shown to the administrator."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")
_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""Pattern of a null character in JSON, but not of an escaped backslash before `u0000`."""
_TYPE = re.compile(r'([a-z]+/[a-z0-9.+-]+)(?:\s*;\s*charset\s*=\s*"?[A-Za-z0-9_-]{1,20}"?)?')
_JSON_PATHS = ("/api/", "/create_browser_bots_session", "/close_browser_bots_session")


def check_head(scope: Scope) -> None:
    """Check the method, path, query and headers. Raises Refused."""
    if scope["method"] not in METHODS:
        raise Refused(405, f"method = {scope['method']}: should be one of {', '.join(METHODS)}")
    check_address(scope)
    kind = _header(scope, b"content-type")
    plain = _TYPE.fullmatch(kind.strip().lower())
    if kind and (plain is None or kind.lower().lstrip().startswith("multipart/")):
        raise Refused(
            415, f"content-type: should be {FORM} or {JSON}, with no parameter except charset"
        )


def check_body(scope: Scope, body: bytes | bytearray, limits: Limits) -> None:
    """Check the fields of a form, or the JSON if the address accepts JSON. Raises Refused."""
    if not body:
        return
    kind = _header(scope, b"content-type").partition(";")[0].strip().lower()
    if kind == JSON or scope["path"].startswith(_JSON_PATHS):
        if not isinstance(plain_json(body), dict):
            raise Refused(400, "the JSON body should be an object: {...}")
    elif kind == FORM:
        _check_form(body, limits)


def check_address(scope: Scope) -> None:
    """Check the path, query and headers of a request or a socket. Raises Refused."""
    path = scope["path"]
    if _CONTROL.search(path):
        raise Refused(400, "the address contains an unprintable character")
    if not path.startswith("/") or "\\" in path or {".", ".."} & set(path.split("/")):
        raise Refused(404, "there is nothing at this address")
    _check_query(scope["query_string"])
    host = _header(scope, b"host")
    if host and _HOST.fullmatch(host) is None:
        raise Refused(400, "host: not a valid host name")
    count = sum(value.count(b"\\") for name, value in scope["headers"] if name == b"cookie")
    if count > MOST_BACKSLASHES:  # Python's parser takes quadratic time for them (CVE-2024-7592)
        raise Refused(
            400, f"cookie: it has {count} backslashes; at most {MOST_BACKSLASHES} are allowed"
        )


def _check_query(query: bytes) -> None:
    if len(query) > MOST_QUERY_BYTES:
        raise Refused(
            414, f"the address has {len(query)} bytes of parameters; at most 8192 are allowed"
        )
    try:
        parameters = parse_qsl(
            query.decode("latin-1"), keep_blank_values=True, max_num_fields=MOST_PARAMETERS
        )
    except ValueError:
        raise Refused(400, f"the address has more than {MOST_PARAMETERS} parameters") from None
    for name, value in parameters:
        if name in LABELS:
            checked_label(value, name)
        elif _CONTROL.search(name) or _CONTROL.search(value):
            raise Refused(400, f"{name!a} = {value!a}: contains a control character")


def _check_form(body: bytes | bytearray, limits: Limits) -> None:
    count = 1 + body.count(b"&") + body.count(b";")
    if count > limits.form_fields:
        raise Refused(413, f"the form has {count} fields; at most {limits.form_fields} are allowed")
    if b"\x00" in body or b"%00" in body:
        raise Refused(400, "the form contains an unprintable character")


def plain_json(text: str | bytes | bytearray) -> Any:
    """Parse JSON and check that its text can be encoded and stored. Raises Refused."""
    try:
        data = json.loads(text)
        written = json.dumps(data, ensure_ascii=False)
        written.encode()
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None
    if _ESCAPED_NUL.search(written):
        raise Refused(400, "the JSON contains a null character")
    return data


def _header(scope: Scope, name: bytes) -> str:
    """Return a header, or an empty string.

    Raises Refused if the header appears twice, because two programs could each read a different
    value.
    """
    values: list[bytes] = [value for key, value in scope["headers"] if key == name]
    if len(values) > 1:
        raise Refused(400, f"{name.decode()}: appears {len(values)} times")
    return values[0].decode("latin-1") if values else ""


class Gone(Exception):
    """Error raised if the client has disconnected."""


class Bodies:
    """Bodies that are in memory; `held` is their total size in bytes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.held = 0

    async def read(self, scope: Scope, receive: Receive) -> bytearray:
        """Return the whole body; the caller releases it with `drop`.

        Raises Refused if it is too large or takes too long, and Gone if the client disconnects.
        """
        self._check_length(scope)
        body = bytearray()
        try:
            seconds = self._limits.body_seconds
            await asyncio.wait_for(self._fill(body, receive), seconds)
        except TimeoutError:
            self.drop(body)
            raise Refused(408, f"the request was not complete within {seconds:g} s") from None
        except BaseException:
            self.drop(body)
            raise
        return body

    def drop(self, body: bytearray) -> None:
        """Release a body's memory."""
        self.held -= len(body)
        body.clear()

    async def _fill(self, body: bytearray, receive: Receive) -> None:
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            body += part
            self.held += len(part)
            self._check(len(body))
            more = message.get("more_body", False)

    def _check_length(self, scope: Scope) -> None:
        """Check the length announced by the request, before reading its body."""
        for name, value in scope["headers"]:
            if name == b"content-length":
                self._check(int(value))

    def _check(self, length: int) -> None:
        limit = self._limits.body_bytes
        if length > limit:
            raise Refused(413, f"the request has {length} bytes; at most {limit} are allowed")
        if self.held > self._limits.bodies_bytes:
            sentence = "the server is receiving too much data at once: try again later"
            raise Refused(503, sentence, seconds=5)


def again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields the whole body as one message, then all later messages."""
    rest = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> dict[str, object]:
        return rest.pop() if rest else await receive()

    return receive_again
