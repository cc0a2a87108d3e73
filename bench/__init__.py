"""What is measured, and how: each file prints a table and, last, one line of JSON."""
