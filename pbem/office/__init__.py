"""The post office: fetches mails, runs the evening of every campaign, and sends what it leaves, each thing once."""
