"""Static site of a campaign's archive, which needs no network or server."""
