"""An export against its plan: what was planned, tested as planned, and what was done otherwise.

checking     what is missing in a plan, or impossible
powered      how many groups its hypotheses need
tested       its hypotheses, each by its one test, corrected within families
deviations   what the data show of how it was not done as planned
"""
