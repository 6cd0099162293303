"""Benchmarks. They print figures, as ratios within one run where possible, and assert nothing."""
