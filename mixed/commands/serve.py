"""Runs several servers side by side, behind one address.

mixed serve --servers 4
    starts four servers on this machine, on one PostgreSQL (DATABASE_URL says which), and a front
    before them. Each session is played on one of them, the one with the fewest people when it is
    created; a session with `parts` in its config, on several. A server that ends is started again,
    and its tables go on. Ctrl-C ends all of them. The front listens at --port, the servers behind
    it at the ports that follow.

mixed serve --servers 4 --caddyfile Caddyfile --site lab.example.org
    writes a file for Caddy, which takes the place of the front where many people come, and gets a
    certificate for the name. It is written for these numbers of servers and port.
"""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed.command import Group

GROUP = Group.SESSIONS
EXTRA = "fleet"
EXAMPLES = (
    "mixed serve --servers 2",
    "mixed serve --servers 4 --host 0.0.0.0 --port 8000",
    "mixed serve --servers 4 --caddyfile Caddyfile --site lab.example.org",
)
PORT = 8000


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("--servers", type=int, required=True, help="how many: one for each core, say")
    add("--port", type=int, default=PORT, help=f"of the front; {PORT}")
    add("--host", default="127.0.0.1", help="0.0.0.0: to be reached from other machines, too")
    add("--caddyfile", type=Path, metavar="FILE", help="write a file for Caddy, and start nothing")
    add("--site", default=":80", help="what Caddy answers for: a name, or :80")


def run(chosen: Namespace) -> int:
    """Start the servers, or write the file."""
    from mixed.project import check_project
    from mixed.serving import check_port
    from server import secret_key
    from server.fleet import serving
    from server.process import environment

    ports = serving.ports_behind(chosen.port, chosen.servers)
    if chosen.caddyfile is not None:
        return _written(chosen, ports)
    variables = environment()
    url = serving.check_database(variables.get("DATABASE_URL"))
    check_project()
    import settings

    secret_key.check(settings.SECRET_KEY, variables.get("OTREE_AUTH_LEVEL"), chosen.host)
    for port in (chosen.port, *ports):
        check_port(port)

    def say() -> None:
        address = f"http://{chosen.host}:{chosen.port}/demo"
        print(f"\n  {chosen.servers} servers: open {address}. Ctrl-C ends them.\n", flush=True)

    with serving.alone(url):
        asyncio.run(serving.serve(chosen.host, chosen.port, chosen.servers, variables, say))
    return 0


def _written(chosen: Namespace, ports: list[int]) -> int:
    from files.file import write_whole
    from server.fleet.caddyfile import caddyfile

    write_whole(chosen.caddyfile, caddyfile(chosen.site, chosen.port, ports))
    print(f"written: {chosen.caddyfile}")
    return 0
