"""What is wrong, as data, and the table of words in which it is told."""
