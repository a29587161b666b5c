"""Search for leaks: every artefact of a campaign is checked for facts that its reader may not know."""
