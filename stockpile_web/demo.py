"""A few people, their group, and a table for each scene of each game, to look around."""

from random import Random

from flask import Flask
from sqlalchemy import select

from stockpile_web.engine import Scene
from stockpile_web.engine.options import read
from stockpile_web.games import GAMES
from stockpile_web.match import driving, seating
from stockpile_web.match.bots import choose
from stockpile_web.match.turn import changing
from stockpile_web.people import friends, groups
from stockpile_web.storage.database import now
from stockpile_web.storage.models.acquaintances import OPEN_TO_ALL, Group
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import columns
from stockpile_web.storage.transactions import transaction, writing
from stockpile_web.web.accounts.passwords import hash_password

PEOPLE = ("Ann", "Bob", "Carol", "Dave")
GROUP = "Tuesday club"
PASSWORD = "stockpile"  # noqa: S105 (of people who do not exist)


class NotFresh(Exception):
    """The database holds people already."""


def fill(app: Flask) -> None:
    """Fill a database in which there is nobody yet."""
    with app.app_context():
        users = _sign_up(hash_password(PASSWORD))
        group_id = _found_group(users)
        scenes = [(game, scene) for game, rules in GAMES.items() for scene in rules.SCENES]
        for number, (game, scene) in enumerate(scenes):
            _set_up(game, scene, _sitting(users, scene.seats, number), group_id, Random(number))
        _create(users[PEOPLE[1]], next(iter(GAMES)), 4, (), group_id)


def _sitting(users: dict[str, User], seats: int, number: int) -> list[User]:
    """Return who sits at a table: the first of all people always, and another host each time."""
    first, *others = users.values()
    turn = number % len(others)
    people = [first, *others[turn:], *others[:turn]][:seats]
    host = number % len(people)
    return people[host:] + people[:host]


def _sign_up(hashed: str) -> dict[str, User]:
    with writing() as session:
        if session.scalar(select(User.id).order_by(User.id).limit(1)):
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


def _found_group(users: dict[str, User]) -> int:
    """Let the first of all people found a group, and have the others in it among their friends."""
    first, *others = users.values()
    with writing() as session:
        group_id = groups.create(session, first.id, GROUP, "Four who play too much.", OPEN_TO_ALL)
        group = session.get_one(Group, group_id)
        for other in others:
            groups.join(session, group, other.id)
            friends.add(session, first.id, other.id)
    return group_id


def _create(host: User, game: str, size: int, options: tuple[str, ...], group_id: int) -> int:
    with transaction() as connection:
        return seating.create(
            connection,
            host,
            game,
            size,
            read(options),
            listed=True,
            pace="day",
            open_chat=True,
            group_id=group_id,
        )


def _set_up(game: str, scene: Scene, people: list[User], group_id: int, rng: Random) -> None:
    """Seat people, and bots where they are too few; let all move until the scene has come."""
    match_id = _create(people[0], game, scene.seats, scene.options, group_id)
    for guest in people[1:]:
        with changing(match_id) as turn:
            seating.join(turn, guest)
    with changing(match_id) as turn:
        if len(people) < scene.seats:
            seating.start_with_bots(turn)
        bot = next(iter(turn.game.BOTS.values()))
        while True:
            driving.play_on(turn)
            if turn.game.result(turn.state) or scene.has_come(turn.game.view(turn.state, None)):
                return
            seat = next(seat for seat in range(scene.seats) if turn.legal(seat))
            *steps, move = choose(turn.game, bot, turn.state, seat, turn.legal(seat), rng)
            turn.play(seat, move, steps=steps)
