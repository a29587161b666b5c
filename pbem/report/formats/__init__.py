"""Formats of reports and letters: plain text, web pages for mail programs, and posts for forums."""
