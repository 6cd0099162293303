"""Fenced blocks in the documents, and the comments that say how a test runs them.

A comment on the line before a block marks it. Rendered pages do not show it.

    <!-- excerpt: REASON -->    is not run; the reason must have at least three words
    <!-- run by FILE -->        is run by this test file, which names the document
    <!-- file: PATH -->         is saved as this file, for the blocks that follow
    <!-- output -->             is what the last block that was run printed
    <!-- output: COMMAND -->    is part of what this command prints
    <!-- long -->               is run, with its output, only by `make test-long`

`long` may come before another mark: `<!-- long output: mixed games -->`. A block with neither
language nor mark, directly below another block, is the output of that block unless it begins with a
command.

`<!-- excerpts: REASON -->` marks every later block on the page that has no language as an excerpt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tests.project import ROOT

__all__ = ["Block", "blocks", "wrong_mark"]

PAGE_MARK = "excerpts"
MARKS = ("excerpt", "run by", "file", "output")
COMMANDS = ("export ", "make ", "mixed ")
FEWEST_WORDS = 3
_FENCE = re.compile(r"^( *)(`{3,}) *(.*?) *$")
_MARK = re.compile(r"^ *<!-- ?(.*?) ?-->$")
_PARTS = re.compile(r"(long\b)? ?(run by|\w*):? ?(.*)")


@dataclass(frozen=True)
class Block:
    """Fenced block: its place, language, text, and the parts of its mark, if it has one."""

    document: str
    line: int
    language: str
    text: str
    is_long: bool = False
    mark: str = ""
    value: str = ""
    follows: bool = False
    """True if only empty lines separate this block from the previous one."""

    @property
    def is_run(self) -> bool:
        """True unless the mark tells `test_blocks.py` to skip the block."""
        return self.mark not in ("excerpt", "run by")

    @property
    def is_output(self) -> bool:
        """True if the text is the output of a command or of the block before."""
        if self.mark or self.language not in ("", "text"):
            return self.mark == "output"
        return self.follows and not self.text.startswith(COMMANDS)

    @property
    def place(self) -> str:
        """Document and line, as in `docs/plans.md:22`."""
        return f"{self.document}:{self.line}"


def blocks(document: str, text: str | None = None) -> list[Block]:
    """Return the blocks of a document, or of `text` instead of its content."""
    lines = ((ROOT / document).read_text("utf-8") if text is None else text).splitlines()
    result, reason = list[Block](), ""
    for start, end in _spans(lines):
        (indent, _, language), above = _fence(lines[start]), lines[start - 1] if start else ""
        inside = "".join(f"{line.removeprefix(indent)}\n" for line in lines[start + 1 : end])
        block = Block(document, start + 1, language, inside, *_marked(above))
        last = result[-1].line + result[-1].text.count("\n") + 1 if result else 0
        between = lines[last:start]
        reason = next(_page_reasons(between), reason)
        if reason and not (block.mark or language):
            block = replace(block, mark="excerpt", value=reason)
        block = replace(block, follows=bool(result) and not any(between))
        if block.is_output and not block.value and result:
            block = replace(block, is_long=result[-1].is_long)
        result.append(block)
    return result


def wrong_mark(block: Block, texts: Mapping[str, str]) -> str | None:
    """Return what is wrong with a block's mark, or None. `texts` maps test files to their
    source."""
    if block.mark not in ("", *MARKS):
        return f"{block.place}: the mark {block.mark} is unknown"
    if block.mark == "excerpt" and len(block.value.split()) < FEWEST_WORDS:
        return f"{block.place}: an excerpt needs a reason of {FEWEST_WORDS} words"
    if block.mark == "run by" and block.document.rpartition("/")[2] not in texts.get(
        block.value, ""
    ):
        return f"{block.place}: {block.value} does not name this document"
    if block.mark == "file" and not block.value:
        return f"{block.place}: the file needs a path"
    return None


def _spans(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the indices of the first and the last line of each block."""
    start = None
    for index, line in enumerate(lines):
        if start is None and _FENCE.match(line):
            start = index
        elif start is not None and line.strip() == _fence(lines[start])[1]:
            yield start, index
            start = None
    if start is not None:
        raise ValueError(f"line {start + 1}: the block has no end")


def _fence(line: str) -> tuple[str, str, str]:
    """Return the indentation, fence and language of the first line of a block."""
    indent, fence, language = re.fullmatch(_FENCE, line).groups()  # type: ignore[union-attr]
    return indent, fence, language


def _marked(line: str) -> tuple[bool, str, str]:
    """Split a mark into whether it is `long`, its kind, and its value. Kind and value may be
    empty."""
    comment = _MARK.match(line)
    mark = _PARTS.fullmatch(comment[1]) if comment else None
    if mark is None or mark[2] == PAGE_MARK:
        return False, "", ""
    return mark[1] is not None, mark[2], mark[3]


def _page_reasons(lines: list[str]) -> Iterator[str]:
    """Yield the reasons that a page gives for making all its blocks excerpts."""
    for line in lines:
        comment = _MARK.match(line)
        if comment and comment[1].startswith(f"{PAGE_MARK}:"):
            yield comment[1].removeprefix(f"{PAGE_MARK}:").strip()
