"""A game as a PettingZoo environment: all seats at once (`Together`) or in turn (`InTurn`).

    env = Together(engine.make("commons_game", archetype="lab"))
    observations, infos = env.reset(seed=7)
    while env.agents:
        actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        observations, rewards, terminations, truncations, infos = env.step(actions)

Agents are `seat_0`, `seat_1`, ... . For seeds and infos, see `adapters.play`. Even at its horizon,
a play ends by its own rules, so it is `terminated`, never `truncated`. An agent whose seat has
ended is removed.

`state()` is the game's whole state, for a critic that is used only in training. It includes values
that observations hide. Neither a seat in a session nor an exported policy can see it, so a policy
that reads it cannot play.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from mixed_company.adapters.play import Play
from mixed_company.adapters.rendering import MODES
from mixed_company.engine.contract.errors import ActionError, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Period
from mixed_company.policies.bench import check_together


class _Seats:
    """Base class of both environments: agents, spaces, and a play."""

    def __init__(
        self,
        game: Game[Any],
        form: str = "flat",
        reveal: Collection[str] = (),
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.play = Play(game, form, reveal, render_mode)
        self.metadata: dict[str, Any] = {
            "name": f"{game.id}_v{game.version}",
            "render_modes": list(MODES),
            "render_fps": 2,
            "is_parallelizable": True,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.state_space = self.play.form.state_space

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space, which all agents share."""
        return self.play.form.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space, which all agents share, so it needs to be seeded only once."""
        return self.play.form.action_space

    def state(self) -> Array:
        """Return the whole state for critics in training. Seats and their policies never see it."""
        return self.play.state()

    def render(self) -> Any:
        """Return a picture of the whole state, of which seats see only a part."""
        return self.play.render()

    def close(self) -> None:
        """Ignore the call, because there is nothing to release."""


class Together(_Seats, ParallelEnv[str, Any, Any]):
    """Environment in which all seats decide together.

    `form` is `flat` or `named` (see `adapters.spaces`). `adapters.play` explains `reveal`, and
    `adapters.rendering` explains `render_mode`.

    Raises ConfigError for an unknown form and for a game whose seats decide in turn, and
    UnknownName for an unknown name in `reveal`.
    """

    def __init__(self, game: Game[Any], *args: Any, **settings: Any) -> None:
        check_together(game)
        super().__init__(game, *args, **settings)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start a play; `options` is ignored. Raises ConfigError for an invalid seed."""
        self.play.reset(seed)
        self.agents = list(self.possible_agents)
        seen, infos = self.play.observations(), self.play.infos(range(self.game.seats))
        seats = self._seats.items()
        return (
            {agent: seen[seat] for agent, seat in seats},
            {agent: infos[seat] for agent, seat in seats},
        )

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Any],
        dict[str, Any],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play one period. After the end, `step({})` returns empty dictionaries.

        Raises ActionError for a missing or invalid action, and for an unknown agent.
        """
        if not actions and not self.agents and self.play.has_begun:
            return {}, {}, {}, {}, {}
        self._check_names(actions)
        live = {agent: self._seats[agent] for agent in self.agents}
        step = self.play.step_together({seat: actions[agent] for agent, seat in live.items()})
        done, rewards = step.seat_done.tolist(), self._rewards(step)
        self.agents = [agent for agent, seat in live.items() if not done[seat]]
        seen, infos = self.play.observations(), self.play.infos(list(live.values()), step)
        return (
            {agent: seen[seat] for agent, seat in live.items()},
            {agent: rewards[seat] for agent, seat in live.items()},
            {agent: done[seat] for agent, seat in live.items()},
            dict.fromkeys(live, False),
            {agent: infos[seat] for agent, seat in live.items()},
        )

    def _rewards(self, step: Period) -> Sequence[Any]:
        """Return the reward of every seat."""
        rewards: list[float] = step.rewards.tolist()
        return rewards

    def _check_names(self, actions: dict[str, Any]) -> None:
        if not self.agents:
            raise ActionError("no agent is left to act; call reset()")
        for agent in actions:
            if agent not in self.agents:
                raise ActionError(
                    f"agent {short(agent)}: not in `agents`{nearest(agent, self.agents)}"
                )
        for agent in self.agents:
            if agent not in actions:
                raise ActionError(f"agent {agent!r}: its action is missing")


class InTurn(_Seats, AECEnv[str, Any, Any]):
    """Environment in which seats act one after the other; the last seat's action ends the period.

    If the game's seats decide in turn, the game sets their order, and later seats see the earlier
    decisions. Otherwise they act in order of their numbers. An invalid action is rejected at
    once, not at the end of the period.
    """

    agent_selection: str

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a play; `options` is ignored. Raises ConfigError for an invalid seed."""
        self.play.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self.play.info(seat) for agent, seat in self._seats.items()}
        self._sent: dict[int, dict[str, float]] = {}
        self._skip_agent_selection = None
        self._next()

    def observe(self, agent: str) -> Any:
        """Return an agent's current observation."""
        return self.play.observation(self._seats[agent])

    def step(self, action: Any) -> None:
        """Take the action of `agent_selection`, or None for an agent that has ended.

        Raises ActionError for an invalid action; the same agent must then act again.
        """
        if not self.agents:
            raise ActionError("no agent is left to act; call reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        step = self._take_action(seat, self.play.action(seat, action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if step is not None:
            self._settle(step)
            self._accumulate_rewards()
        self._next()
        self._deads_step_first()

    def _take_action(self, seat: int, action: dict[str, float]) -> Period | None:
        """Take one seat's action. Return the period if this was the last seat to act."""
        if self.play.turn is not None:
            return self.play.decide(seat, action)
        self._sent[seat] = action
        if self._waiting():
            return None
        sent, self._sent = self._sent, {}
        return self.play.step(sent)

    def _waiting(self) -> list[str]:
        """Return the agents that have not yet acted in this period."""
        live = [agent for agent in self.agents if not self.terminations[agent]]
        return [agent for agent in live if self._seats[agent] not in self._sent]

    def _next(self) -> None:
        turn = self.play.turn
        waiting = self._waiting() if turn is None else [self.possible_agents[turn]]
        if waiting:
            self.agent_selection = waiting[0]

    def _settle(self, step: Period) -> None:
        for agent in self.agents:
            seat = self._seats[agent]
            self.rewards[agent] = float(step.rewards[seat])
            self.terminations[agent] = bool(step.seat_done[seat])
            self.infos[agent] = self.play.info(seat, step)
