"""The archive of a campaign as a static site: built from its public folder, readable without a network or a server."""
