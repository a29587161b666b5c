"""Files that people write and read, converted to typed values. Every fault in a file is reported with its place."""
