"""The moderator's letters as data: reports, receipts, invitations, reminders, order sheets."""
