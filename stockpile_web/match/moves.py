"""Where rules meet people: starting a match, and carrying out the moves of a form."""

from hashlib import blake2b
from typing import Any

from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Game, IllegalMove, Orders, Step, codec
from stockpile_web.engine.steps import MOST_STEPS
from stockpile_web.match import driving, sealing
from stockpile_web.match.options import options_of
from stockpile_web.match.pause import come_back
from stockpile_web.match.rows import SeatRow, digest_of
from stockpile_web.match.standing_orders import read_book, usual_orders
from stockpile_web.match.time_controls import full_bank
from stockpile_web.match.turn import Turn
from stockpile_web.storage.models.matches import PLAYING

LONGEST_STEP = 400  # Characters of JSON.
HALTED = "An administrator has paused this table: nothing is played until it goes on."


class StaleMove(Exception):
    """The page was older than the table."""


def start(turn: Turn) -> None:
    """Seat the players as the seed says, deal, and let the first of them act."""
    match = turn.match
    seed = sealing.draw(turn)
    for number, seat in enumerate(turn.seats):
        seat.number, seat.bank = number, full_bank(match.pace)
        if seat.user_id is not None:
            seat.orders = usual_orders(turn.game)
    turn.deal(seed, options_of(match))
    driving.play_on(turn)


def submit(turn: Turn, user_id: int, form: MultiDict[str, str]) -> None:
    """Play the moves in `form` for the seat of `user_id`, and all that follows from them.

    If one of them is refused, none is made.

    The same form sent twice counts once; a form from before the seat's last move is stale.
    """
    mine = turn.seat_of(user_id)
    seat, digest = mine.number, _digest(form)
    if not is_new(turn, mine, form, digest):
        return
    if turn.match.status != PLAYING:
        raise StaleMove
    first, *rest = read_turns(turn.game, form)
    if not mine.is_here:  # Whoever moves is back.
        come_back(turn, mine)
    *steps, move = first
    turn.play(seat, move, digest, steps=steps)
    for *steps, move in rest:
        turn.play(seat, move, steps=steps)
    driving.play_on(turn)


def is_new(turn: Turn, mine: SeatRow, form: MultiDict[str, str], digest: str) -> bool:
    """Tell whether a form is to be carried out: not if just this one was before.

    Any other form from before the seat's last move is stale. A table that is halted takes none.
    """
    made = form.get("moves_made", "")
    if made == str(mine.moves_made):
        if turn.match.halted_for and turn.match.status == PLAYING:
            raise IllegalMove(HALTED)
        return True
    is_number = made.isascii() and made.isdigit() and len(made) <= 9
    if is_number and digest == digest_of(turn.connection, turn.match.id, mine.number, int(made)):
        return False
    raise StaleMove


def put_orders(turn: Turn, user_id: int, form: MultiDict[str, str]) -> None:
    """Let the seat of `user_id` have the standing orders in `form`; those that can act do.

    A form from before the seat's last move is stale: what it orders may be used up. A single press
    changes one thing, whatever else has happened meanwhile.
    """
    mine, orders, press = turn.seat_of(user_id), turn.game.ORDERS, form.get("press", "")
    is_fresh = bool(press) or form.get("moves_made") == str(mine.moves_made)
    if orders is None or turn.match.status != PLAYING or not is_fresh:
        raise StaleMove
    if press:
        book = _pressed(orders, read_book(turn.game, mine.orders), press)
    elif "clear" in form:
        book = orders.Book()
    else:
        book = orders.read(form, turn.game.view(turn.state, mine.number))
    turn.books.put(mine.number, book)
    driving.play_on(turn)


def _pressed(orders: Orders, book: Any, press: str) -> Any:
    """Return a book with what a single press sets in it."""
    if press not in orders.presses:
        raise IllegalMove("That is not among the choices: please choose again.")
    for name, value in orders.presses[press].items():
        setattr(book, name, value)
    return book


def read_turns(game: Game, form: MultiDict[str, str]) -> list[list[Any]]:
    """Read the turns of a form, each of them steps and the move that completes it.

    First the moves named `before.*`, each by itself; then every `step` and `move` with all its
    parts. A part `part.*` always counts, a part `for.word.*` only if the move has that word in it.
    A move `now` is whole: it was pressed instead of all else that was chosen.
    """
    if now := form.get("now"):
        form = MultiDict([("move", now), *(("step", step) for step in form.getlist("step"))])
    fields = [(name, text) for name, text in form.items(multi=True) if text]
    texts = [text for name, text in fields if name.startswith("before.")]
    if not form.get("move"):
        raise IllegalMove("Choose what to do first, then send it.")
    steps = read_steps(game, form.getlist("step"))
    try:
        whole = codec.load(dict[str, Any], form["move"])
        words = [f"for.{word}." for word in whole.values() if isinstance(word, str)]
        for name, text in fields:
            if name.startswith(("part.", *words)):
                _join(whole, codec.load(dict[str, Any], text))
        *before, move = (codec.load(game.Move, text) for text in [*texts, codec.dump(whole)])
    except codec.Unreadable:
        raise IllegalMove("That is not a whole move yet: please choose again.") from None
    if any(isinstance(each, Step) for each in (*before, move)):
        raise IllegalMove("That is a part of a turn: choose what completes it, then send it.")
    return [*([each] for each in before), [*steps, move]]


def read_steps(game: Game, texts: list[str]) -> list[Any]:
    """Read the steps of a turn."""
    if len(texts) > MOST_STEPS or any(len(text) > LONGEST_STEP for text in texts):
        raise IllegalMove(f"A turn has at most {MOST_STEPS} steps: please begin it again.")
    try:
        steps = [codec.load(game.Move, text) for text in texts]
    except codec.Unreadable:
        steps = [None]
    if not all(isinstance(step, Step) for step in steps):
        raise IllegalMove("These are no steps of a turn: please begin it again.")
    return steps


def _join(whole: dict[str, Any], part: dict[str, Any]) -> None:
    """Add a part to a move; lists that several parts bring are one list in their order."""
    for key, value in part.items():
        if isinstance(value, list) and isinstance(whole.get(key), list):
            whole[key] = whole[key] + value
        else:
            whole[key] = value


def _digest(form: MultiDict[str, str]) -> str:
    """Return a fingerprint of what a form asks for, without its CSRF token."""
    asked = [pair for pair in form.lists() if pair[0] != "csrf_token"]
    return blake2b(codec.dump(sorted(asked)).encode(), digest_size=16).hexdigest()
