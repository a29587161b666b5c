"""Measures what the program promises to be quick at: `python -m tests.bench`."""
