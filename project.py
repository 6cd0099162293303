"""First module that oTree loads in every process: web server, timeout worker and commands."""

from mixed_company.server import mends

mends.install()
