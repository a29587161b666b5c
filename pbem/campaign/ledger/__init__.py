"""Ledger of a campaign: signed entries in a chain, the content of the entries, and the public state that is computed
from them."""
