"""One play from its first observation to its end.

An Episode keeps the state private. A seat's observations are what a person or policy in that seat
would see.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mixed_company.engine.contract import space
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.chance import check_seed
from mixed_company.engine.contract.errors import ActionError, EngineError, LogError, short
from mixed_company.engine.contract.presence import NOBODY_LEAVES
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game, Result
from mixed_company.engine.play.period import Period
from mixed_company.engine.play.resuming import Earlier, check_half_decided, state_of


class Episode:
    """A play of a game.

    `step` plays a stage of a period for all seats at once; most games have one stage, and
    `play_period` plays all of them. If `agents.timing` is `sequential`, use `decide`: `turn` is the
    seat whose turn it is, and later seats see its decision. The stage is played once the last seat
    has decided.

    period          the current period, counted from 0; after the end, the number of periods that
                    were played
    stage           name of the current stage, see `engine.contract.stages`
    stage_number    its number, counted from 0
    at_first_stage  whether it is the first stage of a period, the only one in most games
    fields          the action fields that seats decide on at this stage
    reorders        whether each seat sees the others in its own order (`shown_as`)
    turn            the seat whose turn it is; None after the end and if all decide together, as in
                    every later stage
    absent          the seats that have ended
    done, reason, result   whether it is over, why, and success, failure or neither

    Raises ConfigError for an invalid seed, and ActionError for a refused action (the play does not
    change) or an action after the end.
    """

    def __init__(self, game: Game[Any], seed: int | None = None) -> None:
        self.game = game
        self.seed = check_seed(game.config.identity.seed if seed is None else seed)
        self._decided: dict[int, Mapping[str, Any]] = {}
        self._leaving: list[int] = []
        self._earlier = Earlier()
        self._move(*game.reset(self.seed))

    def _move(self, state: Arrays, seen: Arrays | None) -> None:
        """Set the state, and compute the values that are used often."""
        game = self.game
        self._state, self._seen = state, seen
        self._seen_json: dict[int | None, dict[str, Any]] = {}
        self._allowed: Allowed | None = None
        self._allowed_at: dict[int, Allowed] = {}
        self.period = int(state["period"])
        self.stage_number = int(state["stage"]) if game.stages.several else 0
        self.stage = game.stages.names[self.stage_number]
        self.at_first_stage = self.stage_number == 0
        self.fields: tuple[Field, ...] = game.fields_of_stages[self.stage_number]
        self.reorders = "shown_as" in state
        self.reason = game.reason_name(state["reason"])
        self.done = self.reason is not None
        self.result: Result | None = None
        if self.reason is not None:
            self.result = game.declaration.endings[self.reason]
        playing = game.playing(state) if game.seat_reasons else None
        self.absent: tuple[int, ...] = ()
        if playing is not None:
            self.absent = tuple(np.flatnonzero(~playing).tolist())
        self.turn = self._next_turn()

    def _next_turn(self) -> int | None:
        order = self.game.sight.order
        if order is None or self.done or self.stage_number:
            return None
        waiting = (seat for seat in order if seat not in (*self._decided, *self.absent))
        return next(waiting, None)

    @property
    def observations(self) -> Arrays:
        """All seats' current observations as named arrays, read-only."""
        if self._seen is None:
            last = self.period if self.stage_number else self.period - 1
            chance = self.game.draw_chance(self.seed, last)
            decided = self._known() if self._decided and not self.stage_number else None
            self._seen = self.game.observe(self._state, chance, decided)
        return self._seen

    def observation(self, seat: int) -> dict[str, Array]:
        """Return one seat's current observation."""
        self._check_seat(seat)
        return space.of_seat(self.game.declaration.observations, self.observations, seat)

    def observation_json(self, seat: int) -> dict[str, Any]:
        """Return one seat's current observation as plain JSON.

        The same object is returned until the play advances. Do not modify it.
        """
        if type(seat) is not int or seat not in self._seen_json:
            self._check_seat(seat)
            layout, shared = self.game.declaration.observations, self.observations_json
            bulk = [field for field in layout if field.bulk]
            large = space.to_json(space.of_seat(bulk, self.observations, seat)) if bulk else {}
            self._seen_json[seat] = {
                field.name: large[field.name]
                if field.bulk
                else shared[field.name][seat]
                if field.visibility == "private"
                else shared[field.name]
                for field in layout
            }
        return self._seen_json[seat]

    @property
    def observations_json(self) -> dict[str, Any]:
        """All seats' observations as plain JSON, without `bulk` fields. Do not modify it."""
        if None not in self._seen_json:
            layout, seen = self.game.declaration.observations, self.observations
            arrays = {field.name: seen[field.name] for field in layout if not field.bulk}
            self._seen_json[None] = space.to_json(arrays)
        return self._seen_json[None]

    def ending(self, seat: int) -> tuple[str | None, Result | None]:
        """Return the reason and the result of a seat's ending; None while the seat continues."""
        self._check_seat(seat)
        code = int(self._state["seat_reason"][seat]) if self.game.seat_reasons else 0
        if not code:
            return self.reason, self.result
        reason = self.game.seat_reasons[code - 1]
        return reason, self.game.declaration.seat_endings[reason]

    def allowed(self, seat: int | None = None) -> Allowed:
        """Return the actions currently open to one seat or, if no seat is named, to all seats."""
        if self._allowed is None:
            self._allowed = self.game.allowed(self._state)
        if seat is None:
            return self._allowed
        if type(seat) is not int or seat not in self._allowed_at:
            self._check_seat(seat)
            part = self._allowed.of(seat)
            same = range(self.game.seats) if self._allowed.alike else (seat,)
            self._allowed_at |= dict.fromkeys(same, part)
        return self._allowed_at[seat]

    def decide(
        self, seat: int, action: Mapping[str, Any], *, leaving: bool = False
    ) -> Period | None:
        """Take one seat's action in its turn. Return the Period once the last seat has decided.

        If it is `leaving`, the seat leaves now, and its action no longer counts. Raises ActionError
        for an action out of turn or a refused action; the play does not change.
        """
        self._check_turn(seat)
        allowed = self.allowed(seat)
        if leaving:
            self._check_leaving([seat])
            action = allowed.default_action()
        try:
            allowed.used(action)
        except ActionError as error:
            raise ActionError(f"seat {seat}, {error}") from None
        before, self._decided = self._decided, {**self._decided, seat: dict(action)}
        gone, self._leaving = self._leaving, [*self._leaving, *([seat] if leaving else [])]
        self._seen, self._seen_json, self.turn = None, {}, self._next_turn()
        if self.turn is not None:
            return None
        try:
            return self._step(self._together(), tuple(self._leaving))
        except ActionError:
            self._decided, self._leaving = before, gone
            self.turn = self._next_turn()
            raise

    def _together(self) -> dict[str, list[Any]]:
        """Return the decisions as actions of all seats; None for seats that have ended."""
        return {
            field.name: [
                self._decided.get(seat, {}).get(field.name) for seat in range(self.game.seats)
            ]
            for field in self.fields
        }

    def _check_seat(self, seat: int) -> None:
        if type(seat) is int and 0 <= seat < self.game.seats:
            return
        number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if not number or not 0 <= seat < self.game.seats:
            raise ActionError(f"seat = {short(seat)}: should be from 0 to {self.game.seats - 1}")

    def _check_turn(self, seat: int) -> None:
        if self.game.sight.order is None or self.stage_number:
            raise ActionError(f"seat {seat}: with this agents.timing, all seats decide together")
        self._check_open()
        if seat != self.turn:
            raise ActionError(f"seat {seat}: it is seat {self.turn}'s turn")

    def _known(self) -> dict[str, Array]:
        """Return this period's decisions as they will be used; NaN for all other seats."""
        seats = self.game.seats
        values = {field.name: np.full((seats, *field.shape), np.nan) for field in self.fields}
        for seat, action in self._decided.items():
            for name, value in self.allowed(seat).used(action).items():
                if name in values:
                    values[name][seat] = value
        return values

    def _check_open(self) -> None:
        if self.done:
            raise ActionError(f"the play is over ({self.reason}); no more actions are accepted")

    def _check_leaving(self, leaving: Sequence[int]) -> None:
        plain = type(leaving) in (list, tuple)
        if not plain and (not isinstance(leaving, Sequence) or isinstance(leaving, str)):
            raise ActionError(f"leaving = {leaving!r:.40}: must be a list of seats")
        if leaving and not self.game.presence.may_leave:
            raise ActionError(NOBODY_LEAVES)
        for place, seat in enumerate(leaving):
            if isinstance(seat, bool) or not isinstance(seat, int | np.integer):
                raise ActionError(f"leaving: {seat!r} is not a seat number")
            if seat in leaving[:place]:
                raise ActionError(f"leaving: seat {seat} is named twice")
            if not 0 <= seat < self.game.seats:
                raise ActionError(f"leaving: seat {seat} is not in 0 .. {self.game.seats - 1}")
            if seat in self.absent:
                raise ActionError(f"leaving: seat {seat} is no longer in the play")

    def step(self, actions: Mapping[str, Any], leaving: Sequence[int] = ()) -> Period:
        """Play one stage; `actions` maps each of its action fields to one value per seat.

        The Period is `settled` after the last stage; most games have only one. `leaving` lists the
        seats that leave now, in the first stage. The actions of these seats, and of seats that have
        ended, do not count and may be None.
        """
        self._check_open()
        if self._decided:
            some = ", ".join(map(str, self._decided))
            raise ActionError(f"seat {some} has decided; finish the period with `decide`")
        self._check_leaving(leaving)
        return self._step(actions, tuple(leaving))

    def play_period(self, actions: Mapping[str, Any], leaving: Sequence[int] = ()) -> Period:
        """Play the remaining stages of a period; `actions` contains the fields of all of them."""
        while True:
            fields = self.game.declaration.actions if self.game.stages.several else ()
            later = {field.name for field in fields if field.stage != self.stage_number}
            now = {name: value for name, value in actions.items() if name not in later}
            period = self.step(now if later else actions, leaving)
            if period.settled:
                return period
            leaving = ()

    def again(
        self,
        actions: Iterable[Mapping[str, Any]],
        leaving: Mapping[int, Sequence[int]] | None = None,
    ) -> Iterator[Period]:
        """Play these actions, one mapping per period, and yield each period until the play ends.

        `leaving` maps each period to the seats that leave in it. Both arguments are read period by
        period, so they can depend on the play.
        """
        for sent in actions:
            yield self.play_period(sent, (leaving or {}).get(self.period, ()))
            if self.done:
                return

    def _step(self, actions: Mapping[str, Any], leaving: tuple[int, ...]) -> Period:
        game, before = self.game, self._state
        chance = game.draw_chance(self.seed, self.period)
        flags = np.isin(np.arange(game.seats), leaving) if leaving else None
        after, outcome = game.step(before, actions, chance, flags)
        absent, stage = (*self.absent, *leaving), self.stage_number
        self._decided, self._leaving = {}, []
        if game.stages.several:
            actions, leaving, before = self._together_with_earlier(actions, leaving)
        self._move(after, outcome.observations)
        return Period.of(
            game,
            before,
            after,
            outcome,
            chance=chance,
            sent=actions,
            leaving=leaving,
            absent=absent,
            stage=stage,
        )

    def _together_with_earlier(
        self, actions: Mapping[str, Any], leaving: tuple[int, ...]
    ) -> tuple[Mapping[str, Any], tuple[int, ...], Arrays]:
        """Return this period's actions and leaving seats so far, and the state before the
        period."""
        names = {field.name for field in self.fields}
        now = {name: value for name, value in actions.items() if name in names}
        state = self._state if self.stage_number == 0 else self._earlier.state
        earlier = Earlier({**self._earlier.sent, **now}, (*self._earlier.leaving, *leaving), state)
        self._earlier = Earlier() if self.stage_number == self.game.stages.last else earlier
        return earlier.sent, earlier.leaving, earlier.state

    def shown_as(self, seat: int) -> list[int]:
        """Return the seat numbers in the order they are currently shown to this seat."""
        order = self._state.get("shown_as")
        return list(range(self.game.seats)) if order is None else list(order[seat].tolist())

    @property
    def state(self) -> Arrays:
        """The entire state, by declared field. For logs and critics, never for a seat."""
        return {field.name: self._state[field.name] for field in self.game.declaration.state}

    def state_record(self) -> dict[str, Any]:
        """Return the entire state as plain JSON values. For logs, never for a seat."""
        return space.to_json(self.state)

    def state_json(self) -> str:
        """Return everything needed to continue the play, as JSON. For servers, never for a seat."""
        return json.dumps(
            {
                "game": self.game.id,
                "version": self.game.version,
                "seed": self.seed,
                "state": self.state_record(),
                **self._half_decided(),
            },
            separators=(",", ":"),
        )

    def _half_decided(self) -> dict[str, Any]:
        """Return the decisions so far in a period that has not been played yet, if any."""
        half: dict[str, Any] = {}
        if self._decided:
            decided = {str(seat): _plain(action) for seat, action in self._decided.items()}
            half = {"decided": decided, "leaving": self._leaving}
        if self.stage_number:
            half["sent"] = _plain(self._earlier.sent)
            half["left"] = list(self._earlier.leaving)
        return half

    @classmethod
    def from_json(cls, game: Game[Any], text: str) -> Episode:
        """Return the play that `state_json` stored. Raises LogError for a different game or invalid
        data.
        """
        try:
            data = json.loads(text)
            if (data["game"], data["version"]) != (game.id, game.version):
                raise LogError(
                    f"the state is from {data['game']} version {data['version']}, "
                    f"not from {game.id} version {game.version}"
                )
            episode = cls.__new__(cls)
            episode.game = game
            episode.seed = check_seed(data["seed"])
            decided = data.get("decided", {})
            episode._decided = {int(seat): dict(action) for seat, action in decided.items()}
            episode._leaving = list(data.get("leaving", []))
            state = state_of(game, data["state"])
            episode._earlier = Earlier.from_json(game, state, data)
            episode._move(state, None)  # observations are computed on first use
            order = [seat for seat in game.sight.order or () if seat not in episode.absent]
            check_half_decided(order, episode._decided, episode._leaving)
        except EngineError:
            raise
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
            raise LogError(f"not the state of a play: {error}") from None
        return episode


def _plain(action: Mapping[str, Any]) -> dict[str, Any]:
    return {name: np.asarray(value).tolist() for name, value in action.items()}
