"""A few people and tables in different phases, to look around on a fresh database."""

from random import Random

from flask import Flask
from sqlalchemy import func, select

from stockpile_web.games import GAMES
from stockpile_web.match import seating
from stockpile_web.match.bots import choose
from stockpile_web.match.turn import Turn, changing
from stockpile_web.storage.database import now
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import columns
from stockpile_web.storage.transactions import transaction, writing
from stockpile_web.web.accounts.passwords import hash_password

PEOPLE = ("Ann", "Bob", "Carol", "Dave")
PASSWORD = "stockpile"  # noqa: S105 (of people who do not exist)

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
        users = _sign_up(hash_password(PASSWORD))
        for number, (game, names, options, phase) in enumerate(TABLES):
            _set_up(game, users, names.split(), options, phase, Random(number))
        _create(users[PEOPLE[1]], "stockpile", 4, [])


def _sign_up(hashed: str) -> dict[str, User]:
    with writing() as session:
        if session.scalar(select(func.count(User.id))):
            raise NotFresh
        users = {
            name: User(
                **columns(name),
                password_hash=hashed,
                is_admin=name == PEOPLE[0],
                created_at=now(),
            )
            for name in PEOPLE
        }
        session.add_all(users.values())
    return users


def _create(host: User, game: str, size: int, options: list[str]) -> int:
    with transaction() as connection:
        return seating.create(
            connection, host, game, size, options, listed=True, pace="day", open_chat=True
        )


def _set_up(
    game: str, users: dict[str, User], names: list[str], options: list[str], phase: str, rng: Random
) -> None:
    """Seat people and bots, and let everybody move until the phase is reached in a later round."""
    match_id = _create(users[names[0]], game, len(names), options)
    for name in names[1:]:
        with changing(match_id) as turn:
            if name in users:
                seating.join(turn, users[name])
            else:
                seating.start_with_bots(turn)
    with changing(match_id) as turn:
        bot = next(iter(turn.game.BOTS.values()))
        while not _is_there(turn, phase):
            turn.play_on()
            seat = next(seat for seat in range(len(names)) if turn.legal(seat))
            *steps, move = choose(turn.game, bot, turn.state, seat, turn.legal(seat), rng)
            turn.play(seat, move, steps=steps)


def _is_there(turn: Turn, phase: str) -> bool:
    view = turn.game.view(turn.state, None)
    return bool(view.over or (view.phase == phase and view.round in (0, 3, 4, 5, 6)))
