"""FRIEDRICH, the Seven Years' War."""
