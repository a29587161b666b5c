"""Static site of a campaign's archive: built from its public folder, readable without a network or a server."""
