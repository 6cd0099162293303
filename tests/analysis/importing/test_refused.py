"""Invalid tables and maps are rejected with a sentence that names the key, value and rule."""

from __future__ import annotations

import pytest

from mixed_company.engine.contract.errors import EngineError
from tests.analysis.importing.tables import MAP, STRANGERS, STRANGERS_MAP, TABLE, done

X_ONLY = TABLE
for profit in ("15", "35", "32.5", "22.5"):
    X_ONLY = X_ONLY.replace(f",{profit}\n", ",x\n")
TREATED = MAP.replace('person = "person"', 'person = "person"\ntreatment = "profit"')
THREE = "group,period,person,give\n1,1,a,1\n1,1,b,2\n1,1,c,3\n2,1,d,1\n2,1,e,2\n"

FAULTS = {
    "unknown column": (
        TABLE,
        MAP.replace('"give"', '"gives"'),
        "actions.contribution = 'gives': the table has no such column; did you mean 'give'?",
    ),
    "unknown key": (
        TABLE,
        MAP.replace("period =", "periods ="),
        "columns.periods = 'period': unknown key; did you mean 'period'?",
    ),
    "no columns": (TABLE, MAP.partition("[columns]")[0], "columns: is missing"),
    "no source": (TABLE, MAP.replace("source", "# source"), "source: is missing"),
    "unknown game": (TABLE, MAP.replace("sanctions", "sanction"), "did you mean 'sanctions'?"),
    "unknown parameter": (
        TABLE,
        MAP.replace("mpcr", "mcpr"),
        "config (treatment 'imported'): core.mcpr",
    ),
    "unknown action": (
        TABLE,
        MAP.replace("contribution", "contributions"),
        "actions.contributions: not an action of sanctions with this configuration; did you "
        "mean 'contribution'?",
    ),
    "missing action": (
        TABLE,
        MAP.replace("mpcr = 0.75", 'mpcr = 0.75\npeer = "punishment"'),
        "actions.assign: is missing; name its column, or a number that is the same in every row",
    ),
    "no group": (
        TABLE,
        MAP.replace('group = "group"', ""),
        "group, partner: name exactly one of them",
    ),
    "nobody": (
        TABLE,
        MAP.replace('person = "person"', ""),
        "person, seat: name at least one of them",
    ),
    "two translations": (
        TABLE,
        MAP.replace('"give"', '{ column = "give", scale = 2, values = { 1 = 2 } }'),
        "values: cannot be combined with scale or offset",
    ),
    "unlisted value": (
        TABLE,
        MAP.replace('"give"', '{ column = "give", values = { 20 = 20, 0 = 0 } }'),
        "actions.contribution.values.'10': in column 'give', but not in the map",
    ),
    "empty table": ("group,period,person,give\n", MAP, "no rows below the header"),
    "no table": ("", MAP, "no rows below the header"),
    "no number": (
        TABLE.replace(",10,", ",ten,"),
        MAP,
        "actions.contribution = 'give': should be a number; line 4: 'ten'",
    ),
    "empty cell": (
        TABLE.replace(",10,", ",,"),
        MAP,
        "actions.contribution = 'give': should be a number; line 4: ''",
    ),
    "infinity": (TABLE.replace(",10,", ",inf,"), MAP, "should be a number; line 4: 'inf'"),
    "half a period": (
        TABLE.replace("1,2,", "1,1.5,"),
        MAP,
        "columns.period = 'period': should be a whole number; line 4: '1.5', line 5: '1.5'",
    ),
    "above the range": (
        TABLE.replace(",10,", ",21,"),
        MAP,
        "line 4: actions.contribution = 21: should be from 0 to 20 under this configuration",
    ),
    "below the range": (TABLE.replace(",10,", ",-1,"), MAP, "contribution = -1: should be from 0"),
    "off the grid": (
        TABLE.replace(",10,", ",7,"),
        MAP.replace('"give"', '{ column = "give", step = 5 }'),
        "actions.contribution: should be a multiple of step = 5; line 4: 7.0",
    ),
    "gap": (
        TABLE.replace("1,2,", "1,3,"),
        MAP,
        "group '1' of session 'session': columns.period: there is a row in period 3, but none in "
        "period 2; no period should be left out",
    ),
    "doubled": (
        TABLE + "1,2,b,20,1\n",
        MAP,
        "line 6: person 'b' of session 'session': two rows in period 2; the other is on line 5",
    ),
    "sizes": (THREE, MAP, ": 2 people, but group '1' of session 'session' has 3; all groups"),
    "alone": (
        "group,period,person,give\n1,1,a,1\n2,1,b,1\n",
        MAP,
        "group '1' of session 'session': only one person, but a group needs two or more",
    ),
    "changing group": (
        TABLE.replace("1,2,b,20,22.5", "1,2,c,20,22.5"),
        MAP,
        ": a, c in period 2, but a, b in period 1",
    ),
    "smaller group": (
        TABLE.replace("1,2,b,20,22.5\n", ""),
        MAP,
        ": a in period 2, but a, b in period 1",
    ),
    "two groups": (
        TABLE + "2,1,c,1,1\n2,1,d,1,1\n2,2,c,1,1\n2,2,a,1,1\n".replace("2,2,a", "2,3,a"),
        MAP,
        "person 'a' of session 'session': in group '2' here, but in group '1' on line 2; set ",
    ),
    "fewer periods": (
        TABLE + "2,1,c,1,1\n2,1,d,1,1\n",
        MAP,
        "'session': in the table, it ends after 1 of 2 periods, but under this "
        "configuration it would continue",
    ),
    "changing treatment": (
        TABLE,
        TREATED,
        "columns.treatment is '15' on line 2, but '35' on line 3; a play has only one treatment",
    ),
    "treatment without groups": (
        X_ONLY,
        TREATED + "[treatments.x]\n[treatments.y]\n",
        "treatments.y: no row of the table has this treatment; one of: x",
    ),
    "unnamed treatment": (
        X_ONLY,
        TREATED + "[treatments.xx]\n",
        "treatments.xx: no row of the table has this treatment",
    ),
    "another size": (
        TABLE,
        MAP.replace("mpcr", "seats = 4\nmpcr"),
        "config.seats = 4: in treatment 'imported', the table has 2 people per group",
    ),
    "formula": (
        TABLE.replace("1,1,a,", '1,1,"=1+1",'),
        MAP,
        "should be a name of at most 40 characters that is not a formula; line 2: '=1+1'",
    ),
    "ragged": (TABLE + "1,2\n", MAP, "line 6: 2 cells, but the header has 5"),
    "column twice": (TABLE.replace("profit", "give"), MAP, "column 'give': appears twice"),
    "columns for one number": (
        TABLE,
        MAP.replace('"give"', '{ columns = ["give"] }'),
        "actions.contribution: needs one `column`",
    ),
    "strangers without people": (
        STRANGERS,
        STRANGERS_MAP.replace('person = "id"', 'seat = "id"').replace(
            'partner = "other"', 'group = "other"'
        ),
        "matching = 'strangers': name columns.person too, to follow each person",
    ),
    "partner of another": (
        STRANGERS.replace("s,2,a,c,15", "s,2,a,b,15"),
        STRANGERS_MAP,
        "line 6: columns.partner = 'b': this person's partner on line 8 is 'd', not 'a'",
    ),
    "unknown partner": (
        STRANGERS.replace("s,1,a,b", "s,1,a,bb"),
        STRANGERS_MAP,
        "line 2: columns.partner = 'bb': no row in period 1 of session 's'; did you mean 'b'?",
    ),
    "a stranger's gap": (
        STRANGERS.replace("s,2,b,d,5\ns,2,d,b,20\n", "s,3,b,d,5\ns,3,d,b,20\n"),
        STRANGERS_MAP,
        "'b' of session 's': columns.period: there is a row in period 3, but none in period 2",
    ),
    "a stranger who stops": (
        STRANGERS.replace("s,2,b,d,5\ns,2,d,b,20\n", ""),
        STRANGERS_MAP,
        "person 'b' of session 's': columns.period: no row in period 2, but the session has 2",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_refused_is_named(tmp_path, fault):
    table, described, sentence = FAULTS[fault]
    with pytest.raises(EngineError) as refused:
        done(tmp_path, table, described)
    assert sentence in str(refused.value)
