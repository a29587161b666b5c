"""Formats of reports and letters: plain text, pages for mail programs, posts for forums."""
