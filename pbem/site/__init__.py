"""Static site of a campaign's archive, made from the public folder, and readable without network or server."""
