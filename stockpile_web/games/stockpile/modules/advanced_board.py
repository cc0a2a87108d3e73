"""Advanced board: every company has a track of its own, printed in `data.BOARDS`."""

from stockpile_web.games.stockpile.twist import Twist


class AdvancedBoard(Twist):
    """Play on the other side of the board."""

    def board(self, board: str) -> str:
        return "advanced"
