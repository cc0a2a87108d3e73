"""Where rules meet the database: starting a match, taking a turn, leaving orders, going on."""

import secrets
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.orm import Session
from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Dealer, Game, IllegalMove, Seat, codec
from stockpile_web.games import GAMES
from stockpile_web.match.table_view import Glance, looked_at
from stockpile_web.match.time_controls import full_bank
from stockpile_web.match.turn import Playing
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import PLAYING, Match

OUT_OF_THE_WAY = 1000


class StaleMove(Exception):
    """The page was older than the table."""


def start(session: Session, match: Match) -> None:
    """Seat the players at random, deal, and let the first of them act."""
    places = list(match.places)
    seats = list(range(len(places)))
    secrets.SystemRandom().shuffle(seats)
    for place in places:  # In two steps: no two may hold one seat, not even for a moment.
        place.seat += OUT_OF_THE_WAY
    session.flush()
    for place, seat in zip(places, seats, strict=True):
        place.seat, place.bank = seat, full_bank(match.pace)
    game = GAMES[match.game]
    match.seed = secrets.token_hex(32)
    match.rules_version = game.VERSION
    match.status = PLAYING
    match.started_at = now()
    session.flush()
    dealer = Dealer(match.seed, 0)
    state = game.setup(match.size, frozenset(match.options.split()), dealer)
    playing = Playing(session.connection(), match.id)
    playing.state = state
    playing.record(None, "", dealer.events)
    playing.let_bots_move()
    playing.save()
    session.expire_all()


def submit(
    connection: Connection, match_id: int, user_id: int, form: MultiDict[str, str]
) -> tuple[Glance, Any]:
    """Play the moves in `form` for the seat of `user_id`, and record all that follows from them.

    Return the match as this person sees it now, and its state. The same form sent twice counts
    once; a form from before the seat's last move is stale.
    """
    playing = Playing(connection, match_id)
    place = playing.place_of(user_id)
    seat: Seat = place.seat
    digest: str | None = _digest(form)
    if form.get("moves_made") != str(place.moves_made):
        if playing.has_seen(seat, form.get("moves_made", ""), digest):
            return looked_at(playing.match, playing.places, user_id), playing.state
        raise StaleMove
    if playing.match.status != PLAYING:
        raise StaleMove
    first, *rest = read_moves(playing.game, form)
    playing.places[seat] = place._replace(bot=None)  # Whoever moves is back.
    asked_in = playing.phase if rest else ""
    playing.take_turn(seat, first, digest)
    for move in rest:
        # Whoever has sold their last card is done without saying so, and may be asked something
        # else by now: that they say so all the same is no answer to it.
        if move == rest[-1]:
            is_asked = playing.phase == asked_in and playing.game.legal(playing.state, seat)
            if not is_asked:
                break
        playing.take_turn(seat, move)
    playing.let_bots_move()
    playing.save()
    return looked_at(playing.match, playing.places, user_id), playing.state


def leave_orders(
    connection: Connection, match_id: int, user_id: int, form: MultiDict[str, str]
) -> tuple[Glance, Any, bool]:
    """Let the seat of `user_id` have the orders in `form`.

    Return the match as this person sees it now, its state, and whether anybody has moved by that.
    A form from before the seat's last move is stale: what it orders may be used up.
    """
    playing = Playing(connection, match_id)
    place, orders = playing.place_of(user_id), playing.game.ORDERS
    is_fresh = form.get("moves_made") == str(place.moves_made)
    if orders is None or playing.match.status != PLAYING or not is_fresh:
        raise StaleMove
    view = playing.game.view(playing.state, place.seat)
    playing.books.leave(place.seat, orders.Book() if "clear" in form else orders.read(form, view))
    playing.let_bots_move()
    playing.save()
    return looked_at(playing.match, playing.places, user_id), playing.state, bool(playing.rows)


def go_on(session: Session, match_id: int) -> None:
    """Let bots move where a seat has just been given to one."""
    playing = Playing(session.connection(), match_id)
    playing.let_bots_move()
    playing.save()
    session.expire_all()


def read_moves(game: Game, form: MultiDict[str, str]) -> list[Any]:
    """Read the moves of a form: those named `before.*`, then `move` with all its parts.

    A part `part.*` always counts, a part `for.word.*` only if the move has that word in it.
    """
    fields = [(name, text) for name, text in form.items(multi=True) if text]
    texts = [text for name, text in fields if name.startswith("before.")]
    if not form.get("move"):
        raise IllegalMove("Choose what to do first, then send it.")
    try:
        whole = codec.load(dict[str, Any], form["move"])
        words = [f"for.{word}." for word in whole.values() if isinstance(word, str)]
        for name, text in fields:
            if name.startswith(("part.", *words)):
                _join(whole, codec.load(dict[str, Any], text))
        return [codec.load(game.Move, text) for text in [*texts, codec.dump(whole)]]
    except codec.Unreadable:
        raise IllegalMove("That is not a whole move yet: please choose again.") from None


def _join(whole: dict[str, Any], part: dict[str, Any]) -> None:
    """Add a part to a move; lists that several parts bring are one list in their order."""
    for key, value in part.items():
        if isinstance(value, list) and isinstance(whole.get(key), list):
            whole[key] = whole[key] + value
        else:
            whole[key] = value


def _digest(form: MultiDict[str, str]) -> str:
    """Return a fingerprint of what a form asks for, without its CSRF token."""
    asked = [pair for pair in form.items(multi=True) if pair[0] != "csrf_token"]
    return blake2b(codec.dump(sorted(asked)).encode(), digest_size=16).hexdigest()
