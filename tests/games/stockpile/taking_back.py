"""A match of three with a deal that is always the same, and the button "Take back"."""

from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from stockpile_web.engine import codec
from stockpile_web.match import take_back, undo
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move, Notice, User
from tests.games.stockpile.ordering import Game
from tests.support.people import NAMES

DONE = {"move": "Done"}


class Match3(Game):
    """A match of three people, with what one may need to see what a move has changed."""

    def play_to(self, phase: str) -> None:
        """Make random moves, the same ones each time, until somebody decides in this phase."""
        while self.phase() != phase:
            with self.app.app_context(), changing(self.id) as turn:
                seat = next(seat for seat in range(3) if turn.legal(seat))
                turn.play(seat, self.chooser.choice(turn.legal(seat)))

    def match(self) -> Match:
        with self.app.app_context():
            return db.session.get_one(Match, self.id)

    def name(self, client: FlaskClient) -> str:
        return NAMES[self.players.index(client)]

    def companies(self, client: FlaskClient) -> list[str]:
        """Return the companies of which somebody has a card to sell."""
        shares = self.state().players[self.seat(client).number].shares
        return [company for company, cards in shares.items() if cards]

    def made(self, client: FlaskClient) -> str:
        """Return what a fresh page says of how many moves its player has made."""
        return str(self.seat(client).moves_made)

    def send(self, client: FlaskClient, move: dict[str, Any], **more: str) -> TestResponse:
        """Send a move from a fresh page; `moves_made` makes it another one."""
        form = {"moves_made": self.made(client), "move": codec.dump(move), **more}
        return client.post(f"{self.address}/move", data=form)

    def back(self, client: FlaskClient, moves_made: str = "") -> TestResponse:
        """Press the button, on a fresh page unless told otherwise."""
        form = {"moves_made": moves_made or self.made(client)}
        return client.post(f"{self.address}/take-back", data=form)

    def twin(self, client: FlaskClient) -> FlaskClient:
        """Return another tab of the same browser: a client serves one thread at a time."""
        cookie = client.get_cookie("session")
        assert cookie is not None
        other = self.app.test_client()
        other.set_cookie("session", cookie.value)
        return other

    def turn_notices(self, client: FlaskClient) -> list[tuple[str | None, bool]]:
        """Return of each notice of a turn what became of it, and whether it counts as new."""
        with self.app.app_context():
            theirs = select(Notice.outcome, Notice.seen_at).join(User, User.id == Notice.user_id)
            of_turns = theirs.where(User.name == self.name(client), Notice.event == "turn")
            rows = db.session.execute(of_turns.order_by(Notice.id))
            return [(outcome, seen is None) for outcome, seen in rows]


def on_record(row: Move) -> list[dict[str, Any]]:
    """Return the steps and the move that a row has recorded."""
    made = codec.load(Any, row.move)
    return made if isinstance(made, list) else [made]


def bid(pile: int, space: int) -> dict[str, Any]:
    return {"move": "Bid", "pile": pile, "space": space, "meeple": 0}


def sell(company: str) -> dict[str, Any]:
    return {"move": "Sell", "company": company, "cards": 1}


def take_one_back(match_id: int) -> None:
    """Let whoever may take something back do so."""
    with changing(match_id) as turn:
        known = undo.read(turn.match)
        assert known is not None
        form = MultiDict({"moves_made": str(turn.seats[known.seat].moves_made)})
        take_back.take_back(turn, known.user_id, form)
