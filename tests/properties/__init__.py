"""What must hold whatever anybody answers."""
