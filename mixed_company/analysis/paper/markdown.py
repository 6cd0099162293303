"""Escape texts from researchers and manifests, so that Markdown shows them as they were written."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"[\\`*\[\]<>~$|]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
"""Characters that begin or end formatting, links, HTML or formulas. Within a word, `_` does not."""


def plain(text: object) -> str:
    r"""Return the text on one line, with all Markdown syntax escaped.

    >>> plain("# Results\n\n**all** of per_step <b>")
    '\\# Results \\*\\*all\\*\\* of per_step \\<b\\>'
    >>> plain("1. first"), plain("2.5 points")
    ('1\\. first', '2.5 points')
    """
    line = _SIGNS.sub(r"\\\g<0>", " ".join(str(text).split()))
    numbered = re.sub(r"^(\d+)([.)])(?= |$)", r"\1\\\2", line)
    return re.sub(r"^(?=[#+=-])", r"\\", numbered)
