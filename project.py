"""What oTree loads first in every process that it starts: web server, timeout worker, commands."""

from mixed_company.server import mends

mends.install()
