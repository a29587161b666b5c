"""The moderator's work: founding campaigns, taking letters, carrying out orders, writing mails. Nothing is printed
here."""
