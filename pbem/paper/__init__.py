"""What people write and read as files, as typed values, with the place of every fault."""
