"""Plans: answers in advance to the choices that come later, played against each other (docs/plans.md)."""
