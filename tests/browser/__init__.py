"""Whole flows in a real Chromium, with one browser context for each player."""
