"""One module a kind of goal, and the registry that picks among them."""
