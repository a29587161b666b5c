"""Post: modules that take letters out of incoming mails, mailboxes and forum pages, and that put letters into outgoing
mails and forum posts."""
