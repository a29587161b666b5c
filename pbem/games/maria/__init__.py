"""MARIA, the War of the Austrian Succession."""
