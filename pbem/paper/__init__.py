"""Files that people write and read, as typed values, with the place of every fault."""
