"""What every game obeys."""
