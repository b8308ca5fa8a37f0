"""Procedural puzzles: pictures with one goal each, whose right and wrong answers are known pixel by pixel."""
