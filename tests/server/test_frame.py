"""oTree's page frame is as `server.pages.shared` expects, and contains the right text after
changes."""

from __future__ import annotations

from pathlib import Path

import otree

from mixed_company.server.pages.shared import framed

OWN = Path(otree.__file__).parent / "templates" / "otree"


def test_a_page_of_otree_declares_its_language_and_its_form_is_not_a_landmark():
    before = (OWN / "Base_UserFacing.html").read_text() + (OWN / "Page.html").read_text()
    assert before.count("<html>") == 1
    assert before.count('role="form"') == 1
    after = framed(before, "de")
    assert '<html lang="de">' in after
    assert 'role="form"' not in after
    assert '<form class="otree-form"' in after
