"""The console: what commands in a terminal share; it knows click, prints, and says in words what is refused."""
