"""A seat's observations and actions as plain numbers, from any game's layout; numpy only.

observations    a seat's observations as one vector
actions         a seat's action: the index of a choice, or numbers from -1 to 1
"""
