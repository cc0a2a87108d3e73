"""The questions that the base rules ask of every module; the default answer is "no change"."""


class Twist:
    """A change to the base rules."""

    def board(self, board: str) -> str:
        """Which side of the board is used?"""
        return board
