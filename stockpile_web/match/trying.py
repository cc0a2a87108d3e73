"""Trying a game: a practice table with bots on all other seats, begun at once with the guide."""

from functools import partial

from stockpile_web.engine import Game
from stockpile_web.games import GAMES
from stockpile_web.match import seating
from stockpile_web.match.bots import steadiest
from stockpile_web.match.turn import changing
from stockpile_web.match.what_if import PACE
from stockpile_web.storage.models.people import Person

USUAL_SIZE = 4  # Players, where a game takes so many.
FIRST_ROUND = 1  # What comes before it is explained, too.


def begin(person: Person, slug: str) -> int:
    """Set up a practice table as it is usually played, begin, and return its number."""
    game = GAMES[slug]
    table = partial(
        seating.create,
        host=person,
        game=slug,
        size=usual_size(game),
        options={option.key: 1 for option in game.OPTIONS if option.usual},
        listed=False,
        pace=PACE,
        open_chat=False,
        name=f"Trying {game.TITLE}",
        practice=True,
    )
    with changing(table) as turn:
        turn.seat_of(person.id).guided = FIRST_ROUND
        seating.start_with_bots(turn, steadiest(game))
    return turn.match.id


def usual_size(game: Game) -> int:
    """Return how many play a game at a first table."""
    return min(max(USUAL_SIZE, game.SEATS[0]), game.SEATS[-1])
