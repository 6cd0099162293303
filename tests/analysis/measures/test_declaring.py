"""Every measure describes itself, and the tables have exactly the described columns."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from mixed_company import analysis, engine
from mixed_company.__main__ import main
from mixed_company.analysis import measures
from mixed_company.analysis.games import find as analysis_of
from mixed_company.analysis.measures import document
from mixed_company.analysis.measures.declaring import measure
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from tests.project import ROOT

GAMES = engine.game_ids()
KEYS = {
    "group": ["session", "group", "treatment"],
    "person": ["session", "group", "seat", "treatment", "participant", "person"],
    "period": ["session", "group", "period", "treatment"],
}


def small(game):
    return analysis.simulated(game, ["random"], ["random"], groups=2, seed=1, archetype="lab")


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES)
def test_the_tables_have_exactly_the_described_columns(game):
    data, described = small(game), measures.described(game)
    tables = {"group": measures.groups, "person": measures.people, "period": measures.periods}
    for level, table in tables.items():
        frame = table(data)
        rows = described[described["level"] == level]
        assert list(frame.columns) == [*KEYS[level], *rows["measure"]]
        words = rows.loc[rows["measure"] == "type", "measure"].tolist()
        for name in rows["measure"]:
            assert frame[name].dtype == ("str" if name in words else np.float64), name
        assert not frame.duplicated(KEYS[level][:3]).any()


@pytest.mark.parametrize("game", GAMES)
def test_every_measure_has_a_meaning_a_formula_a_source_a_unit_and_a_function(game):
    described = measures.described(game)
    required = ["level", "measure", "unit", "formula", "source", "function", "meaning", "missing"]
    assert (described[required] != "").all(axis=None)
    assert not described[["level", "measure"]].duplicated().any()
    for row in described.itertuples():
        module, _, name = row.function.rpartition(".")
        function = getattr(import_module(module), name)
        assert function.name == row.measure
        assert row.level in function.levels
        assert row.meaning.endswith("."), row.function


def test_every_group_seat_and_period_has_one_row_with_its_treatment():
    data = small("commons_game")
    tables = (measures.groups, measures.people, measures.periods)
    groups, people, periods = (table(data, ["points_per_period"]) for table in tables)
    assert groups["group"].tolist() == [1, 2]
    assert people["seat"].tolist() == [0, 1, 2, 3] * 2
    assert people["person"].tolist() == [True, False, False, False] * 2
    assert people["participant"].tolist()[:2] == ["simulated-1-0", ""]
    assert len(periods) == len(data.periods)
    for table in (groups, people, periods):
        assert set(table["treatment"]) == {"simulated"}


def test_a_measure_called_alone_gives_its_column():
    from mixed_company.analysis.measures.points import gini, points_per_period

    data = small("commons_game")
    assert gini(data).tolist() == measures.groups(data, ["gini"])["gini"].tolist()
    column = points_per_period(data, "person")
    people = measures.people(data, ["points_per_period"])
    assert column.tolist() == people["points_per_period"].tolist()
    assert column.index.names == ["session", "group", "seat"]


def test_a_level_that_a_measure_lacks_is_named():
    from mixed_company.analysis.measures.points import gini, points_per_period

    data = small("commons_game")
    with pytest.raises(ConfigError, match="points_per_period: name a level, one of: group, "):
        points_per_period(data)
    with pytest.raises(UnknownName, match="gini: level = 'grup'; did you mean 'group'"):
        gini(data, "grup")


def test_an_unknown_game_is_named():
    with pytest.raises(UnknownName, match="game = 'comons_game'; did you mean 'commons_game'"):
        measures.described("comons_game")


GOOD = "Means this.\n\n    Formula: x.\n\n    Source: ours.\n    "


def declared(docstring=GOOD, levels=("group",), **changes):
    def made(plays, by):
        return None

    made.__doc__ = docstring
    return measure(*levels, **({"unit": "points"} | changes))(made)


def test_the_description_of_a_measure_is_read_from_its_docstring():
    measure = declared(
        "Means this.\n\n More.\n\n Formula: a +\n  b.\n\n Source: he:\n she.", name="it"
    )
    texts = (measure.name, measure.meaning, measure.formula, measure.missing, measure.source)
    assert texts == ("it", "Means this.", "a + b.", "never", "he: she.")
    assert measure.games == tuple(GAMES)


def test_a_measure_applies_to_the_games_with_the_required_feature():
    measure = declared(games=lambda game: game.sample is None or game.plays == 24)
    assert [game for game in measure.games if analysis_of(game).sample] == ["punishment_vote"]


def test_a_measure_in_a_games_folder_applies_to_that_game():
    of_games = [measure for measure in measures.declared() if ".games." in measure.function]
    assert of_games
    assert all(measure.games == (measure.function.split(".")[3],) for measure in of_games)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"docstring": ""}, "made: its docstring has no meaning; it needs a first line"),
        ({"docstring": "Means.\n\nSource: me."}, "no formula; it needs a paragraph `Formula:`"),
        ({"docstring": "Means.\n\nFormula: x."}, "no source; it needs a paragraph `Source:`"),
        ({"levels": ("grup",)}, "made: level = 'grup'; did you mean 'group'"),
        ({"games": ("gem_mining",)}, "made: games = .*: must be a function of a game's analysis"),
        ({"levels": ()}, "made: a measure needs a level and a unit"),
        ({"unit": ""}, "made: a measure needs a level and a unit"),
        (
            {"whole": True},
            "made: a measure of the whole play needs `Missing: the play has not ended`",
        ),
    ],
)
def test_a_measure_with_an_incomplete_docstring_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        declared(**changes)


def test_a_measure_with_wrong_keys_is_refused():
    def made(plays, by):
        return plays.decisions.groupby("seat")["reward"].mean()

    made.__doc__ = GOOD
    with pytest.raises(
        ConfigError, match=r"made: values indexed by \['seat'\], not \['session', 'group'\]"
    ):
        measure("group", unit="points")(made)(small("commons_game"))


# -- the document ---------------------------------------------------------------------------------


def test_the_document_is_up_to_date():
    written = (ROOT / "docs" / "measures.md").read_text()
    assert written == document(), "mixed measures > docs/measures.md"


def test_the_command_prints_the_measures_of_a_game(capsys):
    assert main(["measures", "gem_mining"]) == 0
    text = capsys.readouterr().out
    assert "### `pareto_distance`" in text
    assert "### `sanctioned`" not in text


def test_the_command_names_a_missing_game(capsys):
    assert main(["measures", "gem_mines"]) == 2
    assert "game = 'gem_mines'; did you mean 'gem_mining'" in capsys.readouterr().err
