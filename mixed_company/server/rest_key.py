"""REST key: the value of OTREE_REST_KEY, which a program sends in the `otree-rest-key` header.

Keys are compared in constant time. A wrong key slows down requests from its sender's address, as a
failed login does.
"""

from __future__ import annotations

import hmac
import os
import time
from collections.abc import Mapping
from typing import Any

from starlette.responses import PlainTextResponse, Response

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.gate.limits import rates
from mixed_company.server.gate.request import address_of

VARIABLE = "OTREE_REST_KEY"
HEADER = "otree-rest-key"
LEAST = 16
"""Minimum length of a key."""


def check(variables: Mapping[str, str] | None = None) -> None:
    """Check that the key, if there is one, is long enough. Raises a ConfigError with a message that
    does not contain the key.
    """
    key = (os.environ if variables is None else variables).get(VARIABLE, "")
    if key and len(key) < LEAST:
        raise ConfigError(
            f"{VARIABLE}: the key has {len(key)} characters; at least {LEAST} are required. "
            'Set it to the output of: python -c "import secrets; print(secrets.token_hex(16))"'
        )


def refusal(request: Any) -> Response | None:
    """Return the error response for a REST request, or None if its key is valid.

    The status is 403 for a missing or wrong key, and 429 after too many wrong ones.
    """
    key, sent = os.environ.get(VARIABLE, ""), request.headers.get(HEADER, "")
    if not key:
        return _forbidden(f"Env var {VARIABLE} must be defined to use REST API")
    if not sent:
        return _forbidden(f"HTTP Request Header {HEADER} is missing")
    client, now = f"REST of {address_of(request.scope)}", time.monotonic()
    wait = rates("logins").wait(client, now)
    if wait == 0.0 and hmac.compare_digest(key.encode(), sent.encode(errors="replace")):
        rates("logins").uncount(client)
        return None
    if wait == 0.0:
        return _forbidden(f"HTTP Request Header {HEADER} is incorrect")
    rates("logins").uncount(client)
    sentence = f"too many wrong REST keys: wait {wait:.0f} s\n"
    return PlainTextResponse(sentence, 429, {"retry-after": f"{wait:.0f}"})


def _forbidden(sentence: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", 403)
