"""Each treatment keeps its name and its place in the order, whatever the session codes and row
order."""

from __future__ import annotations

import io
import json
from dataclasses import fields, replace

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis import measures, report
from mixed_company.analysis import statistics as st
from mixed_company.analysis.data import Data
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from tests.analysis.report.made import undrawn


def recoded(data: Data, code: str) -> Data:
    """Return the same data with a different session code."""
    frames = {field.name: getattr(data, field.name) for field in fields(data)}
    return replace(
        data,
        **{
            name: frame.assign(session=pd.Series(code, frame.index, dtype="str"))
            for name, frame in frames.items()
            if isinstance(frame, pd.DataFrame)
        },
    )


def session(code: str, config: str = "lab", **changes) -> Data:
    options = {"groups": 3, "archetype": "lab", "periods": 3, "seed": 1, "treatment": config}
    return recoded(
        analysis.simulated("commons_game", ["noisy_person"] * 4, **options | changes), code
    )


def two(first: str, other: str) -> Data:
    """Return the same session config with slow and with fast growth."""
    return analysis.joined(session(first, growth_rate=0.3), session(other, growth_rate=0.5, seed=2))


SLOW, FAST = "lab, growth_rate=0.3", "lab, growth_rate=0.5"
SHORT = ("growth_rate=0.3", "growth_rate=0.5")


@pytest.mark.parametrize("codes", [("aaa", "zzz"), ("zzz", "aaa")])
def test_the_code_of_a_session_does_not_reverse_an_effect(codes):
    """The effect is fast minus slow growth, regardless of which session code comes first."""
    frame = measures.groups(two(*codes))
    result = st.compare(st.units(frame, "stock_share"), "permutation")
    assert result.effect_name == f"difference of means ({FAST} - {SLOW})"
    means = frame.groupby(frame["treatment"].astype(str))["stock_share"].mean()
    assert result.effect == pytest.approx(means[FAST] - means[SLOW])
    assert result.effect != 0
    with pytest.warns(st.FewClustersWarning):
        fit = st.regression(frame, "stock_share ~ treatment")
    assert list(fit.results) == ["Intercept", f"treatment[T.{FAST}]"]
    assert fit.results[f"treatment[T.{FAST}]"].effect == pytest.approx(result.effect)


@pytest.mark.long
def test_tables_figures_and_tests_of_a_report_have_the_same_order():
    """Fast growth comes first, both in the file and by its session code."""
    fast, slow = session("aaa", growth_rate=0.5, seed=2), session("zzz", growth_rate=0.3)
    files = report.files(analysis.joined(fast, slow))
    for name in ("measures_by_treatment", "series", "who", "sessions"):
        table = pd.read_csv(io.StringIO(files[f"tables/{name}.csv"]))
        assert list(dict.fromkeys(table["treatment"])) == list(SHORT), name
    tests = pd.read_csv(io.StringIO(files["tables/tests.csv"]))
    assert set(tests["effect_name"].dropna()) == {
        f"Hodges-Lehmann shift ({' - '.join(SHORT[::-1])})"
    }
    for name in ("figures/who.svg", "figures/period_harvest.svg"):
        assert 0 < files[name].index(SHORT[0]) < files[name].index(SHORT[1]), name
    whole = pd.read_csv(io.StringIO(files["tables/treatments.csv"]))
    assert whole["stands_for"].tolist() == [SLOW, FAST]


def test_values_are_ordered_by_size_and_session_configs_as_in_the_settings():
    parts = [session(str(size), max_harvest=size) for size in (10.0, 5.0, 20.0)]
    assert analysis.joined(*parts).treatments == [
        *("lab, max_harvest=5.0", "lab, max_harvest=10.0", "lab, max_harvest=20.0")
    ]
    data = analysis.joined(session("1", "beta"), session("2", "alpha", seed=2))
    assert data.treatments == ["beta", "alpha"]  # in the order in which they were joined
    listed = replace(data, manifest={"session_configs": ["alpha", "beta"]})
    assert listed.treatments == ["alpha", "beta"]
    assert replace(data, manifest={}).treatments == ["alpha", "beta"]


def test_custom_names_are_in_every_table_in_their_order():
    data = two("aaa", "zzz").named({"fast": ["growth_rate=0.5"], "slow": [SLOW]})
    assert data.treatments == ["fast", "slow"]
    effect = st.compare(st.units(measures.groups(data), "stock_share")).effect_name
    assert effect == "Hodges-Lehmann shift (slow - fast)"


def test_a_name_can_cover_several_treatments_and_others_keep_theirs():
    data = analysis.joined(two("a", "b"), session("c", growth_rate=0.4, seed=3))
    named = data.named({"extremes": ["growth_rate=0.3"], "middle": ["growth_rate=0.4", "lab"]})
    assert named.treatments == ["extremes", "middle", FAST]


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (
            {"fast": ["growth_rat=0.5"]},
            UnknownName,
            "treatment 'fast': no group has 'growth_rat=0.5'; did you mean 'growth_rate=0.5'?",
        ),
        (
            {"all": ["lab"], "fast": ["growth_rate=0.5"]},
            ConfigError,
            "treatment 'fast': group 1 of session 'zzz' is also in 'all', but a group has one",
        ),
        (
            {FAST: [SLOW], SLOW: [FAST]},
            ConfigError,
            f"treatment {FAST!r}: already the name of groups other than those of {SLOW!r}",
        ),
    ],
)
def test_names_that_match_nothing_or_twice_are_refused(names, error, message):
    with pytest.raises(error) as raised:
        two("aaa", "zzz").named(names)
    assert str(raised.value).startswith(message)


@pytest.mark.long
def test_the_command_accepts_names(tmp_path, capsys):
    export, folder = tmp_path / "export.zip", tmp_path / "found"
    analysis.save(two("aaa", "zzz"), export)
    names = ["--treatment", "fast", "growth_rate=0.5", "--treatment", "slow", "growth_rate=0.3"]
    arguments = ["report", str(export), "--output", str(folder)]
    with undrawn():
        assert main([*arguments, *names]) == 0
    table = pd.read_csv(folder / "tables" / "who.csv")
    assert table["treatment"].tolist() == ["fast", "slow"]
    capsys.readouterr()
    for wrong, message in (
        (["--treatment", "fast"], "treatment 'fast': say which groups belong to it"),
        ([*names, "--treatment", "slow", "lab"], "treatment 'slow': named twice"),
    ):
        assert main([*arguments, *wrong]) == 2
        assert message in capsys.readouterr().err


# -- short names -----------------------------------------------------------------------------------


def test_a_short_name_has_the_fewest_parameters_that_distinguish_treatments():
    """Capacity distinguishes the first two treatments and growth the other two, so names need
    both."""
    data = analysis.joined(
        session("a", growth_rate=0.3, capacity=80.0),
        session("b", growth_rate=0.3, capacity=90.0, seed=2),
        session("c", growth_rate=0.5, capacity=90.0, seed=3),
    )
    keys = [name.split("=")[0] for name in data.treatments[0].split(", ")[1:]]
    values = {"growth_rate": ("0.3", "0.3", "0.5"), "capacity": ("80.0", "90.0", "90.0")}
    expected = [", ".join(f"{key}={values[key][number]}" for key in keys) for number in range(3)]
    assert data.shortened().treatments == expected
    assert two("a", "b").shortened().treatments == list(SHORT)


def test_short_and_custom_names_are_kept():
    apart = analysis.joined(session("a", "slow", growth_rate=0.3), session("b", "fast", seed=2))
    assert apart.shortened().treatments == apart.treatments
    named = two("a", "b").named({"before": ["growth_rate=0.3"], "after": ["growth_rate=0.5"]})
    assert named.shortened().treatments == ["before", "after"]
    assert session("a").shortened().treatments == ["lab"]


def test_values_too_long_for_a_figure_get_numbers_as_names():
    texts = ["Some of you are computer programs.", "All of you are people, here in this room."]
    data = analysis.joined(session("a"), session("b", seed=2))
    second = data.config["session"] == "b"
    options = [json.dumps({"disclosure_text": texts[of]}) for of in second]
    short = replace(data, config=data.config.assign(options=options)).shortened()
    assert short.treatments == ["treatment 1", "treatment 2"]
    assert sorted(short.names.values()) == [
        [f"lab, disclosure_text={text}"] for text in sorted(texts)
    ]


def test_an_earlier_export_keeps_its_treatments_next_to_a_current_one():
    """The old export has no columns for blocks and rules, so their values are empty and do not
    appear in names.
    """
    before = analysis.load("tests/analysis/export_0_7.zip")
    assert "block" not in before.config
    both = analysis.joined(session("new"), before)
    assert {*before.treatments} < {*both.treatments}
    assert not both.config[["block", "rule", "rules"]].isna().any().any()
