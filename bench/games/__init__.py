"""Measurements of one game alone, in a folder of its own."""
