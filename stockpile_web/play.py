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

from stockpile_web import codec, frames
from stockpile_web.database import now
from stockpile_web.engine import Dealer, Event, Game, IllegalMove, Seat, on_turn, take_turn
from stockpile_web.games import GAMES
from stockpile_web.models.notices import ENDED, STARTED, TURN
from stockpile_web.models.tables import BOT, OVER, PLAYING, Match, Move, Place
from stockpile_web.notify import outbox
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
_CHANGING = ("on_turn", "waiting_since", "moves_made", "last_move")
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
        place.seat = seat
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
    place = next((place for place in playing.places if place.user_id == user_id), None)
    if place is None:
        raise NotSeated
    seat: Seat = place.seat
    digest: str | None = _digest(form)
    if form.get("moves_made") != str(place.moves_made):
        if playing.has_seen(seat, form.get("moves_made", ""), digest):
            return looked_at(playing.match, playing.places, user_id), playing.state
        raise StaleMove
    if playing.match.status != PLAYING:
        raise StaleMove
    first, *rest = read_moves(playing.game, form)
    asked_in = getattr(playing.state, "phase", None)
    playing.take_turn(seat, first, digest)
    for move in rest:
        # Whoever has sold their last card is done without saying so, and may be asked something
        # else by now: that they say so all the same is no answer to it.
        has_moved_on = getattr(playing.state, "phase", None) != asked_in
        if move == rest[-1] and (has_moved_on or not playing.game.legal(playing.state, seat)):
            break
        playing.take_turn(seat, move)
    playing.let_bots_move()
    playing.save()
    return looked_at(playing.match, playing.places, user_id), playing.state


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
        self.moment = now()

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
        self.text = codec.dump(self.state)
        turn = None
        if seat is not None:
            turn = self.places[seat].moves_made + self.made[seat]
            self.made[seat] += 1
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
        """Let every bot that is on turn move, until a person is needed or the match is over."""
        bots = [(place.seat, self.game.BOTS[place.bot]) for place in self.places if place.bot]
        for _ in range(LONGEST_CHAIN):
            for seat, bot in bots:
                if moves := self.game.legal(self.state, seat):
                    rng = Random(f"{self.seed}:bot:{self.version}")
                    view = self.game.view(self.state, seat)
                    self.take_turn(seat, bot.choose(view, moves, rng), made_by=BOT)
                    break
            else:
                return

    def save(self) -> None:
        """Write the moves, the new snapshot, and who is on turn."""
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
        self.places = [self._after(place, place.seat in now_on_turn) for place in before]
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
        movers = [user_id for place, user_id in people if self.made[place.seat]]
        outbox.write(self.connection, self.match_id, self.version, self.moment, movers, news)

    def _waits_anew(self, place: Chair, is_on_turn: bool) -> bool:
        return is_on_turn and bool(not place.on_turn or self.made[place.seat])

    def _after(self, place: Chair, is_on_turn: bool) -> Chair:
        """Return a place as it is from now on."""
        waits_anew = self._waits_anew(place, is_on_turn)
        return place._replace(
            on_turn=is_on_turn,
            waiting_since=self.moment if waits_anew else place.waiting_since,
            moves_made=place.moves_made + self.made[place.seat],
            last_move=self.last.get(place.seat, place.last_move),
        )


def _digest(form: MultiDict[str, str]) -> str:
    """Return a fingerprint of what a form asks for, without its CSRF token."""
    asked = [pair for pair in form.items(multi=True) if pair[0] != "csrf_token"]
    return blake2b(codec.dump(sorted(asked)).encode(), digest_size=16).hexdigest()
