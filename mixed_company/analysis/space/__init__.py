"""Analyse a plan with a space, in one regression on all variables of the space.

columns      the regression's columns: scaled ranges and choices
fitting      the regression of the points' means, with HC3 errors, and the test of a hypothesis
             about a variable
predicting   predictions for held-out points
powered      the hypotheses' power, and the effects that they detect

The formulas are in docs/space_analysis.md.
"""
