"""Files of plans, and orders ahead, as typed values."""
