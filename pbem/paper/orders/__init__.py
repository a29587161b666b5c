"""Order files: reading and writing them, answers from them, and trials of them."""
