"""Pages for people who find no free place, come too late or use another person's link."""

from __future__ import annotations

import pytest

from mixed_company.server.open import door
from mixed_company.server.pages import texts
from mixed_company.table.options import Options
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture

GERMAN = Options(language="de")
LINK = "https://panel.org/?cc=FULL&who={PROLIFIC_PID}"


def test_a_person_without_a_place_gets_the_link_of_the_session_if_there_is_one(inside):
    linked = Options(completion_links={"full": LINK, "finished": "https://panel.org/done"})
    page = door.full_page(linked, {"PROLIFIC_PID": "p 1"})
    assert page.status_code == door.NO_PLACE
    text = page.body.decode()
    assert texts.full()["title"] in text
    assert "https://panel.org/?cc=FULL&amp;who=p%201" in text
    for options in (None, Options(), Options(completion_links={"finished": "https://panel.org"})):
        plain = door.full_page(options, {}).body.decode()
        assert texts.full()["title"] in plain
        assert 'href="http' not in plain
        assert "mc-button" not in plain


@pytest.mark.parametrize("options", [None, Options(), GERMAN])
def test_each_page_is_written_in_the_language_of_its_session(inside, options):
    language = "en" if options is None else options.language
    for page in (
        door.full_page(options, {}),
        door.shut_page(options),
        door.elsewhere_page(options),
    ):
        assert f'<html lang="{language}"' in page.body.decode()
    assert door.shut_page(options).status_code == door.NO_PLACE
    assert door.elsewhere_page(options).status_code == door.FORBIDDEN
