"""YAML as people write it: read strictly, every fault with its place, and written again."""
