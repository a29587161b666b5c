"""Independent tasks. They are done by this process, by several processes, or by a cluster."""
