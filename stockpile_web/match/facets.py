"""Facets of the archive: which games were played by how many, and by which rules together.

There are few of them however many matches there are, and each is a list of its own. So a search for
what was never played is answered at once, and one for what was seldom played passes nothing else.
"""

from collections.abc import Iterable

from sqlalchemy import Connection, select

from stockpile_web.engine.options import write
from stockpile_web.games import GAMES
from stockpile_web.match.options import options_of
from stockpile_web.match.rows import MatchRow
from stockpile_web.storage.models.archive import Facet, list_of_facet
from stockpile_web.storage.upserts import insert_into


def list_for(connection: Connection, match: MatchRow) -> str:
    """Return the list of matches that were played like this one."""
    game = GAMES[match.game]
    switches = {option.key for option in game.OPTIONS if option.numbers is None}
    rules = {key: on for key, on in options_of(match).items() if key in switches}
    values = {
        "game": match.game,
        "size": match.size,
        "options": " ".join(("", *write(game, rules), "")),
    }
    insert = insert_into(Facet, connection.dialect).values(values)
    connection.execute(insert.on_conflict_do_nothing(index_elements=list(values)))
    number = connection.scalar(select(Facet.id).filter_by(**values))
    return list_of_facet(number or 0)


def lists_with(
    connection: Connection,
    game: str,
    size: int | None,
    played_with: Iterable[str],
    played_without: Iterable[str],
) -> list[str]:
    """Return the lists in which all is that was played like that; none if nothing was."""
    found = select(Facet.id).order_by(Facet.id)
    if game:
        found = found.where(Facet.game == game)
    if size is not None:
        found = found.where(Facet.size == size)
    for word in played_with:
        found = found.where(Facet.options.contains(f" {word} ", autoescape=True))
    for word in played_without:
        found = found.where(~Facet.options.contains(f" {word} ", autoescape=True))
    return [list_of_facet(number) for number in connection.scalars(found)]
