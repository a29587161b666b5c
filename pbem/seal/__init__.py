"""Keys, signatures, sealed boxes, commitments and the provable deal. They are specified in `docs/protocol-seal.md`."""
