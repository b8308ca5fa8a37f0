"""Outputs that other tools produced: found in their published layout, and made into a run that can be scored."""
