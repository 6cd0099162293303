"""Roles and layers in words, for the instructions, and the fields that they add to the play page.

Roles and layers are described by their effects. Numbers include the intensity, and a quantity is
named after its field's declared meaning. Fields declare meanings for codebooks; people see only the
part of a meaning that is in words, in their own language. A game's own meanings are in the
`QUANTITIES` of its app.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mixed_company.engine.contract.config import OWN, roles_of_seats
from mixed_company.engine.contract.declaration import SEEN
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Game
from mixed_company.language import gettext as _
from mixed_company.language import ngettext, translated
from mixed_company.server.pages.texts import counted, exact, percent

QUANTITIES = (
    translated("own group"),
    translated("each group's points so far"),
    translated("points from the last period"),
    translated("average cooperation of each player"),
    translated("cooperation in recent periods, latest first"),
    translated("points to be paid later"),
    translated("periods played so far"),
    translated("the current period"),
    translated("own seat"),
    translated("whether the game is over for this seat"),
)
"""Meanings of fields that all games have."""

OF_PEERS = (
    translated("punishment points to each player"),
    translated("reward points to each player"),
    translated("points to each player, negative to punish"),
    translated("earned by each player before points were assigned"),
    translated("points received from the others last period"),
    translated("points received from each player last period"),
    translated("the decision to be made now"),
    translated("earned before points were assigned"),
    translated("points from the player in the row to the player in the column"),
    translated("points received from the others"),
    translated("points received: from the player in the column, by the player in the row"),
    translated("paid for points assigned"),
    translated("gained or lost through points received"),
)
"""Meanings of fields that all games with peer points have."""

_OF_OTHERS = (
    translated("group total: {what}"),
    translated("decided earlier in this period by players before you: {what}"),
    translated("seen later: {what}"),
)
"""Meanings that contain the meaning of another quantity."""

_CODES = re.compile(r"[,:;] (-?\d|from 0|one-hot|empty|if |row |column ).*")
"""Pattern for the end of a meaning, which explains its numeric codes."""


def called(game: Game[Any], field: Field) -> str:
    """Return a field's name in words, for use inside a sentence."""
    if field.names and field in game.declaration.actions:
        return _("what to do")
    return in_words(field.meaning)


def in_words(meaning: str) -> str:
    """Return a declared meaning without the explanation of its numeric codes."""
    for whole in _OF_OTHERS:
        start = whole.removesuffix("{what}")
        if meaning.startswith(start):
            return _(whole).format(what=in_words(meaning.removeprefix(start)))
    return _(_CODES.sub("", meaning))


def begun(words: str) -> str:
    """Return the words with the first letter in upper case; German nouns keep their capitals."""
    return words[:1].upper() + words[1:]


def order_of(game: Game[Any]) -> tuple[int, ...] | None:
    """Return the order in which seats decide; None if all seats decide at the same time."""
    return game.sight.order


def role_of(game: Game[Any], seat: int) -> str:
    """Return the name of a seat's role, or an empty string if all roles are the same."""
    roles = roles_of_seats(game.config.agents, game.seats)
    return _(roles[seat]) if len(set(roles)) > 1 else ""


def players(seats: Any) -> str:
    """Return a phrase that lists the players in these seats by number."""
    return ", ".join(_("Player {n}").format(n=seat + 1) for seat in seats)


# -- roles -----------------------------------------------------------------------------------


def roles(game: Game[Any]) -> Iterator[str]:
    """Yield sentences about each role: its players, what they can do and see, and their pay."""
    by_seat = roles_of_seats(game.config.agents, game.seats)
    if len(set(by_seat)) < 2:
        everybody = " ".join(_may(game, by_seat[0]))
        if everybody:
            yield _("For every player: {facts}").format(facts=everybody)
        return
    for name in dict.fromkeys(by_seat):
        members = [seat for seat, role in enumerate(by_seat) if role == name]
        first = _("{role}: {players}.").format(role=begun(_(name)), players=players(members))
        yield " ".join([first, *_may(game, name), *_weighs(game, members[0])])
    yield _("You see your role on the play page.")


def _may(game: Game[Any], name: str) -> Iterator[str]:
    """Yield sentences about the limits of what a role can do and see."""
    role, power = game.config.agents.roles[name], game.config.layers.power
    for field in game.declaration.actions:
        limit = power.limits.get(name, {}).get(field.name)
        if role.acts != "all" and field.name not in role.acts:
            yield _("Cannot set: {what}.").format(what=called(game, field))
        elif isinstance(role.acts, Mapping) and role.acts[field.name] != "all":
            choices = ", ".join(_(choice.replace("_", " ")) for choice in role.acts[field.name])
            yield _("Can only choose: {choices}.").format(choices=choices)
        elif limit is not None and power.intensity:
            start = limit if field.high == float("inf") else field.high
            highest = float(start + power.intensity * (limit - start))
            line = _("{what}: at most {most}.")
            yield line.format(what=begun(called(game, field)), most=exact(highest))
    yield from _paid(role.rewards)
    for field in game.declaration.observations:
        if field.maskable and role.sees != "all" and field.name not in role.sees:
            yield _("Does not see: {what}.").format(what=called(game, field))


def _paid(rewards: Mapping[str, float]) -> Iterator[str]:
    """Yield sentences about a role's pay, if it is not simply the role's own earnings."""
    if rewards.get(OWN, 1.0) != 1.0:
        line = _("Receives {share} of their own earnings.")
        yield line.format(share=percent(rewards[OWN]))
    for name, weight in rewards.items():
        if name != OWN and weight:
            line = _("Receives {share} of the average earnings of players in the {role} role.")
            if weight < 0:
                line = _("Loses {share} of the average earnings of players in the {role} role.")
            yield line.format(share=percent(abs(weight)), role=begun(_(name)))


def _weighs(game: Game[Any], seat: int) -> Iterator[str]:
    if game.weights is not None:
        yield _("Voting weight: {w}.").format(w=exact(float(game.weights[seat])))


# -- layers ----------------------------------------------------------------------------------


def layers(game: Game[Any]) -> Iterator[str]:
    """Yield sentences, one for each effect of the layers."""
    writers = {
        "information": _information,
        "temporal": _temporal,
        "hierarchy": _hierarchy,
        "interaction": _interaction,
        "incentives": _incentives,
        "uncertainty": _uncertainty,
    }
    for name, sentences in writers.items():
        layer = getattr(game.config.layers, name)
        if layer.intensity:
            yield from sentences(game, layer)


def _names(game: Game[Any], fields: tuple[Field, ...]) -> Mapping[str, str]:
    """Return each field's name in words, by its key, with the first letter in upper case."""
    return {field.name: begun(called(game, field)) for field in fields}


def _often(layer: Any) -> str:
    """Return a sentence about how often an effect applies if the intensity is its probability."""
    if layer.intensity == 1:
        return ""
    return " " + _("In each period, the chance that this applies is {p}.").format(
        p=percent(layer.intensity)
    )


def _information(game: Game[Any], layer: Any) -> Iterator[str]:
    seen = _names(game, game.declaration.observations)
    state = _names(game, game.declaration.state)
    for name in layer.hide:
        yield _("{what}: not shown to you.").format(what=seen[name]) + _often(layer)
    for name in layer.show:
        yield _("{what}: shown to everybody.").format(what=state[name]) + _often(layer)
    for name, deviation in layer.noise.items():
        line = _(
            "{what}: you see an estimate. Two times out of three, it is within {sd} of the "
            "true number."
        )
        yield line.format(sd=exact(layer.intensity * deviation), what=seen[name])
    for name, periods in layer.delay.items():
        late = round(layer.intensity * periods)
        if late:
            line = ngettext(
                "{what}: you see it {n} period late.", "{what}: you see it {n} periods late.", late
            )
            yield line.format(n=late, what=seen[name])
    if layer.graph == "ring":
        line = _("The players sit in a circle. You see only the numbers of your two neighbours.")
        yield line + _often(layer)
    elif layer.graph and layer.graph != "complete":
        pairs = "; ".join(players(pair) for pair in layer.graph)
        line = _(
            "You see only the numbers of your neighbours. These players are neighbours: {pairs}."
        )
        yield line.format(pairs=pairs) + _often(layer)


def _temporal(_game: Game[Any], layer: Any) -> Iterator[str]:
    if layer.reward_delay:
        line = ngettext(
            "{p} of what you earn in a period is paid {n} period later.",
            "{p} of what you earn in a period is paid {n} periods later.",
            layer.reward_delay,
        )
        if layer.intensity == 1:
            line = ngettext(
                "What you earn in a period is paid {n} period later.",
                "What you earn in a period is paid {n} periods later.",
                layer.reward_delay,
            )
        yield line.format(p=percent(layer.intensity), n=layer.reward_delay)
        yield _("Points that are still owed to you at the end are paid then.")
    if layer.reputation_window:
        line = _(
            "Everybody sees how cooperative each player was in the last {n} periods, on a "
            "scale from 0 to 1."
        )
        yield line.format(n=layer.reputation_window) + _often(layer)


def _hierarchy(_game: Game[Any], layer: Any) -> Iterator[str]:
    for group in sorted(set(layer.groups)):
        members = [seat for seat, number in enumerate(layer.groups) if number == group]
        yield _("Group {n}: {players}.").format(n=group + 1, players=players(members))
    yield _("You see what your own group did and earned in total.") + _often(layer)


def _interaction(game: Game[Any], layer: Any) -> Iterator[str]:
    if layer.share:
        line = _("{p} of what each player earns goes into a pot that is shared equally.")
        yield line.format(p=percent(layer.intensity * layer.share))
    # otherwise the game's own numbers include it
    if layer.externality != 1 and game.core == game.config.core:
        line = _(
            "The effect of a player's decision on the others, good or bad, is multiplied by {x}."
        )
        yield line.format(x=exact(1 + layer.intensity * (layer.externality - 1)))


def _incentives(game: Game[Any], layer: Any) -> Iterator[str]:
    done = _names(game, game.declaration.actions)
    for name, fee in layer.fee.items():
        yield counted(
            "{what}: each unit above {quota} costs {n} point.",
            "{what}: each unit above {quota} costs {n} points.",
            layer.intensity * fee,
            quota=exact(layer.quota.get(name, 0.0)),
            what=done[name],
        )


def _uncertainty(game: Game[Any], layer: Any) -> Iterator[str]:
    state, core = _names(game, game.declaration.state), type(game.core).model_fields
    for name, deviation in layer.shocks.items():
        line = _(
            "{what}: there is also a random change after each period. Two times out of "
            "three, it is at most {sd}."
        )
        yield line.format(sd=exact(layer.intensity * deviation), what=state[name])
    for name, change in layer.drift.items():
        line = _("{what}: changes by {p} of its starting value each period.")
        quantity = begun(in_words(str(core[name].description)))
        yield line.format(p=percent(layer.intensity * change), what=quantity)


# -- the play page ---------------------------------------------------------------------------


def besides(game: Game[Any]) -> list[dict[str, Any]]:
    """Return the observation fields that layers and turns add: name, meaning and shape."""
    of_game = (*game.own_observations, *game.stages.observations)
    of_core = {field.name for field in (*of_game, *SEEN)}
    seen = {field.name: field for field in game.declaration.observations}
    return [
        {
            "name": field.name,
            "meaning": called(game, seen.get(field.name.removeprefix("age_"), field)),
            "seats": field.shape == (game.seats,) and not field.common,
            "single": field.shape == (),
        }
        for field in game.declaration.observations
        if field.name not in of_core and not field.bulk
    ]


def accepted(game: Game[Any]) -> dict[str, dict[str, Any]]:
    """Return the kind of number and the step of each action field. `grain` is added if a control
    moves in larger steps, and `ends` if only the smallest and the largest value can be chosen.
    """
    return {
        field.name: {
            "kind": field.kind,
            "step": "any" if field.kind == "real" else 1,
            **({"grain": field.grain} if field.grain else {}),
            **({"ends": True} if field.ends_only else {}),
        }
        for field in game.declaration.actions
    }
