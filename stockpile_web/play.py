"""Where rules meet the database: starting a match, taking a turn, and opening a table to look at.

The path of a move is the busiest of the site, so it speaks SQL to five tables and no more.
"""

import secrets
from collections.abc import Collection
from hashlib import blake2b
from random import Random
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.orm import Session
from werkzeug.datastructures import MultiDict

from stockpile_web import codec, frames, timing
from stockpile_web.database import now
from stockpile_web.engine import Bot, Dealer, Event, Game, IllegalMove, Seat, on_turn, take_turn
from stockpile_web.games import GAMES
from stockpile_web.models.notices import ENDED, STARTED, TURN
from stockpile_web.models.tables import BOT, ORDER, OVER, PLAYING, Match, Move, Place
from stockpile_web.notify import outbox
from stockpile_web.paces import PACES, full_bank
from stockpile_web.standing import Books, mark_as_ordered
from stockpile_web.timing import Turn
from stockpile_web.viewing import PUBLIC, Chair, Glance, Public, chairs_of, looked_at

# A chain of bots' moves ends here: no rules of ours come near it.
LONGEST_CHAIN = 2000
OUT_OF_THE_WAY = 1000

# Written once and sent over the connection: building a statement anew, or having the session look
# for objects in it, costs several times what the database does for it.
# Postgres: whoever is here first moves first. SQLite: we are the only writer.
_MATCH = (
    select(Match.seed, Match.state, *PUBLIC)
    .where(Match.id == bindparam("match_id"))
    .with_for_update()
)
_DIGEST = select(Move.digest).where(
    Move.match_id == bindparam("match_id"),
    Move.seat == bindparam("seat"),
    Move.turn == bindparam("turn"),
)
_RECORD = insert(Move)
_SAVE_MATCH = update(Match).where(Match.id == bindparam("match_id"))
_CHANGING = (
    "on_turn", "waiting_since", "moves_made", "last_move",
    "bot", "deadline_at", "remind_at", "acts_at", "bank", "missed",
)  # fmt: skip
_SAVE_PLACE = (
    update(Place)
    .where(Place.id == bindparam("for_place"))
    .values({key: bindparam(key) for key in _CHANGING})
)


class StaleMove(Exception):
    """The page was older than the table."""


class NotSeated(Exception):
    """Whoever asks has no seat at this table, or there is none."""


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


class Playing:
    """A match in the middle of a write transaction: its state, and what is to be saved of it."""

    def __init__(self, connection: Connection, match_id: int) -> None:
        self.connection = connection
        self.match_id = match_id
        match = connection.execute(_MATCH, {"match_id": match_id}).one_or_none()
        if match is None:
            raise NotSeated
        self.seed, self.text, *public = match
        self.match = Public._make(public)
        self.version = self.match.version
        self.game: Game = GAMES[self.match.game]
        self.places = chairs_of(connection, match_id)
        self.state: Any = codec.load(self.game.State, self.text) if self.text else None
        self.rows: list[dict[str, Any]] = []
        self.made = dict.fromkeys(range(len(self.places)), 0)
        self.last: dict[Seat, int] = {}
        self.aside: list[Event] = []  # What is to be told with the next move.
        self.books = Books(self.game, self.places)
        self.moment = now()

    @property
    def phase(self) -> str:
        """What the match is at, as all can see."""
        return str(self.game.view(self.state, None).phase)

    def place_of(self, user_id: int) -> Chair:
        """Return the place where a person sits."""
        place = next((place for place in self.places if place.user_id == user_id), None)
        if place is None:
            raise NotSeated
        return place

    def has_seen(self, seat: Seat, turn: str, digest: str | None) -> bool:
        """Tell whether just this form was carried out before."""
        if not turn.isascii() or not turn.isdigit() or len(turn) > 9:
            return False
        first = {"match_id": self.match_id, "seat": seat, "turn": int(turn)}
        return bool(self.connection.scalar(_DIGEST, first) == digest)

    def take_turn(
        self, seat: Seat, move: Any, digest: str | None = None, made_by: str = ""
    ) -> None:
        """Play one move through the gate and record it."""
        dealer = Dealer(self.seed, self.version)
        take_turn(self.game, self.state, seat, move, dealer)
        if made_by == ORDER:
            mark_as_ordered(dealer.events, seat, move)
        self.record(seat, codec.dump(move), dealer.events, digest, made_by)

    def record(
        self,
        seat: Seat | None,
        move: str,
        events: list[Event],
        digest: str | None = None,
        made_by: str = "",
    ) -> None:
        """Keep a move, its events and the state after it, to be saved."""
        number, before = self.version, self.text
        events, self.aside = [*self.aside, *events], []
        self.text = codec.dump(self.state)
        turn = None
        if seat is not None:
            turn = self.places[seat].moves_made + self.made[seat]
            self.made[seat] += 1
            if made_by != ORDER:  # What an order did is news to whoever left it.
                self.last[seat] = number
        self.rows.append(
            {
                "match_id": self.match_id,
                "number": number,
                "seat": seat,
                "made_by": made_by,
                "turn": turn,
                "digest": digest,
                "move": move,
                "events": codec.dump(events),
                "frame": frames.pack(number, self.text, before),
                "made_at": self.moment,
            }
        )
        self.version += 1

    def let_bots_move(self) -> None:
        """Let orders and bots move, until somebody is needed who takes time, or it is over.

        A bot that thinks is left to the worker.
        """
        bots = [(place.seat, self.game.BOTS[place.bot]) for place in self.places if place.bot]
        at_once = [(seat, bot) for seat, bot in bots if not bot.thinks]
        for _ in range(LONGEST_CHAIN):
            if any(self.let_orders_move(seat) for seat in self.books.seats):
                continue
            if not any(self.let_bot_move(seat, bot) for seat, bot in at_once):
                return

    def let_orders_move(self, seat: Seat) -> bool:
        """Let a seat's standing orders make one move; False if they leave it to the player."""
        moves = self.game.legal(self.state, seat) if seat in self.books.seats else []
        if not moves:
            return False
        turn = self.places[seat].moves_made + self.made[seat]
        move = self.books.follow(seat, self.game.view(self.state, seat), moves, turn)
        if move is None:
            return False
        self.take_turn(seat, move, made_by=ORDER)
        return True

    def let_bot_move(self, seat: Seat, bot: Bot, made_by: str = BOT) -> bool:
        """Let a bot make one move for a seat; tell whether there was one to make."""
        moves = self.game.legal(self.state, seat)
        if moves:
            rng = Random(f"{self.seed}:bot:{self.version}")
            move = bot.choose(self.game.view(self.state, seat), moves, rng)
            self.take_turn(seat, move, made_by=made_by)
        return bool(moves)

    def save(self) -> None:
        """Write the moves, the new snapshot, and who is on turn."""
        self.places = self.books.save(self.connection, self.places)
        if not self.rows:
            return
        self.connection.execute(_RECORD, self.rows)
        is_over = self.game.result(self.state) is not None
        self.match = self.match._replace(
            version=self.version, status=OVER if is_over else self.match.status
        )
        values: dict[str, Any] = {
            "match_id": self.match_id,
            "state": self.text,
            "version": self.version,
            "moved_at": self.moment,
        }
        if is_over:
            values |= {"status": OVER, "ended_at": self.moment}
        self.connection.execute(_SAVE_MATCH, values)
        now_on_turn = on_turn(self.game, self.state, len(self.places))
        self._leave_notices(now_on_turn, is_over)
        before = self.places
        turns = [self._turn(place, place.seat in now_on_turn) for place in before]
        clocks = timing.after_move(self.connection, PACES[self.match.pace], self.moment, turns)
        self.places = [self._after(*each) for each in zip(turns, clocks, strict=True)]
        changed = [
            {"for_place": place.place_id, **{key: getattr(place, key) for key in _CHANGING}}
            for place, old in zip(self.places, before, strict=True)
            if place != old
        ]
        if changed:
            self.connection.execute(_SAVE_PLACE, changed)

    def _leave_notices(self, now_on_turn: Collection[Seat], is_over: bool) -> None:
        """Write down whom this concerns; the worker tells them."""
        people = [
            (place, place.user_id)
            for place in self.places
            if place.user_id is not None and not place.bot
        ]
        news = [
            (TURN, user_id)
            for place, user_id in people
            if self._waits_anew(place, place.seat in now_on_turn)
        ]
        if self.rows[0]["number"] == 0:
            news += [(STARTED, user_id) for _, user_id in people]
        if is_over:
            news += [(ENDED, user_id) for _, user_id in people]
        movers = [user_id for place, user_id in people if place.seat in self.last]
        outbox.write(self.connection, self.match_id, self.version, self.moment, movers, news)

    def _waits_anew(self, place: Chair, is_on_turn: bool) -> bool:
        return is_on_turn and bool(not place.on_turn or self.made[place.seat])

    def _turn(self, place: Chair, is_on_turn: bool) -> Turn:
        """Say what the moves have changed for a seat."""
        made_by = {row["made_by"] for row in self.rows if row["seat"] == place.seat}
        thinks = place.bot is not None and self.game.BOTS[place.bot].thinks
        return Turn(place, is_on_turn, self._waits_anew(place, is_on_turn), made_by, thinks)

    def _after(self, turn: Turn, clock: dict[str, Any]) -> Chair:
        """Return a place as it is from now on."""
        place = turn.place
        return place._replace(
            on_turn=turn.is_on_turn,
            waiting_since=self.moment if turn.waits_anew else place.waiting_since,
            moves_made=place.moves_made + self.made[place.seat],
            last_move=self.last.get(place.seat, place.last_move),
            **clock,
        )


def _digest(form: MultiDict[str, str]) -> str:
    """Return a fingerprint of what a form asks for, without its CSRF token."""
    asked = [pair for pair in form.items(multi=True) if pair[0] != "csrf_token"]
    return blake2b(codec.dump(sorted(asked)).encode(), digest_size=16).hexdigest()
