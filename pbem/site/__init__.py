"""Static site of a campaign's archive. It is made from the campaign's public folder, and can be read without a network
or a server."""
