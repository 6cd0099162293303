"""The routing table as a file for nginx (https://nginx.org).

nginx does not wait for a server that is being started again: it answers with a page that tries
again by itself. Bodies are kept in memory, so the workers need no folder of their own.
"""

from __future__ import annotations

from mixed_company.server.fleet.addresses import FIRST
from mixed_company.server.fleet.entrance import STARTING, Entrance

__all__ = ["nginx_conf"]

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

    # the last letter of a session's code says which server has it
    map $request_uri $server {
RULES
        default FIRST;
    }
    # a proxy in front of this one that is trusted knows the sender's address
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
    """Return the file for an entrance."""
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
    everybody = "0.0.0.0/0" in entrance.networks  # which is nginx's default, and may stand once
    return "\n".join(networks if everybody else [*networks, f"{'':8}default 0;"])


def _address(host: str, port: int) -> str:
    if ":" in host:
        return f"[{host}]:{port} ipv6only={'off' if host == '::' else 'on'}"
    return f"{host}:{port}"
