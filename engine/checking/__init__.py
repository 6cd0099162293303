"""The checks of the conformance kit; `engine.check` runs them."""
