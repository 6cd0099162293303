"""The administrator's pages look as the other pages of this project do.

oTree 6.0.15 draws them with Bootstrap as it comes, and says nowhere in which language they are. All
of them grow from one template, whose head ends here with our style sheets; they do what they did.
"""

from __future__ import annotations

from typing import Any

from otree.templating.template import Template

__all__ = ["BASE", "SHEETS", "install"]

BASE = "otree/BaseAdminAll.html"
"""The template that all pages for the administrator grow from."""

SHEETS = ("mixed/tokens.css", "mixed/admin.css")


def install() -> None:
    """Change the template, as it is read."""
    read = Template.__init__

    def styled(template: Any, text: str, *name: str, **more: Any) -> None:
        read(template, _with_sheets(text) if name == (BASE,) else text, *name, **more)

    Template.__init__ = styled


def _with_sheets(text: str) -> str:
    """Last in the head, after the styles of single pages."""
    links = "".join(f"""<link rel="stylesheet" href="{{% static '{one}' %}}">""" for one in SHEETS)
    return text.replace("<html>", '<html lang="en">').replace("</head>", f"{links}</head>")
