"""Conditions as graphs: what is done between a request and the one generation. Import the modules that you use."""
