"""Properties that hold whatever anybody answers."""
