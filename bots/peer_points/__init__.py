"""Policies for the second stage of a period, in which seats assign points to each other.

They decide whom to punish or reward once the period's decisions are seen. Each is combined with a
policy of the first stage, as in `conditional_cooperator+punishes_below_average`.
"""
