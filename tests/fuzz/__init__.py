"""Hostile input of every kind: mutated files, letters, folders and arguments; `python -m tests.long fuzz` runs long."""
