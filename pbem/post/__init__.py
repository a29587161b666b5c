"""Letters on their way: out of mails, mailboxes and forum pages as they come, and into mails and forum posts."""
