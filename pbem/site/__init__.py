"""Site of a campaign's archive, made of static files. It can be read without a network and without a server."""
