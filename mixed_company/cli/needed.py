"""Arguments that `mixed power` uses to compute the number of groups without simulation, and its
answer."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.analysis.data import Data
    from mixed_company.analysis.power import Design, Pilot

_MEANS = (2.0, 4.0, 8.0, 16.0)
"""Means to try, in standard deviations, if an effect is a percentage of an unknown mean."""
_PEOPLE = 4


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments for computing the number of groups."""
    group = parser.add_argument_group("computed, with --effect")
    add = group.add_argument
    add("--effect", help="smallest difference that matters: a number, or 15%% of the mean")
    add("--sd", type=float, help="standard deviation of people within treatments")
    add("--icc", metavar="SHARE", help="share of variance between groups, 0.1 or 10%%; default 0")
    add("--mean", type=float, help="mean of the first treatment, for an effect in per cent")
    add("--people", type=float, help=f"people per group, 1 if --sd is of groups; default {_PEOPLE}")
    add(
        "--pilot",
        metavar="EXPORT",
        help="export from which to take the mean, sd, icc and people per group of --measure",
    )
    add("--block", help="block of the pilot, if it has several")
    add("--target", metavar="SHARE", help="target power; default 0.8")
    add(
        "--ratio",
        metavar="1:2",
        help="ratio of the numbers of groups in the treatments; default 1:1",
    )
    add("--hypotheses", type=int, help="number of tests that are corrected together; default 1")
    add(
        "--attrition", metavar="SHARE", help="share of groups lost before the test, 10%%; default 0"
    )
    add("--session-icc", metavar="SHARE", help="share of variance between sessions; default 0")
    add("--per-session", type=int, help="groups that play in one session; default 1")
    add("--within", action="store_true", default=None, help="each session has all treatments")


def lines(chosen: Namespace, played: Data | None = None) -> list[str]:
    """Return the lines of the answer.

    `played` holds the pilot's groups, or simulated ones (see `check_pilot`). Raises the errors
    of `analysis.power`, and ConfigError for a missing argument.
    """
    spread, pilot = _spread(chosen, played)
    if spread["sd"] is None:
        raise config_error("--sd: is missing; set the standard deviation of people, or use --pilot")
    if chosen.effect is None:
        raise config_error(
            "--effect: is missing; set the smallest difference that matters, such as 3 or 15%"
        )
    answers = _answers(chosen, spread)
    if pilot is None:
        return answers
    wide = _answers(chosen, {**spread, "sd": pilot.high})
    return [str(pilot), *answers, f"With an sd of {pilot.high:.4g}:", *wide]


def check_pilot(chosen: Namespace) -> None:
    """Raise ConfigError if arguments do not fit a pilot, before its groups are read or played."""
    if chosen.measure is None:
        raise config_error(
            "--measure: is missing; a pilot needs a measure of people or groups, such as points"
        )
    if chosen.sd is not None:
        raise config_error("--sd: cannot be set with a pilot, which has its own sd")


def _answers(chosen: Namespace, spread: Mapping[str, Any]) -> list[str]:
    """Return the answer. If an effect is a percentage and --mean is missing, return an answer for
    each of several means."""
    from mixed_company.analysis.power import needed

    text, mean = chosen.effect, spread["mean"]
    if not text.endswith("%"):
        return [str(needed(_design(chosen, spread, _number("effect", text))))]
    share = _share("effect", text)
    if mean is not None:
        return [str(needed(_design(chosen, spread, share * mean)))]
    means = [times * spread["sd"] for times in _MEANS]
    answers = [f"mean {mean:g}: {needed(_design(chosen, spread, share * mean))}" for mean in means]
    return [f"{text} of what mean? Set it with --mean. For some means:", *answers]


def _spread(chosen: Namespace, played: Data | None) -> tuple[dict[str, Any], Pilot | None]:
    """Return `mean`, `sd`, `icc` and `people` from the arguments or from `played`, and the pilot
    with these groups."""
    values = {name: getattr(chosen, name) for name in ("mean", "sd", "people")}
    values["icc"] = chosen.icc and _share("icc", chosen.icc)
    if played is None:
        return values, None
    from mixed_company.analysis.power import piloted

    pilot = piloted(played, chosen.measure)
    completed = {
        key: getattr(pilot, key) if value is None else value for key, value in values.items()
    }
    return completed, pilot


def _design(chosen: Namespace, spread: Mapping[str, Any], effect: float) -> Design:
    from mixed_company.analysis.power import Design

    ratio = chosen.ratio and tuple(int(_number("ratio", part)) for part in chosen.ratio.split(":"))
    options = {
        "icc": spread["icc"],
        "people": _PEOPLE if spread["people"] is None else spread["people"],
        "ratio": ratio,
        "hypotheses": chosen.hypotheses,
        "alpha": chosen.alpha,
        "target": chosen.target and _share("target", chosen.target),
        "attrition": chosen.attrition and _share("attrition", chosen.attrition),
        "session_icc": chosen.session_icc and _share("session_icc", chosen.session_icc),
        "per_session": chosen.per_session,
        "within": chosen.within,
    }
    stated = {key: value for key, value in options.items() if value is not None}
    return Design(effect=effect, sd=spread["sd"], **stated)


def _share(key: str, text: str) -> float:
    """Parse a number such as 10% or 0.1."""
    percent = text.endswith("%")
    return _number(key, text.removesuffix("%")) / (100 if percent else 1)


def _number(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise config_error(f"{key} = {text!r}: should be a number") from None
