"""Analysis of a plan with a space: one regression on all variables of the space.

columns      the columns of the regression: scaled ranges and choices
fitting      the regression of the means of points, with HC3 errors
deciding     the test of a hypothesis about a variable
predicting   predictions of points that were held out
powered      power of hypotheses, and the effects that they detect

See docs/space_analysis.md for the formulae.
"""
