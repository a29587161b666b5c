"""Work of a moderator: campaigns founded, letters taken, orders carried out, mails written; without click and print."""
