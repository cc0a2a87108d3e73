"""How strong players are at a game: Plackett-Luce after Weng and Lin (2011), by openskill.

What is believed of a player is a bell curve. After a match the beliefs of all who were rated in it
change by their places: more for a surprise, and more the less was known. docs/rulings/ratings.md
says which matches and which seats count.
"""

from collections.abc import Sequence
from typing import NamedTuple

from stockpile_web.storage.models import Rating

POINTS = 30  # Of what is shown, for one of openskill's: near to what chess players are used to.
MIDDLE = 1500  # What is shown of a newcomer.
SURE_AFTER = 10  # Matches. Until then a player stands apart in the list.


class Belief(NamedTuple):
    """What is believed of a player: the mean of a bell curve and its standard deviation."""

    strength: float = 25.0
    doubt: float = 25.0 / 3

    @property
    def at_least(self) -> float:
        """By this players are compared: what they are worth with about 97 in 100."""
        return self.strength - 2 * self.doubt

    @property
    def points(self) -> int:
        """The rating, as it is shown."""
        return round(MIDDLE + POINTS * (self.strength - 25))

    @property
    def margin(self) -> int:
        """How far off it may be, as it is shown: with about 95 in 100 no farther than this."""
        return round(2 * POINTS * self.doubt)


def newcomer(game: str, *, user_id: int | None = None, bot: str | None = None) -> Rating:
    """Return the rating of somebody of whom nothing is known yet."""
    belief = Belief()
    return Rating(
        game=game, user_id=user_id, bot=bot, matches=0,
        strength=belief.strength, doubt=belief.doubt, at_least=belief.at_least,
    )  # fmt: skip


def after_match(beliefs: Sequence[Belief], places: Sequence[int]) -> list[Belief]:
    """Return what is believed of players after a match in which they came to these places."""
    # Loaded here: it takes megabytes that only the worker needs.
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    teams = [[model.rating(mu=belief.strength, sigma=belief.doubt)] for belief in beliefs]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Belief(player.mu, player.sigma) for (player,) in rated]
