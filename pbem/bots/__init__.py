"""Policies that answer decisions."""
