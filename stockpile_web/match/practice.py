"""Practice tables while they are played: one person among bots, and nothing counts."""

from collections.abc import Mapping

from stockpile_web.engine import Seat
from stockpile_web.match import driving
from stockpile_web.match.glance import Glance, seen_by
from stockpile_web.match.seating import Refused
from stockpile_web.match.turn import Turn
from stockpile_web.storage.models.matches import PLAYING


def is_open(seen: Glance) -> bool:
    """Tell whether the viewer practises here: at a practice table at which no other person sits.

    That is the one gate to all help. A seat for which a bot stands in is its person's all the same.
    """
    others = (seat for seat in seen.seats if seat.number != seen.viewer)
    is_alone = seen.viewer is not None and all(seat.user_id is None for seat in others)
    return seen.match.practice and seen.match.status == PLAYING and is_alone


def change_bots(turn: Turn, user_id: int, chosen: Mapping[Seat, str]) -> None:
    """Let other bots play the seats of bots from now on; their names stay."""
    if not is_open(seen_by(turn.match, turn.seats, user_id)):
        raise Refused("Bots can be changed at practice tables only, while they are played.")
    for seat in turn.seats:
        bot = chosen.get(seat.number, seat.bot)
        if seat.user_id is not None or bot == seat.bot or bot not in turn.game.BOTS:
            continue
        seat.bot = bot
        seat.stop_clock()
        if seat.on_turn and turn.game.BOTS[bot].thinks:
            seat.acts_at = turn.moment
    driving.play_on(turn)  # Whoever need not think moves at once.
