"""Post office: it fetches mails, runs the evening of every campaign, and sends each mail once."""
