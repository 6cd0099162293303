"""Tests of the folder of a paper."""
