"""Models of behaviour, one per file. Their base class is in `analysis.behaviour.model`."""
