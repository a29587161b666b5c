"""Plans: answers given in advance to later decisions (docs/plans.md)."""
