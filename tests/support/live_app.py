"""A site with live updates and nothing else: for the tests of them, and for bench/viewers.py."""

import os
import threading

from flask import Flask, Response, request
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import event, insert, update
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from stockpile_web import live
from stockpile_web.settings import ROOT

STATIC = ROOT / "static"
MATCHES = range(1, 10)
WAL = "PRAGMA journal_mode=WAL"

PAGE = """<!doctype html><title>Table</title>
<body><main id="table" data-live="/table/{id}/events" data-version="{version}">{version}</main>
<script src="/static/live.js"></script><script src="/page.js"></script></body>"""

# Stands in for htmx: fetches the page again and replaces the table.
PAGE_SCRIPT = """document.body.addEventListener("live", async () => {
  document.body.dataset.fetches = +(document.body.dataset.fetches || 0) + 1;
  const page = new DOMParser().parseFromString(await (await fetch("")).text(), "text/html");
  document.getElementById("table").replaceWith(page.getElementById("table"));
});"""


class Base(DeclarativeBase):
    """What the table derives from."""


class Match(Base):
    """As much of a match as live updates need."""

    __tablename__ = "match"

    id: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(default=0)
    table_version: Mapped[int] = mapped_column(default=0)


def create_app(url: str = "", fallback_streams: int = 2) -> Flask:
    """Make the site; its pool is small, so that a stream which kept a connection would show."""
    app = Flask(__name__, static_folder=str(STATIC))
    app.config["SQLALCHEMY_DATABASE_URI"] = url or os.environ["DATABASE_URL"]
    small = {"pool_size": 2, "max_overflow": 0, "pool_timeout": 2}
    db = SQLAlchemy(app, model_class=Base, engine_options=small)
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            event.listen(db.engine, "connect", lambda sqlite, _: sqlite.execute(WAL))
        live.init_app(app, db.engine, fallback_streams)

    @app.get("/table/<int:match_id>")
    def table(match_id: int) -> Response:
        match = db.get_or_404(Match, match_id)
        version = f"{match.version}.{match.table_version}"
        page = Response(PAGE.format(id=match_id, version=version))
        page.headers["Content-Security-Policy"] = (
            "default-src 'none'; script-src 'self'; connect-src 'self'"
        )
        return page

    @app.get("/page.js")
    def page_script() -> Response:
        return Response(PAGE_SCRIPT, mimetype="text/javascript")

    @app.get("/table/<int:match_id>/events")
    def stream(match_id: int) -> Response:
        db.get_or_404(Match, match_id)
        return live.stream(match_id, request.args.get("key"))

    @app.post("/move/<int:match_id>")
    def move(match_id: int) -> str:
        change = update(Match).where(Match.id == match_id).values(version=Match.version + 1)
        version = db.session.scalar(change.returning(Match.version))
        live.notify_in(db.session.connection(), match_id)
        db.session.commit()
        live.moved(match_id)
        return f"{version}.0"

    @app.post("/flood/<int:match_id>/<int:first>")
    def flood(match_id: int, first: int) -> str:
        for version in range(first, first + 50):
            app.extensions["live"].hub().tell({match_id: (version, 0)})
        return ""

    @app.route("/thread", methods=["GET", "POST"])
    @app.route("/table/1/thread", methods=["GET", "POST"])
    def thread() -> str:
        much = "x" * int(request.args.get("bytes", 0))
        return f"{much}{threading.current_thread().name}."

    @app.get("/about")
    def about() -> dict[str, int]:
        viewers = app.extensions["live"].hub().count()
        return {"process": os.getpid(), "viewers": viewers, "files": len(os.listdir("/dev/fd"))}

    return app


def create_tables(url: str) -> None:
    """Fill an empty database with matches."""
    app = create_app(url)
    db: SQLAlchemy = app.extensions["sqlalchemy"]
    with app.app_context():
        db.create_all()
        db.session.execute(insert(Match), [{"id": number} for number in MATCHES])
        db.session.commit()
        db.engine.dispose()
