"""Run several servers side by side, behind one address.

mixed serve --servers 4
    starts four servers on this machine, with one PostgreSQL database (DATABASE_URL), and a proxy in
    front of them: Caddy or nginx, whichever is installed. Each session is played on one server: the
    server with the fewest people when the session is created. A session with `parts` in its config
    is played on several servers. A server that stops is restarted, and its tables continue. Ctrl-C
    stops all of them. The proxy listens on --port, and the servers on the ports that follow.

mixed serve --servers 4 --site lab.example.org
    also has Caddy answer for this name, with a certificate that Caddy obtains itself.

mixed serve --restart
    restarts the servers that run in this folder (behind --port), one after another, each after the
    previous one is responding again. People on other servers do not notice.

mixed serve --servers 4 --caddyfile Caddyfile --site lab.example.org
    writes a file for a Caddy that you run yourself, for this number of servers and this port, and
    starts nothing.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.server.fleet.entrance import Entrance

GROUP = Group.SESSIONS
EXTRA = "server"
EXAMPLES = (
    "mixed serve --servers 2",
    "mixed serve --servers 4 --host 0.0.0.0 --port 8000",
    "mixed serve --servers 4 --proxy caddy --site lab.example.org",
    "mixed serve --restart",
    "mixed serve --servers 4 --caddyfile Caddyfile --site lab.example.org",
)
PORT = 8000


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--servers", type=int, help="number of servers, such as one per core")
    add("--port", type=int, default=PORT, help="port of the proxy")
    add(
        "--host",
        default="127.0.0.1",
        help="address; 0.0.0.0 to accept connections from other machines",
    )
    add("--proxy", choices=("caddy", "nginx"), help="Caddy if it is installed, else nginx")
    add("--site", metavar="NAME", help="public host name that Caddy also serves, with HTTPS")
    add("--restart", action="store_true", help="restart the servers one after another")
    add("--caddyfile", type=Path, metavar="FILE", help="only write a file for Caddy")


def run(chosen: Namespace) -> int:
    """Start the servers, restart them, or write the file."""
    from mixed_company.server.fleet import serving
    from mixed_company.server.fleet.entrance import PROXIES, TRUSTED, Entrance
    from mixed_company.server.gate.limits import limits
    from mixed_company.server.process import environment

    if chosen.restart:
        serving.restart(chosen.port)
        print("all servers have restarted")
        return 0
    if chosen.servers is None:
        raise config_error("--servers: is missing; set a number, such as one per core")
    ports = serving.ports_behind(chosen.port, chosen.servers)
    variables = environment()
    trusted, body_bytes = variables.get(PROXIES, TRUSTED), limits().body_bytes
    entrance = Entrance(chosen.host, chosen.port, ports, body_bytes, trusted, chosen.site)
    return _written(chosen, entrance) if chosen.caddyfile else _served(chosen, entrance, variables)


def _served(chosen: Namespace, entrance: Entrance, variables: dict[str, str]) -> int:
    from mixed_company.cli.project import check_port, check_project
    from mixed_company.server import secret_key
    from mixed_company.server.fleet import serving
    from mixed_company.server.fleet.proxy import find_proxy

    url = serving.check_database(variables.get("DATABASE_URL"))
    check_project()
    import settings

    level = variables.get("OTREE_AUTH_LEVEL")
    secret_key.check(settings.SECRET_KEY, level, entrance.site or entrance.host)
    proxy = find_proxy(chosen.proxy)
    if entrance.site is not None and proxy.name != "caddy":
        raise config_error(
            f"--site = {entrance.site}: {proxy.name} cannot obtain a certificate; use Caddy"
        )
    for port in (entrance.port, *entrance.ports):
        check_port(port)

    def say() -> None:
        address = f"{entrance.url}/demo"
        print(f"\n  {chosen.servers} servers: open {address}. Ctrl-C stops them.\n", flush=True)

    with serving.alone(url):
        serving.serve(entrance, proxy, variables, say)
    return 0


def _written(chosen: Namespace, entrance: Entrance) -> int:
    from mixed_company.files import write_whole
    from mixed_company.server.fleet.proxy import caddyfile_of_site

    write_whole(chosen.caddyfile, caddyfile_of_site(entrance))
    print(f"written: {chosen.caddyfile}")
    return 0
