"""Shows, checks, seals and reports an experiment: a plan of the folder plans/.

show: what will happen to a participant, in order, and what is paid. check: what is missing or
cannot be tested. power: how likely its hypotheses are found. seal: fixes it before the data.
report: an export against it. rehearse: policies in people's places go through the pages of a real
server, and an export is written, as by `mixed rehearse NAME`, which can do more.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mixed_company.cli.arguments import (
    report_folder,
    report_form,
    seed_of_labels,
    sharing,
    simulated,
    table_text,
    whole_numbers,
    work_of,
)
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

if TYPE_CHECKING:
    from mixed_company.analysis.data import Data
    from mixed_company.analysis.planned.checking import Remark
    from mixed_company.experiment.plan import Plan
    from mixed_company.table.setup import Setup

GROUP = Group.SESSIONS
EXTRA = "analysis"
EXAMPLES = (
    "mixed plan show commons_governance",
    "mixed plan power commons_governance --groups 10,20",
    "mixed plan rehearse commons_governance --groups 4",
    "mixed plan seal commons_governance",
    "mixed plan report commons_governance export.zip --output report",
    "mixed plan report commons_governance export.zip --blind",
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("action", choices=sorted(_ACTIONS), help="what to do")
    add("name", help="the plan: the name of its file in plans/")
    add("export", nargs="?", help="report: the zip of an export, or its folder")
    add("--groups", help="of each treatment; power: by commas, those of the plan; rehearse: 1")
    simulated(parser, where="show, power, rehearse: ", without="; without it those of the plan")
    add("--repetitions", type=int, default=1000, help="power: simulated experiments")
    add(
        "--uncertain",
        action="store_true",
        help="power: draw populations from the errors of their numbers, study by study",
    )
    sharing(parser, "power: ")
    add(
        "--seed",
        type=int,
        help="power, rehearse: seed of all random numbers, 0; report --blind: of the labels, drawn",
    )
    add(
        "--output",
        type=Path,
        help="report: the folder to write; report, or blind_report, so that no folder has both; "
        "rehearse: the file of the export, rehearsal.zip",
    )
    excluded = "; why is one of the plan's exclusions, word for word, or else a deviation"
    report_form(parser, excluded, "report: ")


def run(chosen: Namespace) -> int:
    """Do it; 1 where `check` has found what cannot be done."""
    if (chosen.export is None) == (chosen.action == "report"):
        rule = "names an export" if chosen.action == "report" else "takes no export"
        raise config_error(f"mixed plan {chosen.action}: {rule}")
    _check_options(chosen)
    return _ACTIONS[chosen.action](chosen, _own(chosen.name, chosen.simulated))


_OPTIONS = {
    "groups": ("power", "rehearse"),
    "simulated": ("power", "rehearse", "show"),
    "repetitions": ("power",),
    "uncertain": ("power",),
    "workers": ("power",),
    "scheduler": ("power",),
    "seed": ("power", "rehearse", "report"),
    "output": ("report", "rehearse"),
    "exclude": ("report",),
    "blind": ("report",),
    "width_mm": ("report",),
    "contest": ("report",),
}
"""Of which actions an option is."""


def _check_options(chosen: Namespace) -> None:
    """Refuse an option of another action, which would do nothing. Raises ConfigError."""
    parser = ArgumentParser()
    configure(parser)
    for option, actions in _OPTIONS.items():
        given = getattr(chosen, option) != parser.get_default(option)
        if given and chosen.action not in actions:
            flag = option.replace("_", "-")
            raise config_error(f"mixed plan {chosen.action}: --{flag} is of {', '.join(actions)}")


class _Own(NamedTuple):
    """A plan, the session config made of it with all defaults, and what its treatments play in
    each of its blocks."""

    plan: Plan
    config: Mapping[str, Any]
    series: Sequence[Mapping[str, Setup]]
    folder: Path

    @property
    def content(self) -> dict[str, Any]:
        """Return the content of a seal."""
        from mixed_company.experiment.sealing import content_of

        return content_of(self.plan, self.series, self.config)

    @property
    def games(self) -> list[str]:
        """Return the games of its blocks, each once, in order."""
        return list(dict.fromkeys(self.by_block))

    @property
    def by_block(self) -> list[str]:
        """Return the game of each block."""
        return [next(iter(setups.values())).game.id for setups in self.series]

    @property
    def simulated(self) -> list[str]:
        """Say which policies sit in people's places, by treatment and block."""
        from mixed_company.experiment.simulated_people import SimulatedPeople

        sentences = []
        for number, setups in enumerate(self.series, start=1):
            block = f", block {self.plan.block_names[number - 1]}" if self.plan.blocks else ""
            for name, setup in setups.items():
                people = SimulatedPeople.seated(self.plan.people_of(name, number), setup)
                sentences.append(f"Treatment {name}{block}. {people}" if people else "")
        return list(filter(None, sentences))

    @property
    def remarks(self) -> Sequence[Remark]:
        """Return the remarks on what it lacks, and on what cannot be tested."""
        from mixed_company.analysis.planned.checking import remarks

        return list(remarks(self.plan, self.by_block))


def _own(name: str, people: str) -> _Own:
    """Return a plan of the project by its name, with these policies for people, if any.

    Raises UnknownName, ConfigError.
    """
    from mixed_company.cli.project import check_project
    from mixed_company.experiment import reading, treatments

    check_project()
    folder = Path(reading.FOLDER)
    plan = reading.find(name, folder)
    import settings
    from mixed_company.server.sessions import refusal_of

    configs = {config["name"]: config for config in settings.SESSION_CONFIGS}
    if name not in configs:
        raise refusal_of(name, configs)
    config = configs[name]
    whole = {**settings.SESSION_CONFIG_DEFAULTS, **config}
    played = treatments.shipped_series(treatments.game_of(config), whole)
    return _Own(plan.simulated_by(people), whole, played, folder)


def _show(_chosen: Namespace, own: _Own) -> int:
    from mixed_company.experiment import sealing, showing

    print(*showing.lines(own.plan, own.series, own.config), sep="\n")
    name = str(own.config["name"])
    seal = sealing.sealed(name, own.folder)
    print("Not sealed." if seal is None else f"Sealed {seal.sealed} ({seal.digest:.12}).")
    return 0


def _check(_chosen: Namespace, own: _Own) -> int:
    for remark in own.remarks:
        print(f"{'STOP' if remark.wrong else 'look':6s}{remark.sentence}")
    wrong = sum(remark.wrong for remark in own.remarks)
    print(f"no go: {wrong} to mend" if wrong else "go")
    return 1 if wrong else 0


def _power(chosen: Namespace, own: _Own) -> int:
    from mixed_company.analysis.planned.powered import powered, unsimulated

    groups = whole_numbers("groups", chosen.groups or str(own.plan.groups))
    table = powered(
        own.plan,
        own.series,
        groups,
        repetitions=chosen.repetitions,
        seed=chosen.seed or 0,
        uncertain=chosen.uncertain,
        progress=True,
        **work_of(chosen),
    )
    print(table_text(table))
    print(*own.simulated, sep="\n")
    for sentence in unsimulated(own.plan, own.series):
        print(sentence)
    return 0


def _seal(_chosen: Namespace, own: _Own) -> int:
    from mixed_company.experiment import sealing

    wrong = [remark.sentence for remark in own.remarks if remark.wrong]
    if wrong:  # what is sealed stays so
        raise config_error(f"plan {own.config['name']!r}: is not sealed as it is: {wrong[0]}")
    print(sealing.seal(str(own.config["name"]), own.content, own.folder))
    return 0


def _rehearse(chosen: Namespace, own: _Own) -> int:
    from mixed_company.cli.commands import rehearse

    groups = whole_numbers("groups", chosen.groups or "1")
    if len(groups) > 1:
        raise config_error(f"groups = {chosen.groups!r}: a rehearsal has one number of groups")
    given = Namespace(
        session_config=str(own.config["name"]),
        groups=groups[0],
        simulated=chosen.simulated,
        bots=None,
        seed=chosen.seed or 0,
        speed="instant",
        output=chosen.output or Path("rehearsal.zip"),
        pairs=[],
    )
    return rehearse.run(given)


def _report(chosen: Namespace, own: _Own) -> int:
    from mixed_company import files
    from mixed_company.analysis import report
    from mixed_company.analysis.blinding import blinded, blinded_blocks
    from mixed_company.analysis.files import opened
    from mixed_company.analysis.planned.tested import of_plan
    from mixed_company.analysis.reading import load
    from mixed_company.analysis.report import blind, excluded, planned
    from mixed_company.experiment import sealing
    from mixed_company.experiment.treatments import game_of

    name, file = str(own.config["name"]), Path(chosen.export).name
    seal = sealing.sealed(name, own.folder)
    seed = seed_of_labels(chosen.seed) if chosen.blind else None
    rows = excluded.read(chosen.exclude) if chosen.exclude else ()
    output = report_folder(chosen.output, seed)
    with files.prepared(output) as place:
        assert place is not None  # noqa: S101  there is a folder by default
        export, game = opened(chosen.export), game_of(own.config)
        for other in export.games if game not in export.games else ():
            load(chosen.export, other).of_session_config(name)  # names the plans that are in it
        data = of_plan(load(chosen.export, game), name, own.plan)
        there = [game for game in own.games[1:] if game in export.games]
        others = [of_plan(load(chosen.export, game), name, own.plan) for game in there]
        treatments = tuple(own.plan.treatments)
        permuted: Sequence[Data] = ()
        if seed is not None and own.plan.blocks:
            permuted = blinded_blocks([data, *others], treatments, seed)
        elif seed is not None:
            permuted = [blinded(data, treatments, seed)]
        part = planned.of_plan(data, own.plan, own.content, seal, others, permuted, rows)
        own_rows = excluded.rows_of(permuted[0] if permuted else data, rows)
        written = report.files(
            data,
            file=file,
            plan=part,
            width=chosen.width_mm,
            contest=chosen.contest,
            excluded=own_rows,
        )
        if seed is not None:
            written["blind.json"] = blind.manifest(file, seed, name, seal)
        files.written(output, place, written)
    print(output / next(iter(written)))
    return 0


_ACTIONS = {
    "check": _check,
    "power": _power,
    "rehearse": _rehearse,
    "report": _report,
    "seal": _seal,
    "show": _show,
}
