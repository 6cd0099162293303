"""Comparison, training and judging of policies.

training     training and judging of policies; the only package that imports torch
tournament   every policy with itself and against every other one
exploit      gains of a deviator against a policy
metagame     populations that choose among policies
"""
