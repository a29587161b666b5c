"""Order files: read, answered from, tried, and written."""
