"""Work of a moderator: founding campaigns, taking letters, carrying out orders, and writing mails. Nothing is printed
here."""
