"""Tests of the room `pbem.post`."""
