"""The campaign folder: its ledger, players, deadlines, and the adjudicator's loop."""
