"""Keys, signatures, sealed boxes, commitments and the provable deal; specified in `docs/protocol-seal.md`."""
