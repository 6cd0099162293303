"""A session's questions: the config keys, files of items, and checks against the game.

`questions` is a list of items (`table.items`). A string in the list, or in place of it, names a
TOML file in the project that contains `[[questions]]`. `questionnaire` adds the items of
`questions/questionnaire.toml`. The session stores the items, so the file can change later.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError, field_serializer, model_validator

from mixed_company import files
from mixed_company.engine.contract.config import Section, parameter, refusal
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.engine.game import Game
from mixed_company.language import SOURCE
from mixed_company.table.items import ABOUT_BOTS, Item, Value

_FILE = ".toml"
_question = partial(parameter, group="Questions")


class QuestionOptions(Section):
    """Keys for the questions that people are asked in addition to their decisions."""

    questions: tuple[Item, ...] = _question(
        (),
        "questions for people before, during and after the play: a list of questions, or the name "
        "of a file that contains them (docs/questions.md)",
    )

    @model_validator(mode="before")
    @classmethod
    def _gathered(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "questions" not in data:
            return data
        return {**data, "questions": list(_all_items(data["questions"]))}

    @model_validator(mode="after")
    def _named_once(self) -> Self:
        names = [item.name for item in self.questions]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"questions = {name!r}: two questions have this name")
        return self

    @field_serializer("questions")
    def _short(self, items: tuple[Item, ...]) -> list[dict[str, Any]]:
        return [item.model_dump(mode="json", exclude_defaults=True) for item in items]


def recorded(items: Any) -> QuestionOptions:
    """Return a session's questions from its export. Raises ConfigError."""
    try:
        return QuestionOptions.model_validate({"questions": items})
    except ValidationError as error:
        raise refusal(error, QuestionOptions) from None


def items_in(options: QuestionOptions, seat: int, period: int) -> list[Item]:
    """Return the items that the person in a seat is asked in a period."""
    within = (item for item in options.questions if item.in_play)
    return [item for item in within if item.asked_in(period) and item.asked_of(seat)]


def items_at(options: QuestionOptions, when: str, seat: int = -1) -> list[Item]:
    """Return the items on the page `when` for the person in a seat (-1 if there is no seat yet)."""
    return [item for item in options.questions if item.when == when and item.asked_of(seat)]


def drawn(item: Item, rng: Any) -> Value:
    """Return a random valid answer, for a scripted person. `rng` is a NumPy generator."""
    if item.type == "choice":
        return int(rng.integers(1, len(item.listed(SOURCE)) + 1))
    if item.type == "text":
        return "scripted"[: item.length]
    lowest = item.least if item.least is not None else (item.most or 0.0) - 10 * (item.step or 1.0)
    highest = item.most if item.most is not None else lowest + 10 * (item.step or 1.0)
    if not item.step:
        return float(rng.uniform(lowest, highest))
    steps = int((highest - lowest) / item.step + 1e-6)
    value = lowest + item.step * int(rng.integers(steps + 1))
    return int(value) if value == int(value) else value


# -- files ------------------------------------------------------------------------------------


def _all_items(questions: Any) -> Iterator[Any]:
    """Yield the items, including items from files."""
    if isinstance(questions, str):
        questions = [questions] if questions.strip() else []
    for question in questions if isinstance(questions, Sequence) else [questions]:
        if isinstance(question, str):
            yield from _read(_file(question.strip()))
        else:
            yield question


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
        raise ConfigError(f"{where}: not valid TOML: {error}") from None
    items = content.get("questions")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ConfigError(f"{where}: no [[questions]] in this file")
    return items


# -- what a game allows -----------------------------------------------------------------------


def check_questions(game: Game[Any], options: Any) -> None:
    """Raise ConfigError for a question that cannot be asked in this game, and say why."""
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
        texts = getattr(item, key)
        if isinstance(texts, dict) and options.language not in texts:
            rule = f"is missing in {options.language!r}, the language of the session"
            raise _refusal(item, key, sorted(texts), rule)


def _check_periods(item: Item, game: Game[Any], options: Any) -> None:
    if item.in_play and options.by_clock:
        rule = "with pace 'clock' there is no time for questions within periods; set `when`"
        raise _refusal(item, "periods" if item.periods else "every", "", rule)
    for period in item.periods:
        if period >= game.horizon:
            rule = f"periods are numbered 0 to {game.horizon - 1}"
            raise _refusal(item, "periods", period, rule)


def _check_about(item: Item, game: Game[Any]) -> None:
    if item.about == "others_choosing":
        _check_choice(item, game)
    elif item.action:
        actions = [field.name for field in game.declaration.actions if _is_amount(field)]
        if item.action not in actions:
            rule = f"not an action of {game.id} that has a mean{nearest(item.action, actions)}"
            raise _refusal(item, "action", item.action, rule)
    if item.about == "stock":
        state = [field.name for field in game.declaration.state if field.shape == ()]
        if "stock" not in state:
            raise _refusal(item, "about", "stock", f"{game.id} has no stock")
    if item.seat is not None and item.seat >= game.seats:
        raise _refusal(item, "seat", item.seat, f"seats are numbered 0 to {game.seats - 1}")


def _check_choice(item: Item, game: Game[Any]) -> None:
    actions = {field.name: field for field in game.declaration.actions if field.kind == "choice"}
    if item.action not in actions:
        rule = f"not an action of {game.id} with options{nearest(item.action, actions)}"
        raise _refusal(item, "action", item.action, rule)
    lowest, highest = int(actions[item.action].low), int(actions[item.action].high)
    if item.choice is not None and not lowest <= item.choice <= highest:
        raise _refusal(item, "choice", item.choice, f"options are {lowest} to {highest}")
    if item.most is not None and item.most < game.seats - 1:
        rule = f"should be at least {game.seats - 1}, because all the others can choose this option"
        raise _refusal(item, "most", item.most, rule)


def _is_amount(field: Any) -> bool:
    return field.shape == () and field.kind in ("real", "whole")


def _check_bots(item: Item, game: Game[Any], options: Any) -> None:
    """Refuse a question about bots that conflicts with the disclosure.

    The disclosure must not give away the answer, and neither the question nor its pay may reveal
    more than the disclosure does.
    """
    kind = options.disclosure
    if kind == "labels" or (kind == "count" and item.about == "bots"):
        raise _refusal(item, "about", item.about, f"disclosure {kind!r} already gives the answer")
    if kind == "none" and item.in_play:
        rule = "with disclosure 'none' bots are not mentioned during the play; ask after it"
        raise _refusal(item, "about", item.about, rule)
    if item.about == "bots" and item.most is not None and item.most < game.seats - 1:
        rule = f"should be at least {game.seats - 1}, because all the others can be bots"
        raise _refusal(item, "most", item.most, rule)
