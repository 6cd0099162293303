"""Show, check, seal and report an experiment: a plan in the plans/ folder.

show: print a participant's steps in order, and the pay. check: report missing keys, and hypotheses
that cannot be tested. power: estimate the probability of confirming the plan's hypotheses. seal:
fix the plan before data are collected. report: compare an export with the plan. rehearse: have
policies take people's places on a real server's pages, and write an export; `mixed rehearse NAME`
has more options.

The exit code of report is 1 if the export has faults or differs from the plan; both are printed, as
by `mixed check`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mixed_company.cli.arguments import (
    exit_code,
    key_of,
    report_folder,
    report_form,
    say_unplanned,
    sealing_key,
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
    add = parser.add_argument
    add("action", choices=sorted(_ACTIONS), help="action")
    add("name", help="name of the plan's file in the folder plans/")
    add("export", nargs="?", help="report: the zip of an export, or its unpacked folder")
    add(
        "--groups",
        help="groups per treatment; power: numbers separated by commas, by default the plan's; "
        "rehearse: one number, by default 1",
    )
    add(
        "--sessions",
        type=int,
        default=1,
        help="rehearse: number of sessions, each with these groups",
    )
    add("--treatment", default="", help="show: the only treatment to describe")
    simulated(parser, where="show, power, rehearse: ", without="; default: those of the plan")
    add("--repetitions", type=int, default=1000, help="power: number of simulated experiments")
    add(
        "--uncertain",
        action="store_true",
        help="power: redraw populations' parameters for each study, according to their standard "
        "errors",
    )
    sharing(parser, "power: ")
    add(
        "--seed",
        type=int,
        help="power, rehearse: seed for all random numbers, default 0; report --blind: seed of the "
        "labels, random by default",
    )
    add(
        "--output",
        type=Path,
        help="report: folder to write, by default report or blind_report, so no folder "
        "contains both; rehearse: file of the export, default rehearsal.zip",
    )
    excluded = (
        "; a reason counts as a deviation unless it repeats an exclusion in the plan verbatim"
    )
    report_form(parser, excluded, "report: ")
    sealing_key(parser, "report: ")


def run(chosen: Namespace) -> int:
    """Run the action; return 1 if `check` finds an error in the plan."""
    if (chosen.export is None) == (chosen.action == "report"):
        rule = "needs an export" if chosen.action == "report" else "does not take an export"
        raise config_error(f"mixed plan {chosen.action}: {rule}")
    _check_options(chosen)
    return _ACTIONS[chosen.action](chosen, load_plan(chosen.name, chosen.simulated))


_OPTIONS = {
    "groups": ("power", "rehearse"),
    "sessions": ("rehearse",),
    "treatment": ("show",),
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
    "group_figures": ("report",),
    "key": ("report",),
}
"""Actions that accept an option, by option."""


def _check_options(chosen: Namespace) -> None:
    """Raise ConfigError for any option that does not apply to this action."""
    parser = ArgumentParser()
    configure(parser)
    for option, actions in _OPTIONS.items():
        is_set = getattr(chosen, option) != parser.get_default(option)
        if is_set and chosen.action not in actions:
            flag = option.replace("_", "-")
            raise config_error(
                f"mixed plan {chosen.action}: --{flag} applies only to {', '.join(actions)}"
            )


class LoadedPlan(NamedTuple):
    """A plan, its session config with all defaults, and its treatments' setups in each block."""

    plan: Plan
    config: Mapping[str, Any]
    series: Sequence[Mapping[str, Setup]]
    folder: Path

    @property
    def content(self) -> dict[str, Any]:
        """Content of a seal."""
        from mixed_company.experiment.sealing import content_of

        return content_of(self.plan, self.series, self.config)

    @property
    def by_block(self) -> list[str]:
        """Game of each block."""
        return [next(iter(setups.values())).game.id for setups in self.series]

    @property
    def simulated(self) -> list[str]:
        """Sentences about the policies that take people's places, by treatment and block."""
        from mixed_company.experiment.showing_pay import described

        return described(self.plan, self.series)

    @property
    def remarks(self) -> Sequence[Remark]:
        """Remarks on missing keys, hypotheses that cannot be tested, differences between the
        treatments that they compare, measures without values, and bots that take people's seats."""
        from mixed_company.analysis.planned.checking import Remark, remarks
        from mixed_company.analysis.planned.powered import without_values
        from mixed_company.experiment.comparisons import differing, of_series
        from mixed_company.experiment.showing_told import bots_entering

        others = [
            *differing(self.plan, of_series(self.series)),
            *without_values(self.plan, self.series),
            *bots_entering(self.plan, self.series),
        ]
        return [*remarks(self.plan, self.by_block), *(Remark(False, other) for other in others)]


def load_plan(name: str, people: str = "") -> LoadedPlan:
    """Return one of the project's plans by name.

    If `people` is not empty, it replaces the plan's simulated people. Raises UnknownName,
    ConfigError.
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
    return LoadedPlan(plan.simulated_by(people), whole, played, folder)


def _show(chosen: Namespace, loaded: LoadedPlan) -> int:
    from mixed_company.engine.contract.errors import UnknownName, nearest
    from mixed_company.experiment import sealing, showing

    treatments = loaded.plan.treatments
    if chosen.treatment and chosen.treatment not in treatments:
        hint = nearest(chosen.treatment, treatments)
        raise UnknownName(f"treatment = {chosen.treatment!r}: no such treatment{hint}")
    lines = showing.lines(loaded.plan, loaded.series, loaded.config, chosen.treatment)
    print(*lines, sep="\n")
    name = str(loaded.config["name"])
    seal = sealing.sealed(name, loaded.folder)
    print("Not sealed." if seal is None else f"Sealed {seal.sealed} ({seal.digest:.12}).")
    for line in _edits(name):
        print(line)
    return 0


def _edits(name: str) -> list[str]:
    """Return a sentence for each change in a plan's file after the plan was sealed."""
    from mixed_company.analysis.planned.deviations import edits
    from mixed_company.experiment import sealing

    loaded = load_plan(name)
    seal = sealing.sealed(name, loaded.folder)
    return [] if seal is None else [f"The plan {line}" for line in edits(loaded.content, seal)]


def _check(_chosen: Namespace, loaded: LoadedPlan) -> int:
    remarks = loaded.remarks
    for line in _edits(str(loaded.config["name"])):
        print(f"look  {line}")
    for remark in remarks:
        print(f"{'STOP' if remark.wrong else 'look':6s}{remark.sentence}")
    wrong = sum(remark.wrong for remark in remarks)
    print(f"no go: {wrong} to fix" if wrong else "go")
    return 1 if wrong else 0


def _power(chosen: Namespace, loaded: LoadedPlan) -> int:
    from mixed_company.analysis.planned.powered import (
        columns_of,
        notes,
        powered,
        without_reaction,
    )

    groups = whole_numbers("groups", chosen.groups or str(loaded.plan.groups))
    table = powered(
        loaded.plan,
        loaded.series,
        groups,
        repetitions=chosen.repetitions,
        seed=chosen.seed or 0,
        uncertain=chosen.uncertain,
        progress=True,
        **work_of(chosen),
    )
    print(table_text(table))
    if loaded.plan.space is not None:
        print(
            "groups: at each point; effect: of the variable on simulated people, over its range; "
            "detectable: effect that would be detected with power 0.8, with its "
            "simulation interval"
        )
    for sentence in columns_of(loaded.plan):
        print(sentence)
    if "opposite" in table:
        print("opposite: share of experiments with a significant result in the other direction")
    print(*loaded.simulated, sep="\n")
    for sentence in notes(loaded.plan, loaded.series):
        print(sentence)
    for sentence in without_reaction(loaded.plan, loaded.config):
        print(sentence)
    return 0


def _seal(_chosen: Namespace, loaded: LoadedPlan) -> int:
    from mixed_company.experiment import sealing

    wrong = [remark.sentence for remark in loaded.remarks if remark.wrong]
    if wrong:  # a seal cannot be undone
        raise config_error(f"plan {loaded.config['name']!r}: cannot be sealed: {wrong[0]}")
    print(sealing.seal(str(loaded.config["name"]), loaded.content, loaded.folder))
    return 0


def _rehearse(chosen: Namespace, loaded: LoadedPlan) -> int:
    from mixed_company.cli.commands import rehearse

    groups = whole_numbers("groups", chosen.groups or "1")
    if len(groups) > 1:
        raise config_error(f"groups = {chosen.groups!r}: a rehearsal needs a single number")
    arguments = Namespace(
        session_config=str(loaded.config["name"]),
        groups=groups[0],
        sessions=chosen.sessions,
        simulated=chosen.simulated,
        bots=None,
        seed=chosen.seed or 0,
        speed="instant",
        output=chosen.output or Path("rehearsal.zip"),
        pairs=[],
    )
    return rehearse.run(arguments)


def _report(chosen: Namespace, loaded: LoadedPlan) -> int:
    from mixed_company import files
    from mixed_company.analysis import report
    from mixed_company.analysis.audit.promised import others_sealed
    from mixed_company.analysis.audit.wording import checked, of_data
    from mixed_company.analysis.blinding import blinded
    from mixed_company.analysis.blinding_blocks import blinded_blocks
    from mixed_company.analysis.planned import tested
    from mixed_company.analysis.report import blind, excluded, planned
    from mixed_company.analysis.space.columns import by_point
    from mixed_company.experiment import sealing
    from mixed_company.experiment.plan import Plan

    name, file = str(loaded.config["name"]), Path(chosen.export).name
    seal = sealing.sealed(name, loaded.folder)
    content = loaded.content if seal is None else seal.content
    plan = loaded.plan if seal is None else Plan.model_validate(content["plan"])
    seed = seed_of_labels(chosen.seed) if chosen.blind else None
    rows = excluded.read(chosen.exclude) if chosen.exclude else ()
    output = report_folder(chosen.output, seed)
    with files.prepared(output) as place:
        assert place is not None  # noqa: S101  there is a folder by default
        data, *others = tested.loaded(chosen.export, name, plan, sealing.games_of(content))
        treatments = tuple(plan.treatments)
        measured = {hypothesis.measure for hypothesis in plan.hypotheses.values()}
        permuted: Sequence[Data] = ()
        exempt = planned.exempt_groups([data, *others], plan, rows)
        if seed is not None and plan.blocks:
            permuted = blinded_blocks([data, *others], treatments, seed, exempt, measured)
        elif seed is not None:
            space = plan.space
            design = None if space is None else by_point(space)
            permuted = [blinded(data, treatments, seed, design, exempt, measured)]
        tables, seals, faults, audits = checked(chosen.export, key_of(chosen), progress=True)
        part = planned.of_plan(*(data, plan, loaded.content, seal, others, permuted, rows, faults))
        excluded_rows = excluded.rows_of(permuted[0] if permuted else data, rows)
        written = report.files(
            data,
            file=file,
            plan=part,
            width=chosen.width_mm,
            contest=chosen.contest,
            group_figures=chosen.group_figures,
            progress=True,
            excluded=excluded_rows,
            sources=[
                *faults.sources,
                *(f"Note: {line}." for line in others_sealed(chosen.export, loaded.folder, name)),
            ],
            audits=of_data(audits, [data, *others]),
        )
        if seed is not None:
            written["blind.json"] = blind.manifest(file, seed, name, seal)
        files.written(output, place, written)
    lines: list[str] = []
    unplanned = say_unplanned(chosen.export, loaded.folder, name, lines.append)
    if seed is None:
        different = part.deviations()
        print(*tables, *seals, *lines, *faults.sources, *different, *part.left_out, sep="\n")
        print(*tested.in_words(part.tables[0].frame), sep="\n")
        for table in (table for table in part.tables if table.name == planned.OF_ALL):
            print(f"{table.title}:", *tested.in_words(table.frame), sep="\n")
    elif faults.count + unplanned:  # the problems name treatments
        print(f"problems in the export: {faults.count + unplanned}; `mixed check` lists them")
    print(output / next(iter(written)))
    return exit_code(faults, unplanned=unplanned)


_ACTIONS = {
    "check": _check,
    "power": _power,
    "rehearse": _rehearse,
    "report": _report,
    "seal": _seal,
    "show": _show,
}
