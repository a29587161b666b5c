"""What reaches a reader: every artefact of a campaign, and whether it tells what its reader may not know."""
