"""Tables in mid-game, people who sit at them, and all the requests they are going to send."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from urllib.parse import urlencode

from flask import Flask, Response, session
from flask_wtf.csrf import generate_csrf  # type: ignore[import-untyped]

from stockpile_web.engine import Dealer, codec
from stockpile_web.games import GAMES
from stockpile_web.match import seating
from stockpile_web.match.turn import Turn, changing
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import User
from stockpile_web.storage.transactions import reading, transaction, writing
from stockpile_web.web import auth

SEATS = 5
MOVES_BEFORE = 60

# What a browser with htmx sends along.
BROWSER = (
    "Host: localhost\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
    "Accept: */*\r\nAccept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br\r\n"
    "HX-Request: true\r\nHX-Target: board\r\nHX-Current-URL: http://localhost/table/1\r\n"
    "Referer: http://localhost/table/1\r\nSec-Fetch-Site: same-origin\r\n"
)


@dataclass(frozen=True)
class Person:
    """Somebody who is signed in, or with `user_id` 0 a stranger."""

    user_id: int = 0
    headers: str = ""

    def look(self, match_id: int, tag: str = "") -> bytes:
        """Ask for a table as htmx does; with the `tag` of what is shown, only if it has changed."""
        known = f"If-None-Match: {tag}\r\n" if tag else ""
        return f"GET /table/{match_id} HTTP/1.1\r\n{BROWSER}{self.headers}{known}\r\n".encode()

    def send(self, match_id: int, fields: dict[str, str]) -> bytes:
        """Send a move."""
        body = urlencode(fields)
        kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}"
        first = f"POST /table/{match_id}/move HTTP/1.1\r\n"
        return f"{first}{BROWSER}{self.headers}{kind}\r\n\r\n{body}".encode()


STRANGER = Person()


def sign_in(app: Flask, count: int) -> list[Person]:
    """Make accounts and sign each in on a device."""
    people = []
    for number in range(count):
        name = f"Player {number}"
        with app.test_request_context():
            with writing() as tx:
                user = User(name=name, name_key=name.lower(), created_at=now())
                tx.add(user)
            auth.sign_in(user)
            headers, answer = f"X-CSRFToken: {generate_csrf()}\r\n", Response()
            app.session_interface.save_session(app, session, answer)
            cookie = answer.headers["Set-Cookie"].split(";")[0]
            people.append(Person(user.id, f"{headers}Cookie: {cookie}\r\n"))
    return people


def seat(app: Flask, people: list[Person], count: int) -> list[int]:
    """Seat all `people` at `count` tables, play the beginning of each match, return the numbers."""
    numbers = []
    for number in range(count):
        with app.app_context():
            users = [db.session.get_one(User, person.user_id) for person in people]
            host = users.pop(number % len(users))
            with transaction() as connection:
                match_id = seating.create(
                    connection, host, next(iter(GAMES)), len(people), {},
                    listed=True, pace="none", open_chat=False,
                )  # fmt: skip
            for other in users:
                with changing(match_id) as turn:
                    seating.join(turn, other)
            with changing(match_id) as turn:
                for each in turn.seats:
                    each.orders = ""  # Whatever is asked is foreseen: no order acts.
                for seat, move in islice(moves(turn), MOVES_BEFORE):
                    turn.play(seat, move)
            numbers.append(match_id)
    return numbers


def requests(app: Flask, people: list[Person], match_id: int) -> list[bytes]:
    """Return every move of the rest of a match, as requests in their order."""
    owner: dict[int | None, Person] = {person.user_id: person for person in people}
    with app.app_context():
        turn = Turn(reading(), match_id)
        persons = [owner[seat.user_id] for seat in turn.seats]
        made = [seat.moves_made for seat in turn.seats]
        rest = []
        for seat, move in moves(turn):
            fields = {"moves_made": str(made[seat]), "move": codec.dump(move)}
            rest.append(persons[seat].send(match_id, fields))
            made[seat] += 1
        return rest


def moves(turn: Turn) -> Iterator[tuple[int, object]]:
    """Foresee a match of random moves: whoever knows the seed knows what the dealer will do."""
    game, chooser = turn.game, Random(turn.seed)
    state, number = codec.load(game.State, turn.text), turn.match.version
    while game.result(state) is None:
        seat, open_to = next(
            (seat, open_to)
            for seat in range(len(turn.seats))
            if (open_to := game.legal(state, seat))
        )
        move = chooser.choice(open_to)
        yield seat, move
        game.play(state, seat, move, Dealer(turn.seed, number))
        number += 1
