"""Comparing, training and judging policies.

training     training and judging policies; the only package that imports torch
tournament   every policy plays with copies of itself and with every other policy
exploit      how much one seat can gain when all other seats follow a policy
metagame     populations whose members choose among policies
"""
