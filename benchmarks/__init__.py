"""Benchmarks. They print figures, if possible as ratios within one run, and assert nothing."""
