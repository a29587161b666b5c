"""Records of games as lines of JSON. They have every decision with its legal answers, the answer that was given, and
the events that followed."""
