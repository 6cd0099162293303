"""Models of behaviour, one file each; `analysis.behaviour.model` has their base class."""
