"""The end of a campaign, and everything that holds it to its word."""
