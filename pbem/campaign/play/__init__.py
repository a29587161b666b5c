"""The moderator's side: letters are carried out, and what else a moderator decides."""
