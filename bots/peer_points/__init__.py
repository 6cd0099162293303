"""Policies for the second stage of a period, in which seats assign points to each other.

They decide whom to punish or reward after seeing the period's decisions. Each policy is combined
with one for the first stage, as in `conditional_cooperator+punishes_below_average`.
"""
