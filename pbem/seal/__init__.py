"""Keys, signatures, sealed boxes, commitments and the provable deal, as `docs/protocol-seal.md` specifies them."""
