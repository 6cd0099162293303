"""Compare an export with its plan.

checking     remarks about missing or impossible parts of a plan
powered      the power of its hypotheses, by number of groups
tested       its hypotheses, each with one test, corrected within families
over_space   regressions for a plan with a space
status       interim looks, whether tests are confirmatory, and their results in words
deviations   deviations from the plan that the data show
"""
