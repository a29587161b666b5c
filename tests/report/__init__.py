"""What players read and what programs get: accounts, positions, JSON, and that no secret leaves the house."""
