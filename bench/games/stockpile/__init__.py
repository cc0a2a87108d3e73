"""How Stockpile plays: how even its pieces are, and how often it waits for somebody."""
