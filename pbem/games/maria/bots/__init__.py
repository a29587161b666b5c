"""What only the bots of MARIA know."""
