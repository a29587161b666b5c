"""Letters of the moderator as data: reports, receipts, invitations, reminders and order sheets."""
