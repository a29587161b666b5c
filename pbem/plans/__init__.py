"""Plans: answers given in advance to later decisions, and plans played against each other (docs/plans.md)."""
