"""Policies that answer decisions for bots and absent players."""
