"""Mutations: the small changes that a fault makes to a piece of code, similar to human mistakes.

A comparison or a sign is wrong, or a number is off by one; a condition is negated; a statement or a
keyword argument is missing; a result is not returned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

COMPARED: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
RECKONED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
JOINED: dict[type, type] = {ast.And: ast.Or, ast.Or: ast.And}
_PAIRS = (
    *(("min", "max"), ("any", "all"), ("minimum", "maximum"), ("floor", "ceil")),
    *(("argmin", "argmax"), ("zeros", "ones"), ("zeros_like", "ones_like")),
)
CALLED = dict((*_PAIRS, *((second, first) for first, second in _PAIRS)))
HARMLESS = ("strict", "meaning")
"""Arguments that only check the caller, or that hold text for people."""


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every mutation of a node."""
    for kind, change in CHANGES:
        if isinstance(node, kind):
            for other in change(node):
                yield ast.fix_missing_locations(ast.copy_location(other, node))


def _with(node: Any, **parts: Any) -> Any:
    other = copy(node)
    for name, part in parts.items():
        setattr(other, name, part)
    return other


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for index, operator in enumerate(node.ops):
        ops = [*node.ops]
        ops[index] = COMPARED[type(operator)]()
        yield _with(node, ops=ops)


def _reckon(node: ast.BinOp | ast.AugAssign) -> Iterator[ast.AST]:
    if type(node.op) in RECKONED:
        yield _with(node, op=RECKONED[type(node.op)]())


def _join(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield _with(node, op=JOINED[type(node.op)]())


def _unsign(node: ast.UnaryOp) -> Iterator[ast.AST]:
    yield copy(node.operand)


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
    elif isinstance(value, str) and " " not in value:  # strings with spaces are for people
        yield ast.Constant(f"XX{value}")


def _condition(node: ast.If | ast.While | ast.IfExp) -> Iterator[ast.AST]:
    if not isinstance(node.test, ast.Compare | ast.UnaryOp):  # those have mutations of their own
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _filter(node: ast.comprehension) -> Iterator[ast.AST]:
    for index, test in enumerate(node.ifs):
        if not isinstance(test, ast.Compare | ast.UnaryOp):
            ifs = [*node.ifs]
            ifs[index] = ast.UnaryOp(ast.Not(), test)
            yield _with(node, ifs=ifs)


def _loop(node: ast.For) -> Iterator[ast.AST]:
    yield _with(node, iter=ast.Tuple([], ast.Load()))


def _result(node: ast.Return) -> Iterator[ast.AST]:
    if not (node.value is None or (isinstance(node.value, ast.Constant) and not node.value.value)):
        yield ast.Return(ast.Constant(None))


def _statement(node: ast.stmt) -> Iterator[ast.AST]:
    yield ast.Pass()


def _assignment(node: ast.Assign | ast.AnnAssign) -> Iterator[ast.AST]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if any(isinstance(target, ast.Attribute | ast.Subscript) for target in targets):
        yield ast.Pass()


def _leap(node: ast.Break | ast.Continue) -> Iterator[ast.AST]:
    yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def _call(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLED:
        yield _with(node, func=_with(node.func, id=CALLED[node.func.id]))
    if isinstance(node.func, ast.Attribute) and node.func.attr in CALLED:
        yield _with(node, func=_with(node.func, attr=CALLED[node.func.attr]))
    for index, keyword in enumerate(node.keywords):
        if keyword.arg and keyword.arg not in HARMLESS:
            keywords = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield _with(node, keywords=keywords)


CHANGES: tuple[tuple[Any, Callable[[Any], Iterator[ast.AST]]], ...] = (
    (ast.Compare, _compare),
    (ast.BinOp | ast.AugAssign, _reckon),
    (ast.BoolOp, _join),
    (ast.UnaryOp, _unsign),
    (ast.Constant, _constant),
    (ast.If | ast.While | ast.IfExp, _condition),
    (ast.comprehension, _filter),
    (ast.For, _loop),
    (ast.Return, _result),
    (ast.Expr | ast.AugAssign | ast.Raise | ast.Delete, _statement),
    (ast.Assign | ast.AnnAssign, _assignment),
    (ast.Break | ast.Continue, _leap),
    (ast.Call, _call),
)
