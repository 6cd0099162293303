"""oTree's settings: a few choices for all session configs.

The sessions themselves are in each game app's `sessions.py`. Every number in a session can be
changed when the session is created: `table.setup.session_config` lists all keys with the values of
the archetype, and rejects unknown ones.
"""

from os import environ

from mixed_company.server import secret_key
from mixed_company.server.sessions import session_configs

# To use your own trained policies (see bots/trained for their files), add
#
#     from mixed_company import policies
#     policies.look_in("my_policies")
#
# before SESSION_CONFIGS. Any errors in them are reported here, when the server starts.

SESSION_CONFIGS = session_configs()

SESSION_CONFIG_DEFAULTS = {
    "real_world_currency_per_point": 0.10,
    "participation_fee": 2.00,
    "doc": "",
}

PARTICIPANT_FIELDS: list[str] = []
SESSION_FIELDS: list[str] = []

ROOMS = [{"name": "lab", "display_name": "Laboratory"}]

LANGUAGE_CODE = "en"
REAL_WORLD_CURRENCY_CODE = "EUR"
USE_POINTS = True
POINTS_DECIMAL_PLACES = 2

ADMIN_USERNAME = "admin"
ADMIN_PASSWORD = environ.get("OTREE_ADMIN_PASSWORD")
SECRET_KEY = environ.get("OTREE_SECRET_KEY", secret_key.PUBLISHED)

# License of the data, such as CC-BY-4.0, and how to cite the data. Both are written to all exports
# of this server, including those of the admin's links.
DATA_LICENSE = environ.get("MIXED_DATA_LICENSE", "")
DATA_CITATION = environ.get("MIXED_DATA_CITATION", "")

DEMO_PAGE_INTRO_HTML = """
<p>Behavioural games for people and bots in mixed company. Choose a session, open its links in
one window per person, and play.</p>
"""
