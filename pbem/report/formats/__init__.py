"""How what is reported is dressed: the same data as plain text, and as text for a forum."""
