"""How many groups an experiment needs.

needed     by the t test, from an effect, a standard deviation and an intraclass correlation
piloted    mean, standard deviation and intraclass correlation of an export
power      by simulation, with policies in people's places
"""

from __future__ import annotations

from mixed_company.analysis.power.needed import Design, Needed, needed
from mixed_company.analysis.power.pilot import Pilot, piloted
from mixed_company.analysis.power.simulation import power

__all__ = ["Design", "Needed", "Pilot", "needed", "piloted", "power"]
