"""The folder of a campaign, written so that a crash loses nothing."""
