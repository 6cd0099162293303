from __future__ import annotations

import numpy as np

from bots.peer_points.reading import Assigns
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Range, Seats


class Retaliates(Assigns):
    """Punishes the seats that punished it last period; if they are unknown, the most generous."""

    id = "retaliates"
    source = (
        "Herrmann, Thoeni and Gaechter (2008), Science 319(5868): revenge for punishment received "
        "in the previous period; whom to target if punishers are unknown is our choice"
    )
    parameters = {"share": Range(1.0, 0.0, 10.0)}
    apiece = True

    def wishes(self, seats: Seats) -> Array:
        share = np.broadcast_to(self.settings["share"], (seats.count,))[:, None]
        punished = self.punishment(seats.seen["received"].astype(np.float64))
        from_whom = seats.seen.get("received_from")
        if from_whom is not None and not np.isnan(from_whom).all():
            return self.punishment(share * np.maximum(self.punishment(from_whom), 0.0))
        above = self.above_average(seats)
        above[seats.rows, seats.seat] = np.nan
        highest = np.nan_to_num(above, nan=-np.inf)
        likely = highest == highest.max(axis=-1, keepdims=True)
        shares = (
            np.maximum(punished, 0.0)[:, None]
            * likely
            / np.maximum(likely.sum(axis=-1), 1)[:, None]
        )
        return self.punishment(share * shares)
