"""Python sources of the project, and the nodes of their syntax trees."""

from __future__ import annotations

import ast

from tests.project import shipped

__all__ = ["nodes", "sources"]


def sources() -> list[str]:
    """Return the paths of the project's Python files."""
    return [path for path in shipped() if path.endswith(".py")]


def nodes(source: str) -> list[ast.AST]:
    """Return all nodes of a source's syntax tree, its module first."""
    return list(ast.walk(ast.parse(source)))
