"""Policies compared, trained and judged.

training     how trained policies are made and judged; the only place that imports torch
tournament   every policy with itself and against every other one
exploit      what a deviator gains against a policy
metagame     what becomes of populations that choose among policies
"""
