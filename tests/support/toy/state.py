"""Everything that lies on the table."""

from stockpile_web.engine import Record, Seat


class State(Record):
    """The whole game; `picked` is the turn that is being built."""

    hands: list[list[int]]
    laid: list[list[int]]
    turn: Seat = 0
    picked: list[int] = []
    out: list[Seat] = []
    deck: list[int] = []  # Not dealt.

    @property
    def round(self) -> int:
        """There is one round."""
        return 1

    @property
    def phase(self) -> str:
        """What is done; when all are out, it is over."""
        return "laying" if len(self.out) < len(self.hands) else "over"

    def left(self) -> list[int]:
        """Return the hand of whoever is on turn, without what was picked."""
        left = self.hands[self.turn][:]
        for card in self.picked:
            left.remove(card)
        return left
