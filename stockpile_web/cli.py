"""The commands of `./run` that hosts and players of the rules use."""

import os
import socket
import sys
from pathlib import Path

import click
from flask import Flask

from stockpile_web.engine import Game
from stockpile_web.engine.options import objection, read, write
from stockpile_web.engine.simulation import (
    ALL,
    RANDOM,
    bot_game,
    bot_summary,
    full_log,
    options_for,
    random_game,
    summary,
)
from stockpile_web.games import GAMES
from stockpile_web.upkeep import commands
from stockpile_web.upkeep.commands import one_line
from stockpile_web.words.events import log_as_text

GUNICORN = [sys.executable, "-m", "gunicorn"]

# glibc learns from the first large block that is freed to keep such blocks in its arenas, one for
# each thread. Fixed, the threshold sees to it that the 19 MB of a password check go back at once.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": str(1024 * 1024)}

NAMES = ["Ann", "Bob", "Carol", "Dave", "Eve"]


@click.group()
@click.pass_context
def main(context: click.Context) -> None:
    """Stockpile Web."""
    context.obj = ready_app  # For commands of rooms that must not know the whole application.


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, help="Port to listen on.")
def serve(host: str, port: int) -> None:
    """Start the server."""
    from stockpile_web.notify.channels import push

    # Whoever starts us may hold the socket, so that a restart refuses nobody; gunicorn takes it.
    is_given_socket = os.environ.get("LISTEN_PID") == str(os.getpid())
    if not is_given_socket:
        _refuse_a_taken_port(host, port)
    # Here, not in the server: a bad setting is said once, and what this loads is not kept.
    app = ready_app()
    with app.app_context(), one_line():
        push.own_keys()
    where = "the socket it was given" if is_given_socket else f"http://{host}:{port}"
    print(f"Stockpile Web is at {where} (Ctrl-C stops it).", flush=True)
    command = [*GUNICORN, "-c", "gunicorn.conf.py"]
    arguments = [*command, "--bind", f"{host}:{port}", "wsgi:app"]
    os.execve(sys.executable, arguments, {**os.environ, **MALLOC})  # noqa: S606 (our own command)


@main.command()
def worker() -> None:
    """Send notices, let bots think and clocks run out; several workers may run at once."""
    from logging.config import dictConfig

    from stockpile_web.server import logs
    from stockpile_web.storage.database import db
    from stockpile_web.worker import keeper

    app, stop = ready_app(), keeper.stop_event()
    dictConfig(logs.configuration(app.config["LOG"]))
    with app.app_context():
        db.engine.dispose()  # A connection is of no use to another process.
    keeper.keep(app, stop, is_wanted=lambda: True)


@main.command()
def migrate() -> None:
    """Bring the database up to date."""
    ready_app()
    print("The database is up to date.")


@main.command()
def demo() -> None:
    """Fill a fresh database with people and tables."""
    from stockpile_web import demo as sample

    try:
        sample.fill(ready_app())
    except sample.NotFresh:
        raise SystemExit(
            "run: there are people in this database already. For a fresh one: "
            "STOCKPILE_INSTANCE=/tmp/demo ./run demo"
        ) from None
    people = ", ".join(sample.PEOPLE)
    print(f"Now ./run with the same settings, and sign in as {people}.")
    print(f"The password of each is: {sample.PASSWORD}")


@main.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@click.option("--seats", default=4, show_default=True, help="How many play.")
@click.option(
    "--games", default=200, show_default=True, type=click.IntRange(1), help="How many games."
)
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games.")
@click.option(
    "--options",
    default="",
    help="Options of the game, with commas between, a number as key=20; or all; or random, a new "
    "mix each game.",
)
@click.option(
    "--bots",
    default="",
    help="Who plays, one for each seat, with commas between; random makes any move.",
)
@click.option("--show", is_flag=True, help="Print the log of the first game, played at random.")
def simulate(
    game: str, seats: int, games: int, seed: str, options: str, bots: str, show: bool
) -> None:
    """Play games at random or among bots, and say what they were like."""
    rules = GAMES[game]
    if seats not in rules.SEATS:
        raise click.UsageError(
            f"{rules.TITLE} is for {rules.SEATS[0]} to {rules.SEATS[-1]} players."
        )
    if options not in (ALL, RANDOM):
        _check_options(rules, options, seats)
    if show:
        first = options_for(rules, options, seats, f"{seed}:0")
        click.echo(log_as_text(game, full_log(rules, seats, first, f"{seed}:0"), NAMES[:seats]))
        return
    if bots:
        names = _bot_names(rules, bots, seats)
        seeds = [f"{seed}:{number}" for number in range(games)]
        records = [
            bot_game(rules, names, options_for(rules, options, seats, this), this, number)
            for number, this in enumerate(seeds)
        ]
        click.echo(bot_summary(names, records))
        return
    results, rounds, moves = [], 0, 0
    for number in range(games):
        this = f"{seed}:{number}"
        state, made = random_game(rules, seats, options_for(rules, options, seats, this), this)
        result = rules.result(state)
        assert result is not None
        results.append(result)
        rounds += rules.view(state, None).round
        moves += made
    click.echo(summary(results, rounds, moves))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Replay a match that was saved as FILE, and say whether it was honest."""
    from stockpile_web.match import checking, match_file

    try:
        with file.open("rb") as opened:
            verdict = checking.check(match_file.read(opened.read(match_file.LARGEST + 1)))
    except OSError as error:
        raise SystemExit(f"run: {file} cannot be read: {error.strerror}.") from None
    except match_file.NotReadable as reason:
        raise SystemExit(f"run: {reason}") from None
    for line in verdict.lines:
        word = {True: "right", False: "WRONG", None: "?"}[line.is_right]
        click.echo(f"{word:6} {line.text}")
    click.echo(verdict.summary)
    sys.exit(not verdict.is_honest)


for command in commands.ALL:
    main.add_command(command)


def _check_options(rules: Game, words: str, seats: int) -> None:
    """Refuse options that the game does not have, or that mean nothing for so many players."""
    asked = set(filter(None, words.split(",")))
    every = [{o.key: number} for o in rules.OPTIONS for number in o.numbers or (1,)]
    if unknown := asked - {word for option in every for word in write(rules, option)}:
        known = [o.key if o.numbers is None else f"{o.key}={o.number}" for o in rules.OPTIONS]
        numbers = [f" {o.key} is {o.span}." for o in rules.OPTIONS if o.numbers is not None]
        raise click.UsageError(
            f"No option {', '.join(sorted(unknown))}. There are: {', '.join(known)}."
            + "".join(numbers)
        )
    if said := objection(rules, read(asked), seats):
        raise click.UsageError(said)


def _bot_names(rules: Game, words: str, seats: int) -> list[str]:
    """Return the bots in `words`, one for each seat; a single one plays them all."""
    names = words.split(",")
    if unknown := set(names) - {*rules.BOTS, RANDOM}:
        known = ", ".join([*rules.BOTS, RANDOM])
        raise click.UsageError(f"No bot {', '.join(sorted(unknown))}. There are: {known}.")
    if len(names) == 1:
        return names * seats
    if len(names) != seats:
        raise click.UsageError(f"{seats} seats need as many bots, not {len(names)}.")
    return names


def ready_app() -> Flask:
    """Return the application with its database brought up to date; a bad setting is one line."""
    from stockpile_web import create_app
    from stockpile_web.storage import schema

    with one_line():
        app = create_app()
        schema.migrate(app)
        return app


def _refuse_a_taken_port(host: str, port: int) -> None:
    try:
        with socket.create_server((host, port), reuse_port=False):
            pass
    except (OSError, OverflowError) as error:
        raise SystemExit(
            f"run: cannot listen on {host} port {port}: {error}. Try --port 8001."
        ) from None


if __name__ == "__main__":
    main()
