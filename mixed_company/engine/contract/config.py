"""The configuration, with five sections: one object with everything that affects a play.

    identity         game, version, archetype, seed
    core             the game's own parameters (each game declares its `Core`)
    layers           the seven layers, each with an intensity from 0 to 1
    agents           roles: what each seat may see and do; leaving; the order of decisions
    instrumentation  what is logged, and how often

A configuration is frozen, rejects unknown keys by name, survives JSON unchanged, and has a JSON
Schema (`Config.model_json_schema()`). Defaults are included, so a resolved configuration shows
every value that has an effect.
"""

from __future__ import annotations

import re
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic import Field as PydanticField

from mixed_company.engine.contract.chance import MAX_SEED
from mixed_company.engine.contract.errors import ConfigError, nearest, short
from mixed_company.engine.contract.instrumentation import Instrumentation
from mixed_company.engine.contract.section import AnotherType, Section, parameter

__all__ = [
    "MOST_SEATS",
    "OWN",
    "Agents",
    "Configuration",
    "Core",
    "Identity",
    "Instrumentation",
    "Role",
    "Section",
    "check_fields",
    "check_order",
    "check_seats",
    "parameter",
    "refusal",
    "role_table",
    "roles_of_seats",
]


MOST_SEATS = 1000
"""Maximum number of seats in any game; a game may allow fewer."""


class Core(Section):
    """Parameters of every game; a game subclasses this to add its own."""

    seats: int = parameter(4, "number of seats", symbol="n", ge=1, le=MOST_SEATS, first=True)


class Identity(Section):
    """Game, version, archetype and seed of a play."""

    game: str = parameter(..., "game id")
    version: str = parameter(..., "version of the game's rules")
    archetype: str = parameter("custom", "named set of values that it is based on")
    seed: int = parameter(0, "seed for all random numbers", ge=0, le=MAX_SEED)


Names = Literal["all"] | tuple[str, ...]
Weight = Annotated[float, PydanticField(ge=-1e3, le=1e3)]
OWN = "own"
"""Key for the seat's own reward in a role's rewards."""


class Role(Section):
    """Permissions and rewards of a role's seats. Permissions are "all" or a list of field names.

    For an action field that is a choice, `acts` can name the permitted choices,
    `{field: "all" or their names}` (`engine.contract.permissions`, which also explains
    `rewards`).
    """

    sees: Names = parameter(
        "all", "observation fields that it sees, among those that can be hidden"
    )
    acts: Names | dict[str, Names] = parameter(
        "all", "action fields that it may use, with the allowed choices of each"
    )
    rewards: dict[str, Weight] = parameter(
        {},
        "weights in its reward: of its own points, and of other roles' means; empty: only its own",
    )


class Agents(Section):
    """Roles by name, each seat's role, leaving, and the order of decisions.

    If the list of roles is empty, every seat has the `member` role.
    """

    roles: dict[str, Role] = parameter({"member": Role()}, "roles by name")
    seats: tuple[str, ...] = parameter((), "role of each seat, in order")
    may_leave: bool = parameter(False, "whether a seat can leave while the others continue")
    timing: Literal["simultaneous", "sequential"] = parameter(
        "simultaneous", "whether seats decide at the same time or one after another"
    )
    order: tuple[int, ...] = parameter(
        (), "order in which seats decide, if sequential; empty: by seat number"
    )


CoreT = TypeVar("CoreT", bound=Core)
_NAMES_ITS_KEY = re.compile(r"[\w.]+ = ")
_LONGEST = 500  # characters of a value in a message
_PART_OF_A_UNION = re.compile(r"(literal|tuple|list|dict|function-before)\[")
RoleTable = tuple[frozenset[str] | None, ...]


class Configuration(Section, Generic[CoreT]):
    """A complete configuration. `engine.config.Config` adds the types of the layers."""

    identity: Identity
    core: CoreT
    layers: Any = None
    agents: Agents = Agents()
    instrumentation: Instrumentation = Instrumentation()


def refusal(error: ValidationError, model: type[BaseModel], prefix: str = "") -> ConfigError:
    """Convert a pydantic error to a ConfigError with one line per key: its value and the rule."""
    problems = _foremost(error.errors())
    lines = {_key(item, prefix): _line(item, model, prefix) for item in reversed(problems)}
    return ConfigError("\n".join(reversed(lines.values())))


def _foremost(errors: list[Any]) -> list[Any]:
    """Leave out errors from union members of other types if one member matches the value's type."""

    def another(item: Any) -> bool:
        return _PART_OF_A_UNION.match(str(item["loc"][-1])) is not None and any(
            not _of_another_type(other) and other["loc"][: len(item["loc"]) - 1] == item["loc"][:-1]
            for other in errors
        )

    return [
        item for item in errors if not (_of_another_type(item) and item["loc"] and another(item))
    ]


def _of_another_type(item: Any) -> bool:
    ours = isinstance(item.get("ctx", {}).get("error"), AnotherType)
    return ours or item["type"].endswith("_type")


def _line(item: Any, model: type[BaseModel], prefix: str) -> str:
    path, key = _path(item), _key(item, prefix)
    if item["type"] == "extra_forbidden":
        hint = nearest(path[-1], _known(model, path))
        return f"{key} = {short(item['input'], _LONGEST, _LONGEST)}: unknown key{hint}"
    if item["type"] == "missing":
        return f"{key}: is missing"
    message = item["msg"].removeprefix("Value error, ").removeprefix("Input ")
    if item["type"] == "value_error" and _NAMES_ITS_KEY.match(message):
        return f"{key}.{message}" if key else message
    if item["type"] == "value_error" and not _of_another_type(item):
        return f"{key}: {message}"
    return f"{key} = {short(item['input'], _LONGEST, _LONGEST)}: {message}"


def _path(item: Any) -> list[str]:
    return [str(part) for part in item["loc"] if not _PART_OF_A_UNION.match(str(part))]


def _key(item: Any, prefix: str) -> str:
    return ".".join([prefix, *_path(item)] if prefix else _path(item))


def _known(model: type[BaseModel], path: list[str]) -> list[str]:
    skip = False  # the next part is a key of a dict or an index of a tuple, not a field
    for part in path[:-1]:
        field = model.model_fields.get(part)
        inner = _required(field.annotation) if field else None
        if get_origin(inner) in (dict, tuple):
            inner = get_args(inner)[1 if get_origin(inner) is dict else 0]
            skip = True
        elif skip:
            skip = False
            continue
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)


def _required(kind: Any) -> Any:
    """Return the type of an optional field without None."""
    parts = [part for part in get_args(kind) if part is not NoneType]
    return parts[0] if get_origin(kind) in (Union, UnionType) and len(parts) == 1 else kind


def check_seats(agents: Agents, seats: int) -> None:
    """Refuse unknown roles, and a list of roles that does not have one entry per seat."""
    if agents.seats and len(agents.seats) != seats:
        raise ConfigError(
            f"agents.seats = {list(agents.seats)!r}: names {len(agents.seats)} seats, but "
            f"core.seats is {seats}"
        )
    for name in roles_of_seats(agents, seats):
        if name not in agents.roles:
            raise ConfigError(f"agents.seats: unknown role {name!r}{nearest(name, agents.roles)}")


def check_fields(agents: Agents, sees: set[str], acts: set[str]) -> None:
    """Refuse roles that name unknown fields.

    `sees` lists the observation fields that can be hidden, and `acts` the action fields.
    """
    for name, role in agents.roles.items():
        for key, listed, valid in (("sees", role.sees, sees), ("acts", role.acts, acts)):
            for field in () if listed == "all" else listed:
                if field not in valid:
                    raise ConfigError(
                        f"agents.roles.{name}.{key}: unknown field {field!r}{nearest(field, valid)}"
                    )


def check_order(agents: Agents, seats: int) -> tuple[int, ...]:
    """Return the seats in the order they decide. Raises ConfigError for an invalid list."""
    if agents.order and agents.timing == "simultaneous":
        raise ConfigError(
            f"agents.order = {list(agents.order)!r}: can be set only with "
            f"agents.timing = 'sequential'"
        )
    if agents.order and sorted(agents.order) != list(range(seats)):
        raise ConfigError(
            f"agents.order = {list(agents.order)!r}: should name each seat from 0 to "
            f"{seats - 1} once"
        )
    return agents.order or tuple(range(seats))


def roles_of_seats(agents: Agents, seats: int) -> tuple[str, ...]:
    """Return the name of each seat's role, in seat order."""
    return agents.seats or ("member",) * seats


def role_table(agents: Agents, seats: int, key: Literal["sees", "acts"]) -> RoleTable:
    """Return the names that each seat may see (or use); None means all of them."""
    roles = [agents.roles[name] for name in roles_of_seats(agents, seats)]
    lists = [getattr(role, key) for role in roles]
    return tuple(None if names == "all" else frozenset(names) for names in lists)
