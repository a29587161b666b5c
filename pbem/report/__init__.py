"""What players read and see: reports in words and pictures of the board."""
