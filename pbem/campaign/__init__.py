"""A campaign: its folder and ledger, its players and deadlines, and the adjudication of orders."""
