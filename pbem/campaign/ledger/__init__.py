"""The ledger: signed entries in a chain, their bodies, and the public state that follows from them."""
