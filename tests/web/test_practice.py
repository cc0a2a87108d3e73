"""Practice tables: other bots, once more, and nothing counts."""

from sqlalchemy import select

from stockpile_web.games import GAMES
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Archived, Match, Rating, Reckoning, Seat
from tests.support.playing import play
from tests.support.practising import Practice


def test_the_bots_of_a_practice_table_are_changed_at_once(app, sign_up):
    table = Practice(app, sign_up, next(iter(GAMES)))
    bots = {seat: "casual" for seat in range(4)} | {(table.mine().number + 1) % 4: "sharp"}
    form = {f"bot-{seat}": bot for seat, bot in bots.items()}
    page = table.ann.get(table.address).text
    assert 'value="bots"' in page and "I know what shares are worth" in page
    data = {"do": "bots", **form}
    answer = table.ann.post(f"{table.address}/seating", data=data, follow_redirects=True)
    assert "The bots play as you chose" in answer.text
    with app.app_context():
        seats = db.session.get_one(Match, table.match_id).seats
        others = {seat.number: seat.bot for seat in seats if seat.user_id is None}
    assert others == {seat: bots[seat] for seat in others}
    assert table.mine().bot is None
    assert "I play at a glance" in table.ann.get(table.address).text
    # A bot that thinks is left to the worker, but not if I have gone back to before its turn.
    while not waiting(app, table.match_id):
        table.play(1)
    assert table.go_back(table.standing()[-1]).status_code == 303
    assert table.mine().on_turn and not waiting(app, table.match_id)
    # One that does not think moves when it takes its place.
    while not (thinking := waiting(app, table.match_id)):
        table.play(1)
    before = table.match().version
    form = {"bot-0": "nobody", "bot-9": "steady", f"bot-{thinking[0]}": "steady"}
    table.ann.post(f"{table.address}/seating", data={"do": "bots", **form})
    assert table.match().version > before and not waiting(app, table.match_id)

    with app.app_context(), changing(table.match_id) as turn:
        turn.match.practice = False
    data = {"do": "bots", **form}
    refused = table.ann.post(f"{table.address}/seating", data=data, follow_redirects=True)
    assert "at practice tables only" in refused.text and 'value="bots"' not in refused.text


def waiting(app, match_id):
    """Return the seats whose bots are to think."""
    with app.app_context():
        acting = select(Seat.number).where(Seat.match_id == match_id, Seat.acts_at.is_not(None))
        return db.session.scalars(acting).all()


def test_a_practice_table_counts_for_nothing_and_play_again_begins_another(app, sign_up):
    table = Practice(app, sign_up, "stonks")
    form = {f"bot-{seat}": "casual" for seat in range(4)}
    table.ann.post(f"{table.address}/seating", data={"do": "bots", **form})
    play(app, table.match_id)
    assert table.match().status == "over"
    with app.app_context():
        for counted in (Reckoning, Rating):
            assert db.session.scalars(select(counted)).all() == []
        kept = db.session.scalars(select(Archived)).all()
        assert [row.listed for row in kept] == [False]  # In Ann's own list, as practice.
    ann, stranger = table.ann, app.test_client()
    assert "You have finished no match yet" in ann.get("/people/ann").text
    assert len(ann.get("/people/ann/results.csv").text.splitlines()) == 1
    for page in ("/archive", "/people", "/feed.atom", "/tables/listed", "/people/ann"):
        assert table.address not in stranger.get(page).text
        assert "Abacus" not in stranger.get(page).text
    assert "practice</span>" in ann.get("/archive?mine=on").text

    again = ann.post(f"{table.address}/seating", data={"do": "rematch"}).location
    assert again != table.address and again == go_again(ann, table)
    with app.app_context():
        new = db.session.get_one(Match, int(again.rsplit("/", 1)[1]))
        assert (new.practice, new.listed, new.status) == (True, False, "playing")
        assert (new.game, new.options, new.size) == ("stonks", table.match().options, 4)
        assert [seat.bot for seat in new.seats if seat.user_id is None] == ["casual"] * 3
    assert "Back to before" in ann.get(again).text or "steady player" in ann.get(again).text


def go_again(client, table):
    return client.post(f"{table.address}/seating", data={"do": "rematch"}).location
