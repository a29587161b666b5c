"""What only the bots of FRIEDRICH know."""
