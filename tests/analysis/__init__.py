"""Tests of the analysis of exports."""
