"""Comparing, training and judging policies.

training     training policies and judging them; the only package that imports torch
tournament   every policy with copies of itself and with every other policy
exploit      how much a seat can gain when all others follow a policy
metagame     populations whose members choose among policies
"""
