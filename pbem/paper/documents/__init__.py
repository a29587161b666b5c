"""YAML files: a strict reader, which reports every fault with its place, and a writer."""
