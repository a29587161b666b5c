"""Order files: reading, writing and trying them, and changing them into answers."""
