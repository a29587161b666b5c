"""Plans as people write them."""
