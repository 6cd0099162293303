"""A file for Caddy (https://caddyserver.com), which takes the place of our front in a lab.

It sends each address to the same server as `server.fleet.addresses` does, and gets certificates for
a name of one's own by itself. Where a server is being started again, it tries until it is back.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.fleet.addresses import FIRST, PATTERNS
from server.fleet.owners import letters

__all__ = ["RESTART_SECONDS", "caddyfile"]

RESTART_SECONDS = 30
"""So long an address waits for a server that is being started again."""

_LETTER = "(?P<letter>"


def caddyfile(site: str, front: int, ports: Sequence[int]) -> str:
    """The file for a site (`:80`, or a name) before servers at these ports of this machine.

    `front` is the port of our front, which alone knows how all servers stand.
    """
    owners = [
        f"{'':8}`~^[{letters(number, len(ports))}]$` 127.0.0.1:{port}"
        for number, port in enumerate(ports)
    ]
    rules = [
        f"{'':8}`~{pattern}` {'${letter}' if _LETTER in pattern else 'none'}"
        for pattern in PATTERNS
    ]
    lines = [
        f"# Written by `mixed serve --servers {len(ports)} --port {front}`: write it again for",
        "# another number of servers, or another port.",
        f"{site} {{",
        "    # the last letter of a session's code says which server has it",
        "    map {uri} {letter} {",
        *rules,
        f"{'':8}default none",
        "    }",
        "    map {letter} {server} {",
        *owners,
        f"{'':8}default 127.0.0.1:{ports[FIRST]}",
        "    }",
        f"    reverse_proxy /live_state 127.0.0.1:{front}",
        "    reverse_proxy {server} {",
        f"{'':8}lb_try_duration {RESTART_SECONDS}s",
        f"{'':8}lb_try_interval 250ms",
        "    }",
        "}",
    ]
    return "\n".join(lines) + "\n"
