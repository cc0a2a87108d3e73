"""A match in the middle of a write transaction: every move goes through here.

This is the busiest path of the site, so it speaks SQL to five tables and no more.
"""

from collections.abc import Collection
from random import Random
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from stockpile_web.engine import Bot, Dealer, Event, Game, Seat, codec, on_turn, take_turn
from stockpile_web.games import GAMES
from stockpile_web.match import deadlines
from stockpile_web.match.deadlines import Turn
from stockpile_web.match.standing_orders import Books, mark_as_ordered
from stockpile_web.match.table_view import PUBLIC, Chair, Public, chairs_of
from stockpile_web.match.time_controls import PACES
from stockpile_web.storage import outbox, snapshots
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import BOT, ORDER, OVER, Match, Move, Place
from stockpile_web.storage.models.notices import ENDED, STARTED, TURN

# A chain of bots' moves ends here: no rules of ours come near it.
LONGEST_CHAIN = 2000

# Postgres: whoever is here first moves first. SQLite: we are the only writer.
_MATCH = Statement(
    select(Match.seed, Match.state, *PUBLIC)
    .where(Match.id == bindparam("match_id"))
    .with_for_update()
)
_DIGEST = Statement(
    select(Move.digest).where(
        Move.match_id == bindparam("match_id"),
        Move.seat == bindparam("seat"),
        Move.turn == bindparam("turn"),
    )
)
_RECORD = Statement(insert(Move), Move.__table__.c.keys())
_THIS_MATCH = update(Match).where(Match.id == bindparam("match_id"))
_SAVED = ("state", "version", "moved_at")
_SAVE_MATCH = Statement(_THIS_MATCH.values({key: bindparam(key) for key in _SAVED}))
_END_MATCH = Statement(_THIS_MATCH.values(status=OVER, ended_at=bindparam("moment")))
_CHANGING = (
    "on_turn", "waiting_since", "moves_made", "last_move",
    "bot", "deadline_at", "remind_at", "acts_at", "bank", "missed",
)  # fmt: skip
_SAVE_PLACE = Statement(
    update(Place)
    .where(Place.id == bindparam("for_place"))
    .values({key: bindparam(key) for key in _CHANGING})
)


class NotSeated(Exception):
    """Whoever asks has no seat at this table, or there is none."""


class Playing:
    """A match in the middle of a write transaction: its state, and what is to be saved of it."""

    def __init__(self, connection: Connection, match_id: int) -> None:
        self.connection = connection
        self.match_id = match_id
        match = _MATCH.row(connection, match_id=match_id)
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
        which = {"match_id": self.match_id, "seat": seat, "turn": int(turn)}
        return bool(_DIGEST.value(self.connection, **which) == digest)

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
                "frame": snapshots.pack(number, self.text, before),
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
        _RECORD.run(self.connection, *self.rows)
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
        _SAVE_MATCH.run(self.connection, values)
        if is_over:
            _END_MATCH.run(self.connection, {"match_id": self.match_id, "moment": self.moment})
        now_on_turn = on_turn(self.game, self.state, len(self.places))
        self._leave_notices(now_on_turn, is_over)
        before = self.places
        turns = [self._turn(place, place.seat in now_on_turn) for place in before]
        clocks = deadlines.after_move(self.connection, PACES[self.match.pace], self.moment, turns)
        self.places = [self._after(*each) for each in zip(turns, clocks, strict=True)]
        changed = [
            {"for_place": place.place_id, **{key: getattr(place, key) for key in _CHANGING}}
            for place, old in zip(self.places, before, strict=True)
            if place != old
        ]
        if changed:
            _SAVE_PLACE.run(self.connection, *changed)

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
