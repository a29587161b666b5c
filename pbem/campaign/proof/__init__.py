"""The close of a campaign, and the checks of its ledger and reports."""
