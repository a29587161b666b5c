"""A slow second opinion on the rules of movement, supply and retreat, for the tests."""
