"""What is printed."""

TEN = 10
NUMBERS = range(1, 10)
COPIES = 4
HAND = 6
