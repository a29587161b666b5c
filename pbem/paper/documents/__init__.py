"""YAML as people write it: a strict reader that reports every fault with its place, and a writer."""
