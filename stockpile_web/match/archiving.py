"""A match that has ended goes into the archive: into the lists of all, and of all who sat there."""

from sqlalchemy import Connection, delete, insert

from stockpile_web.engine.options import write
from stockpile_web.games import GAMES
from stockpile_web.match import facets, tallies
from stockpile_web.match.options import options_of
from stockpile_web.match.rows import MatchRow, SeatRow
from stockpile_web.storage.models.archive import (
    EVERYBODY,
    Archived,
    list_of,
    list_of_game,
    list_of_group,
    list_of_rule,
)


def keep_outcome(
    connection: Connection, before: MatchRow, match: MatchRow, seats: list[SeatRow]
) -> None:
    """Put a match that has ended into the archive, and its result, once, into sums."""
    keep(connection, match, seats)
    if before.top_score is None and match.top_score is not None:
        tallies.add(connection, match, seats)


def keep(connection: Connection, match: MatchRow, seats: list[SeatRow]) -> None:
    """Put a match into its lists; once more, when more is known of it."""
    options = options_of(match)
    is_public = match.listed and not match.practice
    lists = [list_of(seat.user_id) for seat in seats if seat.user_id is not None]
    if match.group_id is not None and not match.practice:
        lists.append(list_of_group(match.group_id))
    if is_public:
        lists += [EVERYBODY, list_of_game(match.game)]
        lists += [list_of_rule(match.game, key) for key in options]
        lists.append(facets.list_for(connection, match))
    entry = {
        "match_id": match.id,
        "listed": is_public,
        "status": match.status,
        "game": match.game,
        "size": match.size,
        "options": " ".join(("", *write(GAMES[match.game], options), "")),
        "ended_at": match.ended_at,
        "moves": max(match.version - 1, 0),
        "closeness": None if match.margin is None else -match.margin,
        "top_score": match.top_score,
    }
    connection.execute(delete(Archived).where(Archived.match_id == match.id))
    if lists:
        connection.execute(insert(Archived), [{**entry, "whose": whose} for whose in lists])
