"""Many pieces of work of which none depends on another, done by this process, by several, or by a cluster."""
