"""The routing table as a file for Caddy (https://caddyserver.com).

Caddy waits with a page until a server that is being started again is back, and gets a certificate
for a public name by itself. It cannot send a form a second time, so a form gets a page that tries
again (`server.fleet.entrance`).
"""

from __future__ import annotations

from mixed_company.server.fleet.addresses import FIRST
from mixed_company.server.fleet.entrance import RESTART_SECONDS, STARTING, Entrance

__all__ = ["caddyfile", "caddyfile_of_site"]

_OPTIONS = """\
{
    admin off
    grace_period 1s
    log {
        output stderr
        level ERROR
    }
}
"""
_SERVERS = """\
(servers) {
    # the last letter of a session's code says which server has it
    map {uri} {server} {
RULES
        default FIRST
    }
    # a proxy in front of this one that is trusted knows the sender's address
    @direct not {
        remote_ip TRUSTED
        header X-Forwarded-For *
    }
    request_header @direct X-Forwarded-For {remote_host}
    # a server that refuses a long body ends the connection before Caddy has its answer
    @long expression int("0" + {http.request.header.Content-Length}) > BYTES
    respond @long `the request is too long` 413
    reverse_proxy {server} {
        lb_try_duration SECONDSs
        lb_try_interval 250ms
        trusted_proxies TRUSTED
        header_up X-Forwarded-For {http.request.header.X-Forwarded-For}
    }
    handle_errors {
        @starting expression `{http.error.status_code} in [502, 504]`
        handle @starting {
            header Retry-After 2
            header Content-Type text/html
            respond `PAGE` 503
        }
        handle {
            respond {http.error.status_code}
        }
    }
}
"""


def caddyfile(entrance: Entrance) -> str:
    """Return the file for an entrance, and for its site if it has one."""
    listening = f"""\
http://:{entrance.port} {{
    bind {" ".join(entrance.hosts)}
    import servers
}}
"""
    site = "" if entrance.site is None else _site(entrance.site)
    return _formatted(_OPTIONS + _servers(entrance) + listening + site)


def caddyfile_of_site(entrance: Entrance) -> str:
    """Return a file for a Caddy that somebody else runs: it answers for the site alone."""
    head = (
        f"# Written by `mixed serve --servers {len(entrance.ports)} --port {entrance.port} "
        "--caddyfile FILE`:\n# write it again for another number of servers, or another port.\n"
    )
    return _formatted(head + _servers(entrance) + _site(entrance.site or ":80"))


def _servers(entrance: Entrance) -> str:
    rules = "\n".join(f"{'':8}`~{pattern}` {server}" for pattern, server in entrance.rules)
    return (
        _SERVERS.replace("RULES", rules)
        .replace("FIRST", entrance.server(FIRST))
        .replace("TRUSTED", " ".join(entrance.networks))
        .replace("BYTES", str(entrance.body_bytes))
        .replace("SECONDS", str(RESTART_SECONDS))
        .replace("PAGE", STARTING)
    )


def _site(site: str) -> str:
    return f"{site} {{\n    import servers\n}}\n"


def _formatted(text: str) -> str:
    """As `caddy fmt` has it; Caddy warns of other files."""
    return text.replace("    ", "\t")
