"""Order files: orders are read, written and tried on a position, and answers to decisions are made of them."""
