"""Tests that docstrings begin as readers expect: functions with a verb, everything else with a
noun.

ruff (D401) finds verbs that are not in the imperative. It cannot detect a docstring that begins
with a noun, an article or a relative clause, but these tests do.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest

from tests.sources import nodes

_VERBS = """
Accept Act Add Adopt Advance Allocate Allow Answer Append Apply Archive Ask Assign Audit
Average Backdate Begin Block Bring Build Call Cancel Carry Cause Change Charge Check
Choose Close Collect Come Commit Compare Compute Confirm Connect Continue Convert Copy
Count Create Credit Cut Decide Declare Decode Delay Delete Describe Discard Discount Divide Draw
Drop Dump Echo Enable End Estimate Evaluate Exclude Execute Exempt Expect Explain Export
Extend Fail Fill Find Fit Flag Follow Forget Form Format Free Generate Give Go Group
Handle Hash Have Hide Hold Ignore Import Interrupt Join Judge Keep Kill Label Leave Let
Lift Limit Link List Load Lock Log Look Lose Lower Make Map Mark Measure Mention Merge
Mount Move Name Navigate Note Number Offer Open Order Parse Pass Patch Pause Pay Perform
Permute Place Plan Plant Play Post Practice Press Preview Print Process Provide Punish
Put Query Queue Raise Read Rebuild Recompute Reconnect Record Refuse Rehearse Reject
Release Reload Remember Remove Renumber Repeat Replace Replay Report Request Reset Reshape
Respond Restart Restore Return Ring Round Run Save Scale Schedule Score Search Seat Send Serve
Set Settle Shade Share Shift Shorten Show Signal Simulate Skip Sleep Solve Sort Split
Stand Start Step Stop Store Submit Subtract Sum Suppress Suspend Swap Switch Take Tap Teach
Test Train Transform Try Turn Update Use Vote Wait Warn Wrap Write Yield Zero
"""
VERBS = set(_VERBS.split())
"""Verbs that can begin a function's docstring. Add the one you need, if it is a verb."""

_HEADLESS = """
What Who Whoever Whose Whom So That How Which Where When Whether Why Whatever Does Is Has Are
Can Do Did May Was Were Had Must Nobody Nothing It They
"""
HEADLESS = set(_HEADLESS.split())
"""Words that must not begin a docstring, because a headless clause or a question would follow."""

NOUNS = {
    "property",
    "cached_property",
    "measure",
    "_of_answers",
    "_of_cooperation",
    "_of_points",
    "_points_of_some",
    "_cooperation_of_some",
}
"""Decorators of functions that are values. Their docstrings begin with a noun."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def decorators(function: Function) -> Iterator[str]:
    """Yield the last names of a function's decorators."""
    for decorator in function.decorator_list:
        node = decorator.func if isinstance(decorator, ast.Call) else decorator
        yield node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def docstrings(tree: Iterable[ast.AST]) -> Iterator[tuple[int, str, bool]]:
    """Yield each docstring of a module: its line, its text, and whether it must begin with a verb.

    The text after an assignment is the docstring of the value.
    """
    for node in tree:
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        if isinstance(node, Function | ast.ClassDef | ast.Module) and ast.get_docstring(node):
            verb = isinstance(node, Function) and not (
                node.name.startswith("test") or NOUNS & set(decorators(node))
            )
            yield getattr(node, "lineno", 1), ast.get_docstring(node) or "", verb
        for value, text in pairwise(body):
            if isinstance(value, ast.Assign | ast.AnnAssign) and isinstance(text, ast.Expr):
                constant = text.value.value if isinstance(text.value, ast.Constant) else None
                if isinstance(constant, str):
                    yield text.lineno, constant, False


def faults(tree: Iterable[ast.AST]) -> list[str]:
    """Return a module's docstrings that begin differently, each with its line."""
    listed = []
    for line, text, verb in docstrings(tree):
        paragraph = text.strip().partition("\n\n")[0]
        [first] = re.findall(r"\w+", paragraph)[:1] or [""]
        if first in HEADLESS or paragraph.endswith("?"):
            listed.append(
                f"line {line}: begins without a noun or a verb, or asks: {paragraph[:60]}"
            )
        elif verb and first not in VERBS:
            listed.append(f"line {line}: begins with no verb of VERBS: {paragraph[:60]}")
    return listed


@pytest.mark.parametrize(
    "source",
    [
        'def f():\n    """What is refused."""',
        'def f():\n    """Has it ended?"""',
        'def f():\n    """Return it. Has it ended?"""',
        'def f():\n    """The harvest of a seat."""',
        'def f():\n    """Harvest of a seat."""',
        'def f():\n    """Returns the harvest."""',
        'class C:\n    async def f(self):\n        """A seat."""',
        'class C:\n    """Who has a seat."""',
        'class C:\n    @property\n    def f(self):\n        """Whether it has ended."""',
        '"""How seats are given."""',
        'SEATS = 4\n"""So many seats there are."""',
        'class C:\n    seats: int\n    """Which seats."""',
    ],
)
def test_a_docstring_that_begins_otherwise_is_found(source: str) -> None:
    assert len(faults(nodes(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        'def f():\n    """Return the harvest of a seat."""',
        'class C:\n    @property\n    def f(self):\n        """Its number."""',
        '@measure("group")\ndef f():\n    """Mean harvest of a seat."""',
        'def test_f():\n    """Two seats take 4 each."""',
        'def f():\n    "x"\n    SEATS = 4\n    """Number of seats."""'.replace(
            '"x"', '"""Use it."""'
        ),
    ],
)
def test_other_docstrings_are_left_alone(source: str) -> None:
    assert faults(nodes(source)) == []
