"""Faults as data, and the table of their wordings."""
