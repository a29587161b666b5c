"""Lets `python -m pbem` do what `pbem` does."""

from pbem.cli import main

main(prog_name="pbem")
