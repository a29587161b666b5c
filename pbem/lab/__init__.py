"""Games and campaigns that bots play, for demonstrations, contests, counts and tests."""
