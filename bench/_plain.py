"""What to compare with: a small site as one writes it with Flask, SQLAlchemy, Jinja and gunicorn.

It does with care what every such site has to do, and nothing else. It checks the cookie, its user
and the token of a form; it reads rows, renders a page, gives it a tag; and what is moved is on the
disk before it answers. It has no rules, no secrets, no clocks and nobody to tell. It imports
nothing of ours; `python -m bench._plain PEOPLE TABLES MOVES` fills its database.
"""

import json
import os
import sys
from datetime import UTC, datetime

from flask import Flask, Response, abort, g, render_template, request, session
from flask_wtf.csrf import CSRFProtect, generate_csrf  # type: ignore[import-untyped]
from jinja2 import DictLoader
from sqlalchemy import ForeignKey, create_engine, event, select, update
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    mapped_column,
    relationship,
    selectinload,
)

ROWS = 20  # Of the moves that a page shows.
MOST_LISTED = 50

PAGE = """<!doctype html><html lang="en"><head><title>{{ title }}</title></head><body>
<nav><a href="/">Home</a> <a href="/tables/listed">Tables</a> {{ user.name if user }}</nav>
<main><h1>{{ title }}</h1>{% if match %}<p>{{ match.version }} moves</p><ol>
{% for move in rows %}<li value="{{ move.number }}">{{ move.user.name }}: {{ move.text }},
{{ move.made_at.strftime("%d %B %Y, %H:%M") }}</li>{% endfor %}</ol>
<form method="post" action="/table/{{ match.id }}/move"><input name="text"><button>Move</button>
</form>{% else %}<ul>{% for each in rows %}<li><a href="/table/{{ each.id }}">{{ each.name }}</a>,
{{ each.version }} moves: {% for seat in each.seats %}{{ seat.user.name }}
{% endfor %}</li>{% endfor %}</ul>{% endif %}</main></body></html>"""


class Base(DeclarativeBase):
    """All tables."""


class User(Base):
    """Somebody who plays."""

    __tablename__ = "user"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Seat(Base):
    """Who sits at a table."""

    __tablename__ = "seat"
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    user: Mapped[User] = relationship(lazy="joined")


class Match(Base):
    """A table."""

    __tablename__ = "match"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    version: Mapped[int]
    seats: Mapped[list[Seat]] = relationship()


class Move(Base):
    """What somebody did."""

    __tablename__ = "move"
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    text: Mapped[str]
    made_at: Mapped[datetime]
    user: Mapped[User] = relationship(lazy="joined")


app = Flask(__name__)
app.jinja_loader = DictLoader({"page.html": PAGE})
app.config["SECRET_KEY"] = "a bench has no secrets"
CSRFProtect(app)
engine = create_engine(f"sqlite:///{os.environ.get('PLAIN_DATABASE', '')}")


@event.listens_for(engine, "connect")
def _set_up(connection: object, record: object) -> None:
    connection.executescript(  # type: ignore[attr-defined]
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000;"
    )


@app.before_request
def find_user() -> None:
    """Find out who asks."""
    g.db = Session(engine)
    user_id = session.get("user_id")
    g.user = g.db.get(User, user_id) if user_id else None


@app.teardown_request
def close(error: BaseException | None) -> None:
    """Give the connection back."""
    if "db" in g:
        g.db.close()


@app.get("/table/<int:match_id>")
def show(match_id: int) -> Response:
    """Show a table, or say that it has not changed."""
    return _page(g.db.get(Match, match_id) or abort(404))


@app.post("/table/<int:match_id>/move")
def move(match_id: int) -> Response:
    """Take down a move."""
    match = g.db.get(Match, match_id) or abort(404)
    if g.user is None:
        abort(403)
    number = match.version + 1
    as_read = update(Match).where(Match.id == match_id, Match.version == match.version)
    if g.db.execute(as_read.values(version=number)).rowcount == 0:
        abort(409)  # Somebody was faster.
    made = Move(match_id=match_id, number=number, user_id=g.user.id, made_at=_now())
    made.text = request.form["text"]
    g.db.add(made)
    g.db.commit()
    return _page(match)


@app.get("/tables/listed")
def tables() -> str:
    """List the newest tables."""
    newest = select(Match).options(selectinload(Match.seats)).order_by(Match.id.desc())
    rows = g.db.scalars(newest.limit(MOST_LISTED)).all()
    return render_template("page.html", title="Tables", user=g.user, match=None, rows=rows)


def fill(people: int, tables: int, moves: int) -> list[str]:
    """Make people and tables in mid-game; return for each person the headers that they send."""
    Base.metadata.create_all(engine)
    with Session(engine) as db:
        db.add_all(User(id=number, name=f"Player {number}") for number in range(1, people + 1))
        db.add_all(
            Match(id=number, name=f"Table {number}", version=moves)
            for number in range(1, tables + 1)
        )
        db.flush()
        db.add_all(
            Seat(match_id=table, number=n, user_id=1 + n)
            for table in range(1, tables + 1)
            for n in range(people)
        )
        db.add_all(
            Move(match_id=table, number=n, user_id=1 + n % people, text="a", made_at=_now())
            for table in range(1, tables + 1)
            for n in range(1, moves + 1)
        )
        db.commit()
    return [_sign_in(number) for number in range(1, people + 1)]


def _sign_in(user_id: int) -> str:
    with app.test_request_context():
        session["user_id"] = user_id
        token, answer = generate_csrf(), Response()
        app.session_interface.save_session(app, session, answer)
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    return f"X-CSRFToken: {token}\r\nCookie: {cookie}\r\n"


def _page(match: Match) -> Response:
    newest = select(Move).where(Move.match_id == match.id).order_by(Move.number.desc()).limit(ROWS)
    rows = g.db.scalars(newest).all()
    html = render_template("page.html", title=match.name, user=g.user, match=match, rows=rows)
    answer = Response(html)
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    print(json.dumps(fill(*map(int, sys.argv[1:]))))
