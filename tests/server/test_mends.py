"""oTree is changed by one visible call, and by nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

BEFORE = """
import importlib, inspect, os, pkgutil, sys
os.environ["OTREE_IN_MEMORY"] = "1"
for name in ("live", "tasks", "session", "middleware", "database", "views.cbv", "views.abstract",
             "channels.consumers", "channels.utils", "channels.routing", "export", "models"):
    importlib.import_module(f"otree.{name}")
known = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "otree"}

def state():
    '''Everything by its name: what stands in oTree's modules and in their classes.'''
    everything = {}
    for place, module in known.items():
        for name, value in vars(module).items():
            if inspect.ismodule(value) or name.startswith("__"):
                continue
            everything[f"{place}.{name}"] = (id(value), size(value))
            if inspect.isclass(value) and value.__module__ == place:
                for own, inner in vars(value).items():
                    if not own.startswith("_sa_") and own != "__abstractmethods__":
                        everything[f"{place}.{name}.{own}"] = (id(inner), size(inner))
    return everything

def size(value):
    return len(value) if type(value) in (dict, list, set) else None

def changed(before, after):
    return sorted(name for name in before | after if before.get(name) != after.get(name))

before = state()
"""

IMPORTS = """
import server
for module in pkgutil.walk_packages(server.__path__, "server."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def ran(code: str) -> list[str]:
    """The lines that a fresh Python prints, in the folder of the project."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_importing_every_module_of_the_server_changes_nothing_of_otree():
    assert ran(f"{BEFORE}{IMPORTS}\nprint(*changed(before, state()), sep='\\n')") in ([], [""])


def test_the_call_changes_what_it_says_and_a_second_one_nothing_more():
    code = f"{BEFORE}{IMPORTS}\nfrom server import mends\nmends.install()\nonce = state()\n"
    code += "mends.install()\nassert once == state()\nprint(*changed(before, once), sep='\\n')"
    assert set(ran(code)) == {
        "otree.channels.consumers.LiveConsumer.browser_bot_exists",
        "otree.channels.consumers.LiveConsumer.decode",
        "otree.channels.consumers.LiveConsumer.on_receive",
        "otree.channels.routing.websocket_routes",
        "otree.channels.utils.ChannelLayer.send",
        "otree.live._live_send_back",
        "otree.middleware._get_paths_without_lock",
        "otree.session.run_creating_session_functions",
        "otree.tasks.post",
        "otree.views.cbv.AdminView.get_template_name",
    }


@pytest.mark.parametrize("command", ["web server", "timeout worker"])
def test_every_process_of_otree_makes_the_call_when_it_starts(command):
    code = "import os\nos.environ['OTREE_IN_MEMORY'] = '1'\nimport otree.main\notree.main.setup()\n"
    if command == "web server":
        code += "from otree import asgi\nprint(asgi.reverse('RESTExportArchive'))"
        assert ran(code) == ["/api/export_archive"]
    else:
        code += "from otree.cli import timeoutsubprocess\nimport otree.tasks\n"
        code += "print(otree.tasks.post.__module__)"
        assert ran(code) == ["server.mends.database"]
