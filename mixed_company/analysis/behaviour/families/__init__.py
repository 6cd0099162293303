"""The models of behaviour, one file each; `analysis.behaviour.model` says what one is."""
