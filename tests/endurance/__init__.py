"""A year of campaigns in a few minutes: everything that happens to letters, rulings and disks, and nothing lost."""
