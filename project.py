"""What oTree loads first in every process that it starts: web server, timeout worker, commands."""

from server import mends

mends.install()
