"""The nodes that all conditions are made of, one file a kind of work."""
