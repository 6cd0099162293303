"""Sample sizes and power of experiments.

needed     number of groups that a t test needs for an effect, a standard deviation and a
           correlation
piloted    mean, standard deviation and intraclass correlation in an export
power      power by simulation, with policies in place of people
"""

from __future__ import annotations

from mixed_company.analysis.power.needed import Design, Needed, Pilot, needed, piloted
from mixed_company.analysis.power.simulation import power

__all__ = ["Design", "Needed", "Pilot", "needed", "piloted", "power"]
