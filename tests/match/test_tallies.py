"""Sums are kept with every result; added up anew from all matches, they are the same."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

from flask import Flask
from sqlalchemy import select, update

from stockpile_web.engine.options import together
from stockpile_web.games import GAMES
from stockpile_web.match import tallies
from stockpile_web.match.rows import read_match, read_seats
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Reckoning, Rival, Tally
from stockpile_web.storage.transactions import reading, transaction, writing
from stockpile_web.storage.trouble import insist
from stockpile_web.worker.reckoning import reckon_next
from tests.conftest import PASSWORD
from tests.support.added_up import added_up, kept
from tests.support.clicking import make_any_move
from tests.support.finished import finished, person
from tests.support.people import let_anybody_leave, on_turn, seated


def check(app: Flask) -> None:
    """Compare what is kept with what all matches add up to; there is something to compare."""
    with app.app_context():
        assert kept(reading()) == added_up(reading())
        assert db.session.query(Tally).count() and db.session.query(Rival).count()


def test_what_is_kept_is_what_all_matches_add_up_to(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    ann, chooser = app.test_client(), Random(5)
    people = [sign_up(ann, "ann"), *(person(app, name) for name in ("bob", "carol", "dave"))]
    for number in range(30):
        game = chooser.choice(list(GAMES))
        everybody: list[int | str] = [*people, next(iter(GAMES[game].BOTS))]
        players = chooser.sample(everybody, chooser.randint(2, 5))
        keys = [option.key for option in GAMES[game].OPTIONS if option.numbers is None]
        finished(
            app, players, game=game, thinking=chooser.choice([0, 100]),
            scores=sorted(chooser.choices(range(-9, 50), k=len(players)), reverse=True),
            options=" ".join(sorted(together(game=GAMES[game], keys=chooser.sample(keys, 2)))),
            listed=chooser.random() < 0.7, practice=number % 7 == 0,
            status="closed" if number % 9 == 0 else "over",
        )  # fmt: skip
    check(app)
    let_anybody_leave(app)
    ann.post("/account/delete", data={"password": PASSWORD})
    check(app)
    with app.app_context():
        assert not reading().scalar(select(Tally.played).where(Tally.user_id == people[0]))
        assert not reading().scalar(select(Rival.met).where(Rival.rival_id == people[0]))
    finished(app, people)  # She had begun it, and a bot has played on for her.
    check(app)


def test_a_match_is_added_with_its_last_move_and_never_again(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match_id, players = seated(app, sign_up, 2)
    chooser = Random(4)
    while waiting := on_turn(app, match_id, players):
        with app.app_context():
            assert db.session.query(Tally).count() == 0
        make_any_move(chooser.choice(waiting), match_id, chooser)
    check(app)
    players[0].post(f"/table/{match_id}/chat", data={"text": "Well played."})
    with app.app_context(), writing() as tx:
        tx.execute(update(Reckoning).values(due_at=now()))
    assert reckon_next(app)
    check(app)


def test_matches_of_the_same_people_that_end_at_once_are_all_added(app: Flask) -> None:
    people = [person(app, name) for name in ("ann", "bob", "carol")]
    matches = [finished(app, people[:: (1, -1)[n % 2]]) for n in range(6)]
    with app.app_context(), writing() as tx:
        for each in people:
            tallies.forget(tx, each)

    def end(match_id: int) -> None:
        with app.app_context(), transaction() as connection:
            match = read_match(connection, match_id)
            assert match
            tallies.add(connection, match, read_seats(connection, match_id))

    def send_until_done(match_id: int) -> None:
        insist(partial(end, match_id), 30)

    with ThreadPoolExecutor(3) as at_once:
        list(at_once.map(send_until_done, matches))
    with app.app_context():
        (sums, rivals), (whole, all_rivals) = kept(reading()), added_up(reading())
        assert rivals == all_rivals
        assert {key: each[:7] for key, each in sums.items()} == {
            key: each[:7] for key, each in whole.items()
        }, "rows of wins aside, for which the order counts"
