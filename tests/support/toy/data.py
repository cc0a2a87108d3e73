"""What is printed."""

TEN = 10
NUMBERS = range(1, 10)
COPIES = 4
HAND = 6  # Usually.
HANDS = range(4, 9, 2)
SHORT_HAND = 3
