"""The one way to change a match: `with changing(match_id) as turn:`.

Moves, orders, chat, seats, votes, clocks and the worker all come by here. The block locks the
match, changes what `turn` hands out, and leaves; then everything that has changed is written,
notices are left in the outbox, versions are raised, and open pages are told, in this order.
Whoever uses it cannot forget a step. On any error nothing has happened.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, insert

from stockpile_web import counters, live
from stockpile_web.engine import Dealer, Event, Game, Seat, Step, codec, take_turn
from stockpile_web.games import GAMES
from stockpile_web.match import archiving, chapters, deadlines, results, rows, undo
from stockpile_web.match.deadlines import SeatTurn
from stockpile_web.match.rows import SeatRow
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.standing_orders import Books, mark_as_ordered
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.storage import outbox, snapshots
from stockpile_web.storage.compiled_sql import pipelined
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import BOT, CLOCK, ORDER, OVER, PLAYING, Message
from stockpile_web.storage.models.notices import ENDED, STARTED, TURN
from stockpile_web.storage.transactions import reading, transaction

# Who is counted as the mover: that an order acted is told to its owner alone.
MOVER = {"": "person", ORDER: "person", BOT: BOT, CLOCK: CLOCK}


class NoSuchMatch(LookupError):
    """There is no match of this number."""


class NotSeated(LookupError):
    """Whoever asks has no seat at this table."""


@contextmanager
def changing(match: int | Callable[[Connection], int]) -> Iterator["Turn"]:
    """Change a match in a transaction of its own, or in that one set it up and then change it."""
    with transaction() as connection:
        turn = Turn(connection, match if isinstance(match, int) else match(connection))
        yield turn
        turn.save()
    turn.connection = reading()  # It was lent by whoever had the transaction.
    for move in turn.moves if counters.MOVES.is_on else ():
        counters.MOVES.add(MOVER[move["made_by"]])
    if turn.is_seen:
        live.moved(turn.match.id)


class Turn:
    """A match in the middle of being changed: its rows, its state, and what is to be saved."""

    def __init__(self, connection: Connection, match_id: int) -> None:
        found = rows.lock_table(connection, match_id)
        if found is None:
            raise NoSuchMatch
        self.connection = connection
        self.seed, self.text, self.match, self.seats = found
        self.game: Game = GAMES[self.match.game]
        self.moment = now()
        self.is_seen = False  # Those at the table can see what was saved.
        self.moves: list[dict[str, Any]] = []  # To be recorded.
        self.aside: list[Event] = []  # What is to be told with the next move.
        self.news: list[tuple[str, int]] = []  # Notices to leave: of which event, and for whom.
        self.movers: set[int] = set()  # People who have seen what they were told before.
        self.worker_goes_on = False  # Bots have more to do than one transaction should.
        self._before = replace(self.match), [rows.values_of(seat) for seat in self.seats]
        self._were_on_turn = {seat.number for seat in self.seats if seat.on_turn}
        self._message: dict[str, Any] | None = None
        self._state: Any = None
        self._legal: dict[Seat, list[Any]] = {}
        self._books: Books | None = None
        self._chapters: list[dict[str, Any]] = []  # That begin with these moves.
        self._phase: tuple[int, str] | None = None  # Before a move.
        self._asks_anew = False  # The match has moved on, so all are asked as it stands now.
        self._has_news = False  # Something was told or drawn that the mover did not know.

    # What a match is at.

    @property
    def state(self) -> Any:
        """The state of the game, read when it is first asked for."""
        if self._state is None:
            self._state = load_state(self.game, self.text, self.match.rules_version)
        return self._state

    @property
    def phase(self) -> tuple[int, str]:
        """What the match is at, as all can see: the round, and what is done in it."""
        return self.state.round, self.state.phase

    @property
    def books(self) -> Books:
        """The standing orders of all seats."""
        if self._books is None:
            self._books = Books(self.game, self.seats)
        return self._books

    def legal(self, seat: Seat) -> list[Any]:
        """Return the moves open to a seat; asked of the rules once between two moves."""
        if seat not in self._legal:
            self._legal[seat] = self.game.legal(self.state, seat)
        return self._legal[seat]

    def seat_of(self, user_id: int) -> SeatRow:
        """Return the seat of a person."""
        found = next((seat for seat in self.seats if seat.user_id == user_id), None)
        if found is None:
            raise NotSeated
        return found

    # What can be done to it.

    def deal(self, seed: str, options: Mapping[str, int]) -> None:
        """Begin: the seats are as they will be, and the dealer deals."""
        self.seed = seed
        dealer = Dealer(seed, 0)
        self._state = self.game.setup(len(self.seats), options, dealer)
        self.match.status, self.match.started_at = PLAYING, self.moment
        self._record(None, "", dealer.events)

    def resume(self, seed: str, state: Any, told: Event) -> None:
        """Begin with a state of another match: nothing is dealt, and what comes is new chance."""
        self.seed, self._state = seed, state
        self.match.status, self.match.started_at = PLAYING, self.moment
        self._record(None, "", [told])

    def play(
        self,
        seat: Seat,
        move: Any,
        digest: str | None = None,
        made_by: str = "",
        steps: Sequence[Any] = (),
    ) -> None:
        """Play one move through the gate, after the steps that lead to it; record both as one.

        Whatever is refused, the state may be half changed by then, and must not be saved.
        """
        if isinstance(move, Step):
            raise TypeError(f"{move} completes no turn.")
        dealer = Dealer(self.seed, self.match.version)
        self._phase = self._phase or self.phase
        for step in steps:
            take_turn(self.game, self.state, seat, step, dealer, self.legal(seat))
            del self._legal[seat]  # Nobody else is asked anything new.
        take_turn(self.game, self.state, seat, move, dealer, self.legal(seat))
        made = [*steps, move] if steps else move
        self._has_news |= dealer.has_news_for(seat, made)
        if made_by == ORDER:
            mark_as_ordered(dealer.events, seat, made)
        self._record(seat, codec.dump(made), dealer.events, digest, made_by)

    def restore(self, seat: Seat | None, state: Any, move: Any, told: Event, digest: str) -> None:
        """Let an earlier state be back, by a move that is recorded like any other.

        Clocks, notices and what may still be taken back are the caller's to set.
        """
        self._state = state
        self._record(seat, codec.dump(move), [told], digest)
        self._asks_anew = False

    def note(self, told: Event) -> None:
        """Tell in the log what no seat has done, as a move that changes nothing.

        The rules are not asked, so this always works; what was done before is not taken back.
        """
        self.match.undo = ""
        self._append(None, "", codec.dump([told]), self.text)

    def go_on_anew(self, *, asks_all: bool = False) -> None:
        """Let everybody be asked as after any move, though an earlier state is back.

        With `asks_all` those too, and with new clocks, who were asked already.
        """
        self._asks_anew = self._has_news = True
        if asks_all:
            self._were_on_turn.clear()

    def say(self, user_id: int, text: str) -> None:
        """Say something in the chat of the table."""
        self._message = {
            "match_id": self.match.id,
            "user_id": user_id,
            "text": text,
            "said_at": self.moment,
        }

    # How it is saved.

    def save(self) -> None:
        """Write all that has changed, and see to it that those whom it concerns hear of it."""
        match_before, seats_before = self._before
        if self._books is not None:
            self._books.save(self.seats)
        if self._asks_anew:
            self._after_moves()
            is_final = self._has_news or self.match.status == OVER
            known = (self.match, self.moves, seats_before, self.seats)
            self.match.undo = "" if is_final else undo.after_moves(*known)
        if self.match.status == PLAYING and rows.is_paused(self.match, self.seats):
            self._stop_clocks()
        said = self._message is not None
        if self._message is not None:
            number = self.connection.scalar(insert(Message).returning(Message.id), self._message)
            self.seat_of(self._message["user_id"]).chat_seen = number or 0
        is_seen = bool(said or self.moves or self.match != match_before) or rows.is_seen(
            seats_before, self.seats
        )
        if is_seen and not self.moves:
            self.match.table_version += 1
        outcome = self.match.ended_at, self.match.top_score
        if outcome != (match_before.ended_at, match_before.top_score):
            archiving.keep_outcome(self.connection, match_before, self.match, self.seats)
        with pipelined(self.connection):
            if self.moves:
                self._write_moves()
            if self.match != match_before:
                rows.write_match(self.connection, self.match, self.seed, self.text)
            rows.write_seats(self.connection, self.match.id, seats_before, self.seats)
            outbox.write(
                self.connection,
                self.match.id,
                self.match.version,
                self.moment,
                sorted(self.movers),
                self.news,
            )
            if is_seen:
                live.notify_in(self.connection, self.match.id)
        self.is_seen = is_seen

    def _stop_clocks(self) -> None:
        for seat in self.seats:
            seat.stop_clock()

    def _record(
        self,
        seat: Seat | None,
        move: str,
        events: list[Event],
        digest: str | None = None,
        made_by: str = "",
    ) -> None:
        """Keep a move, its events and the state after it, to be saved."""
        number, before = self.match.version, self.text
        told, self.aside = codec.dump([*self.aside, *events]), []
        self.text = codec.dump(self._state)
        self.match.rules_version = self.game.VERSION
        self._legal, self._asks_anew = {}, True
        self._begin_chapter(number)
        turn = None
        if seat is not None:
            mine = self.seats[seat]
            turn, mine.moves_made = mine.moves_made, mine.moves_made + 1
            if made_by != ORDER:  # What an order did is news to whoever left it.
                mine.last_move = number
        self._append(seat, move, told, before, made_by=made_by, turn=turn, digest=digest)

    def _append(
        self,
        seat: Seat | None,
        move: str,
        events: str,
        before: str,
        made_by: str = "",
        turn: int | None = None,
        digest: str | None = None,
    ) -> None:
        """Add a row to the moves that are to be saved, with the state as it is in `text`."""
        number = self.match.version
        self.moves.append(
            {
                "match_id": self.match.id,
                "number": number,
                "seat": seat,
                "made_by": made_by,
                "turn": turn,
                "digest": digest,
                "move": move,
                "events": events,
                "frame": snapshots.pack(number, self.text, before),
                "rules_version": self.match.rules_version,
                "made_at": self.moment,
            }
        )
        self.match.version += 1
        self.match.moved_at = self.moment

    def _begin_chapter(self, number: int) -> None:
        """Note it if a round or a phase begins with a move."""
        before, self._phase = self._phase, self.phase
        if self._phase != before:
            in_round, phase = self._phase
            begun = {"match_id": self.match.id, "number": number, "round": in_round, "phase": phase}
            self._chapters.append(begun)

    def _write_moves(self) -> None:
        rows.write_moves(self.connection, self.moves)
        if self._chapters:
            chapters.write(self.connection, self._chapters)

    def _after_moves(self) -> None:
        """Set who is on turn, the clocks and the notices as the moves have left them."""
        result = self.game.result(self.state)
        is_over = result is not None
        if result is not None:
            self.match.status, self.match.ended_at = OVER, self.moment
            results.note(self.match, self.seats, result)
            results.leave_to_worker(self.connection, self.match, self.moment)
        turns = []
        for seat in self.seats:
            made_by = {move["made_by"] for move in self.moves if move["seat"] == seat.number}
            was_on_turn = seat.number in self._were_on_turn
            is_on_turn = bool(self.legal(seat.number))
            asked_anew = is_on_turn and (not was_on_turn or bool(made_by))
            acts = seat.bot is not None and (self.worker_goes_on or self.game.BOTS[seat.bot].thinks)
            turns.append(SeatTurn(seat, was_on_turn, is_on_turn, asked_anew, made_by, acts))
            if seat.is_person:
                self._leave_notices(seat, asked_anew, made_by, is_over)
        deadlines.after_move(self.connection, TIME_CONTROLS[self.match.pace], self.moment, turns)

    def _leave_notices(
        self, seat: SeatRow, asked_anew: bool, made_by: set[str], is_over: bool
    ) -> None:
        """Note what the player of a seat is to be told; the worker tells them."""
        user_id = seat.user_id
        if user_id is None:
            return
        if made_by - {ORDER}:
            self.movers.add(user_id)
        # What matters most comes last, as the newest.
        events = ((STARTED, self.moves[0]["number"] == 0), (TURN, asked_anew), (ENDED, is_over))
        self.news += [(event, user_id) for event, is_so in events if is_so]
