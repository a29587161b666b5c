"""YAML files: a strict reader that reports every fault with its place, and a writer."""
