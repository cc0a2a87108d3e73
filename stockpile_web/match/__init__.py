"""What can happen to a match; no HTTP and no HTML here."""
