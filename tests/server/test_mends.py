"""A single visible call changes oTree, and nothing else does."""

from __future__ import annotations

import json

import pytest

from tests.server.fresh import python
from tests.server.inside import inside
from tests.server.mended import CHANGED

__all__ = ["inside"]  # a fixture

BEFORE = """
import importlib, inspect, os, pkgutil, sys
os.environ["OTREE_IN_MEMORY"] = "1"
for name in ("live", "tasks", "session", "middleware", "database", "views.cbv", "views.abstract",
             "views.admin", "views.demo", "views.export", "views.participant", "views.rest",
             "views.mturk", "views.room", "room", "channels.consumers", "channels.utils",
             "channels.routing", "export", "models", "cli.prodserver1of2", "templating.template"):
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
from mixed_company import server
for module in pkgutil.walk_packages(server.__path__, "mixed_company.server."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def ran(code: str) -> list[str]:
    """Return the lines that a fresh Python prints in the project folder."""
    done = python("-c", code)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return done.stdout.decode().splitlines()


CALLS = """
import json
from mixed_company.server import mends
states = [before, state()]
for _ in range(2):
    mends.install()
    states.append(state())
print(json.dumps([changed(one, next) for one, next in zip(states, states[1:])]))
"""


DEAF = """
import asyncio, os
os.environ["OTREE_IN_MEMORY"] = "1"
from otree.channels import consumers, utils

sent = asyncio.Event()

class Deaf:
    async def send_text(self, text):
        sent.set()
        await asyncio.Event().wait()

async def fault(**_):
    raise RuntimeError("a live method at fault")

async def answered():
    consumer = consumers.LiveConsumer.__new__(consumers.LiveConsumer)
    consumer.groups = ["page"]
    async with consumers.lock2:
        answering = asyncio.create_task(consumer.post_receive_json({}, "code", "Play"))
        await asyncio.wait_for(sent.wait(), 60)
        for _ in range(100):
            await asyncio.sleep(0)
        return "the lock is free" if answering.done() else "the lock is held"

consumers.live_payload_function = fault
consumers.LiveConsumer.browser_bot_exists = lambda *_: False
utils.channel_layer.add("page", Deaf())
print(asyncio.run(answered()))
"""


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """Return the lines that a process prints before and after it responds to a page that stopped
    reading."""
    return ran(BEFORE + IMPORTS + CALLS + DEAF)


@pytest.fixture(scope="module")
def changes(printed: list[str]) -> list[list[str]]:
    """Return the parts of oTree that change when the server is imported, on the call, and on a
    second call."""
    lists: list[list[str]] = json.loads(printed[-2])
    return lists


def test_importing_every_module_of_the_server_does_not_change_otree(changes):
    assert changes[0] == []


def test_the_call_changes_what_it_lists_and_a_second_one_changes_nothing(changes):
    assert changes[2] == []
    assert set(changes[1]) == CHANGED


def test_every_process_of_otree_makes_the_call_when_it_starts(inside):
    """The web server and the timeout worker start as this process did (`otree.main.setup`)."""
    from otree import asgi, tasks

    assert asgi.reverse("RESTExportArchive") == "/api/export_archive"
    assert tasks.post.__module__ == "mixed_company.server.mends.database"


@pytest.mark.long
def test_the_timeout_worker_makes_the_call_when_it_starts():
    code = "import os\nos.environ['OTREE_IN_MEMORY'] = '1'\nimport otree.main\notree.main.setup()\n"
    code += "from otree.cli import timeoutsubprocess\nimport otree.tasks\n"
    code += "print(otree.tasks.post.__module__)"
    assert ran(code) == ["mixed_company.server.mends.database"]


def test_a_faulty_live_method_whose_answer_nobody_reads_blocks_nobody(printed):
    """Guard against one such page blocking everyone else, as in unchanged oTree."""
    assert printed[-1] == "the lock is free"


@pytest.mark.long
def test_in_unchanged_otree_such_a_live_method_blocks_everybody():
    assert ran(DEAF) == ["the lock is held"]
