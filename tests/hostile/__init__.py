"""People, programs and files that mean harm, and what comes of it: nothing but a clear answer."""
