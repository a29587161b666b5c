"""The player: letters checked, tried, sealed, signed and opened; nothing is printed here."""
