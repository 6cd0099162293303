"""Schema of a map: a TOML file that says what the columns of a table mean.

    source = "Authors (year), title, journal"
    license = "CC BY 4.0"
    game = "sanctions"

    [config]
    archetype = "unsanctioned"
    endowment = 20
    mpcr = 0.4

    [columns]
    session = "session"
    group = "group"
    period = "round"
    person = "subject"
    payoff = "profit"

    [actions]
    contribution = "give"

docs/import.md explains every key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import ValidationError, model_validator

from mixed_company import engine, files
from mixed_company.engine.contract.config import Section, parameter, refusal
from mixed_company.engine.contract.errors import (
    ConfigError,
    EngineError,
    UnknownName,
    nearest,
    short,
)
from mixed_company.engine.game import Game


class Column(Section):
    """A column of the table, and how its cells are translated. A map can also state just the
    column's name."""

    column: str = parameter("", "name of the column in the table")
    scale: float = parameter(1.0, "factor by which its numbers are multiplied")
    offset: float = parameter(0.0, "amount added to its numbers after multiplying")
    values: dict[str, float | str] = parameter({}, "value for each text that a cell can contain")

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, content: Any) -> Any:
        return {"column": content} if isinstance(content, str) else content

    @model_validator(mode="after")
    def _translated_once(self) -> Self:
        if self.values and (self.scale, self.offset) != (1.0, 0.0):
            raise ValueError("values: cannot be combined with scale or offset")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The column's names in the table."""
        return (self.column,)


class Action(Column):
    """The column of an action or, for an action towards each other seat, its columns."""

    columns: tuple[str, ...] = parameter(
        (),
        "columns of an action towards others: one per seat, or one per other seat, in seat order",
    )
    step: float = parameter(
        0.0, "distance between possible actions, counted from 0; 0: any action is possible", ge=0
    )
    value: float | None = parameter(None, "the same action in every row, instead of a column")

    @model_validator(mode="before")
    @classmethod
    def _from_number(cls, content: Any) -> Any:
        is_number = isinstance(content, int | float) and not isinstance(content, bool)
        return {"value": content} if is_number else content

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        sources = (bool(self.column), bool(self.columns), self.value is not None)
        if sum(sources) != 1:
            raise ValueError("column, columns, value: set exactly one of them")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        return self.columns or ((self.column,) if self.column else ())


class Columns(Section):
    """The columns that say who decided, with whom and when."""

    session: Column | None = parameter(
        None, "session; without this column, the table is one session"
    )
    group: Column | None = parameter(None, "group, within its session")
    partner: Column | None = parameter(None, "person in the other seat, in groups of two")
    period: Column = parameter(..., "period, as a whole number")
    person: Column | None = parameter(None, "person, within the session")
    seat: Column | None = parameter(
        None,
        "seat in the group, counted from 0 or 1; without this column, people are sorted by name",
    )
    treatment: Column | None = parameter(None, "treatment")
    seconds: Column | None = parameter(None, "thinking time in seconds")
    payoff: Column | None = parameter(
        None, "payoff in the period, which is compared with the points"
    )
    belief: Column | None = parameter(
        None, "belief about the mean of the others' first action in the same period"
    )

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if (self.group is None) == (self.partner is None):
            raise ValueError("group, partner: name exactly one of them")
        if self.person is None and self.seat is None:
            raise ValueError("person, seat: name at least one of them")
        if self.partner is not None and self.person is None:
            raise ValueError(
                "partner: name `person` too, because partners are looked up by their names there"
            )
        return self


class Varied(Section):
    """The parameters that differ between a treatment and `config`, and the treatment's name in the
    export."""

    name: str = parameter("", "name in the export; empty: as in the table")
    changes: dict[str, Any] = parameter({}, "keys of the configuration that differ")


class Map(Section):
    """The description of a table. See the module's docstring."""

    source: str = parameter(..., "citation of the data", min_length=3)
    license: str = parameter(..., "license of the data", min_length=2)
    game: str = parameter(..., "id of the game")
    matching: Literal["partners", "strangers"] = parameter(
        "partners", "whether people stay in their groups or groups change every period"
    )
    config: dict[str, Any] = parameter({}, "archetype and parameters of the game")
    treatments: dict[str, Varied] = parameter({}, "how treatments differ, by cell")
    columns: Columns = parameter(..., "columns of the table")
    actions: dict[str, Action] = parameter(..., "columns of the actions", min_length=1)

    @model_validator(mode="after")
    def _playable(self) -> Self:
        if self.treatments and self.columns.treatment is None:
            raise ValueError("treatments: need columns.treatment, the column that names them")
        if self.matching == "strangers" and self.columns.person is None:
            raise ValueError(
                "matching = 'strangers': name columns.person too, to follow each person"
            )
        return self

    @property
    def cells(self) -> dict[str, Column]:
        """All columns that the map describes, by their key in the map."""
        named = {f"columns.{key}": value for key, value in self.columns if value is not None}
        return named | {f"actions.{key}": value for key, value in self.actions.items()}

    @property
    def named_columns(self) -> list[str]:
        """Names of the table's columns that are used."""
        return list(dict.fromkeys(name for cell in self.cells.values() for name in cell.names))

    def check_game(self) -> None:
        """Raise UnknownName if there is no such game."""
        engine.find(self.game)

    def check_actions(self, games: Collection[Game[Any]]) -> None:
        """Raise UnknownName or ConfigError unless the map has exactly the actions of the games.

        Individual games may lack one of the map's actions.
        """
        fields = {field.name: field for game in games for field in game.declaration.actions}
        for name in self.actions:
            if name not in fields:
                rule = f"not an action of {self.game} with this configuration"
                raise UnknownName(f"actions.{name}: {rule}{nearest(name, fields)}")
        for game in games:
            self._check_fields(game)

    def _check_fields(self, game: Game[Any]) -> None:
        """Raise ConfigError unless the map has a column for every action of a game."""
        for name, field in ((field.name, field) for field in game.declaration.actions):
            if name not in self.actions:
                rule = "is missing; name its column, or a number that is the same in every row"
                raise ConfigError(f"actions.{name}: {rule}")
            columns, seats = self.actions[name].columns, game.seats
            if bool(columns) != bool(field.shape) and self.actions[name].value is None:
                rule = "needs `columns`, one per seat" if field.shape else "needs one `column`"
                raise ConfigError(f"actions.{name}: {rule}")
            if columns and len(columns) not in (seats, seats - 1):
                rule = (
                    f"should be {seats} columns, one per seat, or {seats - 1}, one per other seat"
                )
                raise ConfigError(f"actions.{name}.columns: {len(columns)} columns: {rule}")

    def check_columns(self, header: Sequence[str]) -> None:
        """Raise UnknownName if a column is not in the table."""
        for key, cell in self.cells.items():
            for name in cell.names:
                if name not in header:
                    rule = "the table has no such column"
                    raise UnknownName(f"{key} = {short(name)}: {rule}{nearest(name, header)}")

    def check_treatments(self, cells: Iterable[str]) -> None:
        """Raise UnknownName unless the table and the map have the same treatments."""
        present = set(cells)
        for name in self.treatments:
            if name not in present:
                rule = "no row of the table has this treatment"
                raise UnknownName(f"treatments.{name}: {rule}{nearest(name, present)}")
        for name in sorted(present - set(self.treatments)) if self.treatments else ():
            rule = "in the table, but not in the map"
            raise UnknownName(f"treatments.{name}: {rule}{nearest(name, self.treatments)}")

    def name_of(self, treatment: str) -> str:
        """Return a treatment's name in the export."""
        varied = self.treatments.get(treatment)
        return treatment if varied is None or not varied.name else varied.name

    def treatment_names(self, present: Iterable[str]) -> list[str]:
        """Return the names of all treatments, in the order of the map or, if it lists none, of the
        table.
        """
        order = dict.fromkeys([*self.treatments, *present])
        return list(dict.fromkeys(map(self.name_of, order)))

    def config_of(self, treatment: str) -> dict[str, Any]:
        """Return a treatment's archetype and parameters."""
        varied = self.treatments.get(treatment)
        return {**self.config, **({} if varied is None else varied.changes)}


def from_file(path: Path) -> Map:
    """Return the map in a TOML file. Raises ConfigError or UnknownName with a line per faulty
    key, and OSError."""
    try:
        content = files.toml(files.read(str(path)))
    except ValueError as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    try:
        described = Map.model_validate(content)
        described.check_game()
    except ValidationError as error:
        raise _within(path, refusal(error, Map)) from None
    except EngineError as error:
        raise _within(path, error) from None
    return described


def _within(path: Path, error: EngineError) -> EngineError:
    """Return the error with the map's path before every line."""
    return type(error)("\n".join(f"{path}: {line}" for line in str(error).split("\n")))
