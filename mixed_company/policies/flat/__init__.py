"""What a seat sees and does as plain numbers, for any game, from its declared layout; numpy alone.

observations    the numbers that a seat sees, as one vector
actions         what it does: the index of a choice, or numbers from -1 to 1
"""
