"""The addresses that a proxy connects: where people come in, and where the servers are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mixed_company.server.fleet.addresses import routes
from mixed_company.server.gate.limits import Limits

__all__ = ["PROXIES", "RESTART_SECONDS", "STARTING", "TRUSTED", "Entrance"]

PROXIES = "FORWARDED_ALLOW_IPS"
"""Variable: the addresses of the proxies in front of this one, in place of TRUSTED."""

TRUSTED = "127.0.0.1,::1"
"""A proxy on this machine, which has a certificate, say, knows the address of the sender."""

RESTART_SECONDS = 30
"""Maximum time a request waits for a server that is being started again."""

STARTING = "<meta http-equiv=refresh content=2><p>The server is starting again; please wait."
"""The page that is shown instead, with status 503. It asks for the address again by itself."""

_EVERY_ADDRESS = ("127.0.0.1", "localhost", "0.0.0.0", "::")  # noqa: S104  127.0.0.1 is one of each


@dataclass(frozen=True)
class Entrance:
    """One address in front of several servers on this machine.

    host, port   where people come in
    ports        the servers' ports, in the order of their numbers
    body_bytes   maximum size of a request's body
    trusted      addresses of proxies that are believed about the sender, with commas; `*`: all
    site         a public name that Caddy gets a certificate for; None: none
    """

    host: str
    port: int
    ports: Sequence[int]
    body_bytes: int = Limits.body_bytes
    trusted: str = TRUSTED
    site: str | None = None

    @property
    def url(self) -> str:
        """The address that people come to."""
        return f"https://{self.site}" if self.site else f"http://{self.host}:{self.port}"

    @property
    def hosts(self) -> list[str]:
        """The addresses to listen at: the timeout worker comes in at 127.0.0.1."""
        return [self.host] if self.host in _EVERY_ADDRESS else [self.host, "127.0.0.1"]

    @property
    def networks(self) -> list[str]:
        """The trusted addresses, one by one."""
        if "*" in self.trusted:
            return ["0.0.0.0/0", "::/0"]
        return [address.strip() for address in self.trusted.split(",") if address.strip()]

    @property
    def rules(self) -> list[tuple[str, str]]:
        """Pattern and address of a server, in order: `server.fleet.addresses`."""
        return [(pattern, self.server(number)) for pattern, number in routes(len(self.ports))]

    def server(self, number: int) -> str:
        """Return the address of a server, from 0."""
        return f"127.0.0.1:{self.ports[number]}"
