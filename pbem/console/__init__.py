"""The console: common parts of all commands in a terminal. It knows click, prints, and puts refusals into words."""
