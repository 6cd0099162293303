"""An experiment: which games are played how often from which seed, and what came of it.

    trial = Experiment("fees", {"none": {...}, "fee": {...}}, plays=20, seed=7)
    results = trial.run(lambda episode: rollout(episode, policies))
    results.rows[0].points

A treatment is a whole configuration. The seeds of its plays follow from the experiment's seed and
the treatment's name, so that no two treatments share chance, and neither another treatment nor
more plays change what was played before. Who plays is given from above: the engine knows nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.chance import check_seed, play_seeds, stream
from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.engine.contract.errors import ConfigError, EngineError, LogError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period

__all__ = ["Experiment", "Results", "Row"]

Players = Callable[[Episode], Iterable[Period]]
"""Plays an episode to its end, and gives its periods."""


@dataclass(frozen=True)
class Row:
    """What a seat got of a play.

    play      number within its treatment, from 0
    points    the return of the seat
    reason, result   why it was over for the seat, and whether it was success, failure or neither
    """

    treatment: str
    play: int
    seed: int
    seat: int
    role: str
    points: float
    periods: int
    reason: str
    result: str


@dataclass(frozen=True)
class Experiment:
    """Treatments by name, each a whole configuration as JSON, and so many plays of each.

    Raises ConfigError for no treatment, for fewer plays than one, for a bad seed, and for a
    treatment that cannot be played, by its name.
    """

    name: str
    treatments: Mapping[str, Mapping[str, Any]]
    plays: int
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.treatments:
            raise ConfigError(f"experiment {self.name!r}: treatments: is empty")
        if isinstance(self.plays, bool) or not isinstance(self.plays, int) or self.plays < 1:
            raise ConfigError(f"plays = {self.plays!r}: a whole number, at least 1")
        check_seed(self.seed)
        for treatment in self.treatments:
            self.game(treatment)

    @classmethod
    def of(cls, name: str, games: Mapping[str, Game[Any]], plays: int, seed: int = 0) -> Experiment:
        """An experiment of games that have been made."""
        return cls(
            name,
            {key: game.config.model_dump(mode="json") for key, game in games.items()},
            plays,
            seed,
        )

    def game(self, treatment: str) -> Game[Any]:
        """The game of a treatment."""
        try:
            return engine.make(self.treatments[treatment])
        except EngineError as error:
            raise ConfigError(f"treatment {treatment!r}: {error}") from None

    def seeds(self, treatment: str) -> Array:
        """(plays,) the seeds of the plays of a treatment."""
        own = int(stream(self.seed, f"treatment {treatment}").bits() >> 1)
        return play_seeds(own, range(self.plays))

    def run(self, players: Players) -> Results:
        """Play all; `players` plays each episode to its end. Raises ConfigError where it stops."""
        rows = [row for treatment in self.treatments for row in self._played(treatment, players)]
        return Results(self, tuple(rows))

    def _played(self, treatment: str, players: Players) -> Iterator[Row]:
        game = self.game(treatment)
        roles = roles_of_seats(game.config.agents, game.seats)
        for play, seed in enumerate(self.seeds(treatment).tolist()):
            episode = Episode(game, seed)
            points, step = [0.0] * game.seats, None
            for step in players(episode):
                rewards = step.rewards.tolist()
                points = [sum(pair) for pair in zip(points, rewards, strict=True)]
            if step is None or not step.done:
                raise ConfigError(
                    f"treatment {treatment!r}, play {play}: was not played to its end"
                )
            for seat, (role, own) in enumerate(zip(roles, points, strict=True)):
                why = (str(step.seat_reasons[seat]), str(step.seat_results[seat]))
                yield Row(treatment, play, seed, seat, role, own, episode.period, *why)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**asdict(self), "treatments": {k: dict(v) for k, v in self.treatments.items()}}


@dataclass(frozen=True)
class Results:
    """What came of an experiment: a row per play and seat, in order."""

    experiment: Experiment
    rows: tuple[Row, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; the same experiment and players give the same."""
        return {"experiment": self.experiment.to_json(), "rows": [asdict(row) for row in self.rows]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Results:
        """What `to_json` described. Raises LogError if it is no such thing, else ConfigError."""
        try:
            experiment = Experiment(**data["experiment"])
            return cls(experiment, tuple(Row(**row) for row in data["rows"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise LogError(f"not the results of an experiment: {error}") from None
