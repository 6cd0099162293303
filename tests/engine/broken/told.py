"""Broken games that reveal hidden or undeclared information."""

from __future__ import annotations

from dataclasses import replace

from mixed_company.engine.contract.declaration import Info
from mixed_company.engine.games.commons_game import CommonsGame


class LetsTheStockTellOfWealth(CommonsGame):
    """Broken game: the shown stock rises slightly with the first seat's wealth."""

    def view(self, state, chance):
        seen = super().view(state, chance)
        return {**seen, "stock": seen["stock"] - 1e-9 * state["wealth"][..., 0]}


class TellsHarvestsOfAllToAll(CommonsGame):
    """Broken game: a field shown to all seats also contains the first seat's harvest."""

    def view(self, state, chance):
        seen = super().view(state, chance)
        return {
            **seen,
            "pool": seen["pool"] + 1e-9 * state["empty_periods"] + state["harvest"][..., 0],
        }


class NamesAnEventNobodyKnows(CommonsGame):
    def events(self, before, used, after):
        return [{"event": "storm"}]


class TellsMoreThanItDeclares(CommonsGame):
    def info(self, before, used, after):
        return {"pressure": 1.0}


class TellsAnArray(CommonsGame):
    def declare(self):
        return replace(super().declare(), info=(Info("taken", "fish taken", "fish"),))

    def info(self, before, used, after):
        return {"taken": after["harvest"]}


class FollowsFromNothingSeen(CommonsGame):
    def declare(self):
        return replace(super().declare(), info=(Info("reason", "fish taken", of=("shoal",)),))

    def info(self, before, used, after):
        return {"reason": 0.0}


class RevealsNothingSeen(CommonsGame):
    def declare(self):
        declared = super().declare()
        harvest, *others = declared.components
        parts = (replace(harvest, reads=("shoal",)), *others)
        return replace(declared, components=parts)


class TellsOtherKeysThanItDeclares(CommonsGame):
    def declare(self):
        return replace(super().declare(), info=(Info("catch", "fish", keys=("0", "1")),))

    def info(self, before, used, after):
        return {"catch": {"0": 0.0, "2": 0.0}}


BROKEN: dict[str, tuple[type[CommonsGame], ...]] = {
    "nothing_leaks": (LetsTheStockTellOfWealth, TellsHarvestsOfAllToAll),
    "events_and_infos_are_declared": (
        NamesAnEventNobodyKnows,
        TellsMoreThanItDeclares,
        TellsAnArray,
        FollowsFromNothingSeen,
        RevealsNothingSeen,
        TellsOtherKeysThanItDeclares,
    ),
}
