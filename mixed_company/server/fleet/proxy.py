"""Proxy in front of several servers: Caddy or nginx, whichever is installed.

proxy = find_proxy(None)                    # Caddy, if both are installed
program = proxy.prepare(entrance, folder)   # writes its file and checks it
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
from mixed_company.server.fleet.entrance import Entrance
from mixed_company.server.fleet.proxy_files import caddyfile, nginx_conf

_MORE_FOLDERS = ("/usr/sbin", "/usr/local/sbin")
"""Folders in which Debian installs nginx; they are not on every user's PATH."""

_HOW = "apt-get install {} (Debian, Ubuntu), then `systemctl disable --now {}`"


class Program(NamedTuple):
    """Command, with the environment variables that it needs besides the project's."""

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
            raise ConfigError(f"--proxy = {self.name}: is not installed: {how}")
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
