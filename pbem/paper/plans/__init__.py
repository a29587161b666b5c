"""Files of plans, and orders ahead, converted to typed values."""
