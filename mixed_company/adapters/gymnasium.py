"""One seat of a game as a Gymnasium environment, with policies in the other seats.

    env = OneSeat(engine.make("commons_game", archetype="lab"), others="sustainable,greedy")
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

`others` names policies as a session does (`policies.make`), separated by commas. They fill the
other seats in order, starting over when all have been used. They decide from their seats'
observations, with random numbers that depend on play, seat and period, exactly as on the server.
Here they have no time limit.

For seeds and infos, see `adapters.play`. An info also has `faults`, the number of policies that
failed in the period, whose actions were replaced by the default; `env.faults` has the reasons. Even
at its horizon, a play ends by its own rules, so it is `terminated`, never `truncated`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gymnasium

from mixed_company import policies
from mixed_company.adapters.play import Play
from mixed_company.adapters.plays import seated
from mixed_company.adapters.rendering import MODES
from mixed_company.engine.contract.errors import ActionError, ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Period


class OneSeat(gymnasium.Env[Any, Any]):
    """Environment of one seat.

    game     game to play
    others   policies of the other seats; empty if there are no other seats
    seat     seat of the learner, counted from 0
    form     `flat` or `named`, see `adapters.spaces`
    reveal   optional parts of the infos, see `adapters.play`
    render_mode   `ansi`, `rgb_array` or None, see `adapters.rendering`
    faults   {seat: reason} for the policies that failed in the last period

    Raises ConfigError or UnknownName for a seat, policy, form, part or mode that does not exist.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 2}

    def __init__(
        self,
        game: Game[Any],
        others: str = "",
        seat: int = 0,
        form: str = "flat",
        reveal: Collection[str] = (),
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.seat = seat
        self.render_mode = render_mode
        self.play = Play(game, form, reveal, render_mode)
        self.policies = seated(game, others, [seat])
        self.observation_space = self.play.form.observation_space
        self.action_space = self.play.form.action_space
        self._memories: dict[int, dict[str, Any]] = {}
        self.faults: dict[int, str] = {}
        self._faults: dict[int, str] = {}
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a play; `options` is ignored. Raises ConfigError for an invalid seed."""
        super().reset(seed=seed)
        self.play.reset(seed)
        self._memories = {seat: policy.start() for seat, policy in self.policies.items()}
        self.faults, self._faults, self._over = {}, {}, False
        self._up_to_own_turn()
        return self.play.observation(self.seat), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play one period. Raises ActionError for an invalid action, or if the play is over."""
        if self._over:
            raise ActionError("the play is over; call reset()")
        step = self._period(self.play.action(self.seat, action))
        self.faults, self._faults = self._faults, {}
        self._over = bool(step.seat_done[self.seat])
        if not self._over:
            self._up_to_own_turn()
        return (
            self.play.observation(self.seat),
            float(step.rewards[self.seat]),
            self._over,
            False,
            self._info(step),
        )

    def _info(self, step: Period | None = None) -> dict[str, Any]:
        return self.play.info(self.seat, step) | {"faults": len(self.faults)}

    def render(self) -> Any:
        """Return a picture of the whole state, of which the seat sees only a part."""
        return self.play.render()

    def action_masks(self) -> Array:
        """Return flags for the available choices, for MaskablePPO. Raises ConfigError if actions
        are amounts.
        """
        mask = self.play.mask(self.seat)
        if mask is None:
            raise ConfigError(f"{self.game.id}: its action is not a single choice and has no mask")
        return mask.astype(bool)

    def _period(self, action: dict[str, float]) -> Period:
        """Play a period with the learner's action. If seats decide in turn, those after the learner
        decide now."""
        if self.play.turn is None:
            others = {seat: self._decision(seat) for seat in self.policies}
            return self.play.step({self.seat: action, **others})
        step = self.play.decide(self.seat, action)
        while step is None and (seat := self.play.turn) is not None:
            step = self.play.decide(seat, self._decision(seat))
        return step

    def _up_to_own_turn(self) -> None:
        while (seat := self.play.turn) is not None and seat != self.seat:
            self.play.decide(seat, self._decision(seat))

    def _decision(self, seat: int) -> dict[str, float]:
        play = self.play.episode
        answer = policies.ask_at(play, self.policies[seat], seat, self._memories[seat])
        self._memories[seat] = answer.memory
        if answer.fault:
            self._faults[seat] = answer.fault
        return answer.action
