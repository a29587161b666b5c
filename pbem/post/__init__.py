"""Post: letters out of incoming mails, mailboxes and forum pages, and into outgoing mails and forum posts."""
