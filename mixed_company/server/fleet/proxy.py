"""Proxy in front of several servers: Caddy or nginx, whichever is installed.

proxy = find_proxy(None)                    # Caddy, if both are installed
program = proxy.prepare(entrance, folder)   # writes its file and checks it

Caddy (https://caddyserver.com) holds a request until a restarting server is back, and automatically
obtains a certificate for a public name. It cannot resend a form, so its response to a form is a
page that retries (`server.fleet.entrance`). nginx (https://nginx.org) does not wait; it returns
that page immediately. It keeps request bodies in memory, so its workers need no temporary folders.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.files import write_whole
from mixed_company.server.fleet.entrance import FIRST, RESTART_SECONDS, STARTING, Entrance

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
    # the last letter of a session's code says which server owns it
    map {uri} {server} {
RULES
        default FIRST
    }
    # a trusted proxy in front of this one knows the sender's address
    @direct not {
        remote_ip TRUSTED
        header X-Forwarded-For *
    }
    request_header @direct X-Forwarded-For {remote_host}
    # a server that refuses a long body ends the connection before Caddy has its response
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
    """Return the Caddy file for an entrance, including its site if it has one."""
    listening = f"""\
http://:{entrance.port} {{
    bind {" ".join(entrance.hosts)}
    import servers
}}
"""
    site = "" if entrance.site is None else _site(entrance.site)
    return _formatted(_OPTIONS + _servers(entrance) + listening + site)


def caddyfile_of_site(entrance: Entrance) -> str:
    """Return a file for an existing Caddy server; it configures only the site."""
    head = (
        f"# Written by `mixed serve --servers {len(entrance.ports)} --port {entrance.port} "
        "--caddyfile FILE`:\n# write it again if the number of servers or the port changes.\n"
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
    """Format a file as `caddy fmt` does, because Caddy warns if a file is formatted differently."""
    return text.replace("    ", "\t")


_FILE = """\
daemon off;
pid nginx.pid;
error_log stderr crit;
worker_processes auto;
worker_rlimit_nofile 16384;
events {
    worker_connections 8192;
}
http {
    access_log off;
    server_tokens off;
    client_body_temp_path bodies;
    proxy_temp_path answers;
    fastcgi_temp_path unused;
    uwsgi_temp_path unused;
    scgi_temp_path unused;
    client_max_body_size BYTES;
    client_body_buffer_size BYTES;

    # the last letter of a session's code says which server owns it
    map $request_uri $server {
RULES
        default FIRST;
    }
    # a trusted proxy in front of this one knows the sender's address
    geo $trusted {
TRUSTED
    }
    map "$trusted $http_x_forwarded_for" $sender {
        "~^1 (?P<said>.+)$" $said;
        default $remote_addr;
    }
    map "$trusted $http_x_forwarded_proto" $protocol {
        "~^1 (?P<spoken>.+)$" $spoken;
        default $scheme;
    }
    map $http_upgrade $connection_upgrade {
        default upgrade;
        "" close;
    }
    server {
LISTEN
        location / {
            proxy_pass http://$server;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            proxy_set_header X-Forwarded-For $sender;
            proxy_set_header X-Forwarded-Proto $protocol;
            proxy_next_upstream off;
            proxy_read_timeout 600s;
            proxy_send_timeout 600s;
            proxy_buffering off;
            error_page 502 504 = @starting;
        }
        location @starting {
            default_type text/html;
            add_header Retry-After 2 always;
            return 503 "PAGE";
        }
    }
}
"""


def nginx_conf(entrance: Entrance) -> str:
    """Return the nginx file for an entrance."""
    rules = "\n".join(f'{"":8}"~{pattern}" {server};' for pattern, server in entrance.rules)
    listen = "\n".join(f"{'':8}listen {_address(host, entrance.port)};" for host in entrance.hosts)
    return (
        _FILE.replace("RULES", rules)
        .replace("FIRST", entrance.server(FIRST))
        .replace("TRUSTED", _trusted(entrance))
        .replace("LISTEN", listen)
        .replace("BYTES", str(entrance.body_bytes))
        .replace("PAGE", STARTING)
    )


def _trusted(entrance: Entrance) -> str:
    networks = [f"{'':8}{network} 1;" for network in entrance.networks]
    everybody = "0.0.0.0/0" in entrance.networks  # nginx's default, which may appear only once
    return "\n".join(networks if everybody else [*networks, f"{'':8}default 0;"])


def _address(host: str, port: int) -> str:
    if ":" in host:
        return f"[{host}]:{port} ipv6only={'off' if host == '::' else 'on'}"
    return f"{host}:{port}"


_MORE_FOLDERS = ("/usr/sbin", "/usr/local/sbin")
"""Folders where Debian installs nginx; they are not on every user's PATH."""

_HOW = "apt-get install {} (Debian, Ubuntu), then `systemctl disable --now {}`"


class Program(NamedTuple):
    """Command, with the environment variables that it needs in addition to the project's."""

    command: list[str]
    variables: dict[str, str]


@dataclass(frozen=True)
class Proxy:
    """Program that routes requests by session.

    file      name of the configuration file
    write     returns the text of the file
    check     arguments that check the file in its folder
    run       arguments that run it there
    """

    name: str
    file: str
    write: Callable[[Entrance], str]
    check: tuple[str, ...]
    run: tuple[str, ...]

    def path(self) -> str | None:
        """Return the program's path, or None if it is not installed."""
        folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *_MORE_FOLDERS])
        return shutil.which(self.name, path=folders)

    def prepare(self, entrance: Entrance, folder: Path) -> Program:
        """Write the proxy's file into a folder and check it; return the command that runs it there.

        Caddy keeps its certificates in the folder. Raises ConfigError if the proxy is not installed
        or rejects the file.
        """
        path, variables = (
            self.path(),
            {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        )
        if path is None:
            how = _HOW.format(self.name, self.name)
            raise ConfigError(f"--proxy = {self.name}: not installed: {how}")
        write_whole(folder / self.file, self.write(entrance))
        checked = subprocess.run(  # noqa: S603  a fixed command
            [path, *self._arguments(self.check, folder)],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        if checked.returncode:
            message = " ".join(checked.stderr.split())
            raise ConfigError(f"{self.name} rejects {folder / self.file}: {message}")
        return Program([path, *self._arguments(self.run, folder)], variables)

    def _arguments(self, arguments: tuple[str, ...], folder: Path) -> list[str]:
        return [argument.format(file=folder / self.file, folder=folder) for argument in arguments]


_CADDY = ("--config", "{file}", "--adapter", "caddyfile")
_NGINX = ("-p", "{folder}", "-e", "stderr", "-c", "{file}")
PROXIES = {
    "caddy": Proxy("caddy", "Caddyfile", caddyfile, ("validate", *_CADDY), ("run", *_CADDY)),
    "nginx": Proxy("nginx", "nginx.conf", nginx_conf, ("-t", "-q", *_NGINX), _NGINX),
}
"""Proxies by name; the first installed one is the default."""


def find_proxy(name: str | None) -> Proxy:
    """Return the proxy with this name, by default the first one that is installed. Raises
    ConfigError.
    """
    if name is not None:
        return PROXIES[name]
    for proxy in PROXIES.values():
        if proxy.path() is not None:
            return proxy
    raise ConfigError(
        "several servers need a proxy in front, and neither Caddy nor nginx is installed: "
        f"{_HOW.format('caddy', 'caddy')}; for other systems, see https://caddyserver.com"
    )
