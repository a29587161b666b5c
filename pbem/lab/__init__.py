"""Games and campaigns that are played by bots: for demonstrations, contests, counts and tests."""
