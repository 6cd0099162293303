"""The questions of a session: the keys of a session config, files of items, and what a game allows.

`questions` is a list of items (`table.items`), and where one of them is a text, the name of a TOML
file of the project that has `[[questions]]`; or that name alone. `questionnaire` adds the items of
`questions/questionnaire.toml`. What was read is kept with the session, so that a file may change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError, field_serializer, model_validator

from mixed_company import files
from mixed_company.engine.contract.config import Section, parameter, refusal
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.engine.game import Game
from mixed_company.language import SOURCE
from mixed_company.table.items import ABOUT_BOTS, Item, Value

__all__ = ["QuestionOptions", "check_questions", "drawn", "items_at", "items_in", "recorded"]

_FILE = ".toml"
_GROUP = "Questions"


class QuestionOptions(Section):
    """What people are asked beside their decisions."""

    questions: tuple[Item, ...] = parameter(
        (),
        "what people are asked before, within and after the play: a list of questions, or the name "
        "of a file with them (docs/questions.md)",
        group=_GROUP,
    )

    @model_validator(mode="before")
    @classmethod
    def _gathered(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "questions" not in given:
            return given
        return {**given, "questions": list(_listed(given["questions"]))}

    @model_validator(mode="after")
    def _named_once(self) -> Self:
        names = [item.name for item in self.questions]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"questions = {name!r}: is the name of two questions")
        return self

    @field_serializer("questions")
    def _short(self, items: tuple[Item, ...]) -> list[dict[str, Any]]:
        return [item.model_dump(mode="json", exclude_defaults=True) for item in items]


def recorded(given: Any) -> QuestionOptions:
    """The questions of a session as its export has them. Raises ConfigError."""
    try:
        return QuestionOptions.model_validate({"questions": given})
    except ValidationError as error:
        raise refusal(error, QuestionOptions) from None


def items_in(options: QuestionOptions, seat: int, period: int) -> list[Item]:
    """What who sits there is asked in a period."""
    within = (item for item in options.questions if item.in_play)
    return [item for item in within if item.asked_in(period) and item.asked_of(seat)]


def items_at(options: QuestionOptions, when: str, seat: int = -1) -> list[Item]:
    """What the page `when` asks of who sits there; -1: of who has no seat yet."""
    return [item for item in options.questions if item.when == when and item.asked_of(seat)]


def drawn(item: Item, rng: Any) -> Value:
    """Any answer that can be kept: what a scripted person says. `rng` is a generator of numpy."""
    if item.type == "choice":
        return int(rng.integers(1, len(item.listed(SOURCE)) + 1))
    if item.type == "text":
        return "scripted"[: item.length]
    least = item.least if item.least is not None else (item.most or 0.0) - 10 * (item.step or 1.0)
    most = item.most if item.most is not None else least + 10 * (item.step or 1.0)
    if not item.step:
        return float(rng.uniform(least, most))
    steps = int((most - least) / item.step + 1e-6)
    value = least + item.step * int(rng.integers(steps + 1))
    return int(value) if value == int(value) else value


# -- files ------------------------------------------------------------------------------------


def _listed(given: Any) -> Iterator[Any]:
    """Items as they were given, those of files among them."""
    if isinstance(given, str):
        given = [given] if given.strip() else []
    for one in given if isinstance(given, Sequence) else [given]:
        if isinstance(one, str):
            yield from _read(_file(one.strip()))
        else:
            yield one


def _file(name: str) -> Path:
    folder = Path.cwd()
    file = Path(os.path.normpath(folder / name))
    if not name.endswith(_FILE) or not file.is_relative_to(folder) or not file.is_file():
        near = [f"questions/{path.name}" for path in (folder / "questions").glob(f"*{_FILE}")]
        raise ConfigError(
            f"questions = {name!r:.80}: should be a list of questions, or a file in {folder}"
            f"{nearest(name, near)}"
        )
    return file


def _read(file: Path) -> list[dict[str, Any]]:
    where = f"questions = '{file.parent.name}/{file.name}'"
    try:
        content = files.toml(file.read_text("utf-8"))
    except ValueError as error:
        raise ConfigError(f"{where}: is no TOML: {error}") from None
    items = content.get("questions")
    if not isinstance(items, list) or not all(isinstance(own, dict) for own in items):
        raise ConfigError(f"{where}: has no [[questions]]")
    return items


# -- what a game allows -----------------------------------------------------------------------


def check_questions(game: Game[Any], options: Any) -> None:
    """Raises ConfigError that says which question cannot be asked in this game, and why."""
    for item in options.questions:
        _check_words(item, options)
        _check_periods(item, game, options)
        _check_about(item, game)
        if item.about in ABOUT_BOTS:
            _check_bots(item, game, options)


def _refusal(item: Item, key: str, value: Any, rule: str) -> ConfigError:
    return ConfigError(f"questions.{item.name}.{key} = {value!r:.60}: {rule}")


def _check_words(item: Item, options: Any) -> None:
    for key in ("text", "options"):
        given = getattr(item, key)
        if isinstance(given, dict) and options.language not in given:
            rule = f"is not given in {options.language!r}, the language of the session"
            raise _refusal(item, key, sorted(given), rule)


def _check_periods(item: Item, game: Game[Any], options: Any) -> None:
    if item.in_play and options.by_clock:
        rule = "with pace 'clock' there is no time for questions within periods; set when"
        raise _refusal(item, "periods" if item.periods else "every", "", rule)
    for period in item.periods:
        if period >= game.horizon:
            rule = f"the last period is {game.horizon - 1}, counted from 0"
            raise _refusal(item, "periods", period, rule)


def _check_about(item: Item, game: Game[Any]) -> None:
    if item.about == "others_choosing":
        _check_choice(item, game)
    elif item.action:
        known = [field.name for field in game.declaration.actions if _is_amount(field)]
        if item.action not in known:
            rule = f"is no action of {game.id} that has a mean{nearest(item.action, known)}"
            raise _refusal(item, "action", item.action, rule)
    if item.about == "stock":
        state = [field.name for field in game.declaration.state if field.shape == ()]
        if "stock" not in state:
            raise _refusal(item, "about", "stock", f"{game.id} has no stock")
    if item.seat is not None and item.seat >= game.seats:
        raise _refusal(item, "seat", item.seat, f"the last seat is {game.seats - 1}, from 0")


def _check_choice(item: Item, game: Game[Any]) -> None:
    known = {own.name: own for own in game.declaration.actions if own.kind == "choice"}
    if item.action not in known:
        rule = f"is no action of {game.id} that is chosen{nearest(item.action, known)}"
        raise _refusal(item, "action", item.action, rule)
    least, most = int(known[item.action].low), int(known[item.action].high)
    if item.choice is not None and not least <= item.choice <= most:
        raise _refusal(item, "choice", item.choice, f"options are {least} to {most}")
    if item.most is not None and item.most < game.seats - 1:
        rule = f"there are {game.seats - 1} others, who can all choose it"
        raise _refusal(item, "most", item.most, rule)


def _is_amount(field: Any) -> bool:
    return field.shape == () and field.kind in ("real", "whole")


def _check_bots(item: Item, game: Game[Any], options: Any) -> None:
    """Nobody is asked what the disclosure says, nor is told by question or pay what it does not."""
    kind = options.disclosure
    if kind == "labels" or (kind == "count" and item.about == "bots"):
        raise _refusal(item, "about", item.about, f"disclosure {kind!r} says it already")
    if kind == "none" and item.in_play:
        rule = "with disclosure 'none' nothing is said of bots during the play; ask when it is over"
        raise _refusal(item, "about", item.about, rule)
    if item.about == "bots" and item.most is not None and item.most < game.seats - 1:
        rule = f"there are {game.seats - 1} others, who can all be bots"
        raise _refusal(item, "most", item.most, rule)
