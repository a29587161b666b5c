"""The console: common parts of all terminal commands. It knows click, prints, and puts refusals into words."""
