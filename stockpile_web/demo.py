"""A few people and tables in different phases, to look around on a fresh database."""

from random import Random

from flask import Flask
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stockpile_web.games import GAMES
from stockpile_web.match import seating
from stockpile_web.match.turn import Playing
from stockpile_web.storage.database import now
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import writing
from stockpile_web.web.accounts.passwords import hash_password

PEOPLE = ("Ann", "Bob", "Carol", "Dave")
PASSWORD = "stockpile"

EVERYTHING = [option.key for option in GAMES["stockpile"].OPTIONS]

# Which game, who sits there, with which options, and in which phase to stop.
TABLES: tuple[tuple[str, str, list[str], str], ...] = (
    ("stockpile", "Ann Bob Carol", [], "supply"),
    ("stockpile", "Ann Bob Carol Dave", ["advanced_board"], "demand"),
    ("stockpile", "Bob Ann", [], "action"),
    ("stockpile", "Carol Ann Dave", [], "selling"),
    ("stockpile", "Ann Bob Carol Dave Abacus", [], "movement"),
    ("stockpile", "Dave Ann Bob", [], "game_end"),
    ("stockpile", "Carol Ann Bob Dave", EVERYTHING, "action"),
    ("stockpile", "Bob Ann Carol", EVERYTHING, "keeping"),
    ("stonks", "Ann Bob Carol Dave", [], "trick"),
    ("stonks", "Carol Ann Dave", ["moderate", "rounds_1"], "over"),
)


class NotFresh(Exception):
    """The database holds people already."""


def fill(app: Flask) -> None:
    """Fill a database in which there is nobody yet."""
    with app.app_context():
        hashed = hash_password(PASSWORD)
        with writing() as session:
            _fill(session, hashed)


def _fill(session: Session, hashed: str) -> None:
    if session.scalar(select(func.count(User.id))):
        raise NotFresh
    users = {}
    for name in PEOPLE:
        users[name] = User(
            name=name,
            name_key=name.lower(),
            password_hash=hashed,
            is_admin=name == PEOPLE[0],
            created_at=now(),
        )
    session.add_all(users.values())
    session.flush()
    for number, (game, names, options, phase) in enumerate(TABLES):
        _set_up(session, game, users, names.split(), options, phase, Random(number))
    host = users[PEOPLE[1]]
    seating.create(session, host, "stockpile", 4, [], listed=True, pace="day", open_chat=True)


def _set_up(
    session: Session,
    game: str,
    users: dict[str, User],
    names: list[str],
    options: list[str],
    phase: str,
    chooser: Random,
) -> None:
    """Seat people and bots, and let everybody move until the phase is reached in a later round."""
    host, size = users[names[0]], len(names)
    match = seating.create(
        session, host, game, size, options, listed=True, pace="day", open_chat=True
    )
    for name in names[1:]:
        if name in users:
            seating.join(session, match, users[name])
        else:
            seating.start_with_bots(session, match)
    playing = Playing(session.connection(), match.id)
    bot = next(iter(playing.game.BOTS.values()))
    while not _is_there(playing, phase):
        playing.let_bots_move()
        seat, moves = next(
            (seat, moves)
            for seat in range(size)
            if (moves := playing.game.legal(playing.state, seat))
        )
        view = playing.game.view(playing.state, seat)
        playing.take_turn(seat, bot.choose(view, moves, chooser))
    playing.save()


def _is_there(playing: Playing, phase: str) -> bool:
    view = playing.game.view(playing.state, None)
    return bool(view.over or (view.phase == phase and view.round in (0, 3, 4, 5, 6)))
