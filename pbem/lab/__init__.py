"""Campaigns that bots play by letters: for demonstrations, for counting letters, for tests."""
