"""Order files: reading, writing and trying them, and making answers of their orders."""
