"""Independent pieces of work, done by this process, by several, or by a cluster."""
