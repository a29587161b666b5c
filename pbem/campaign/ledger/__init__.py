"""Ledger of a campaign: signed entries in a chain, and the public state that is computed from them."""
