"""Figures: printed as ratios in one run, never asserted."""
