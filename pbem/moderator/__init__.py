"""The moderator's work: founding campaigns, taking letters, carrying out orders, and writing mails. Nothing is printed
here."""
