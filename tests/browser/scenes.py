"""Tables brought to a certain point without the browser, in milliseconds."""

from random import Random

import pytest

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from tests.browser.account import Account
from tests.browser.house import House
from tests.support.clicking import make_any_move
from tests.support.known import FIRST, known
from tests.support.people import choose_the_deal
from tests.support.stored import put

OVER = "over"
SEEDS = range(1, 30)


def set_up_table(host: Account, size: int, **form: str) -> int:
    """Let `host` set up a table, at which nobody else sits yet."""
    form = {"game": FIRST, "size": str(size), "pace": "day", **form}
    place = host.send("/tables/new", **form)
    return int(place.rsplit("/", 1)[1])


def seat(host: Account, *guests: Account, bots: int = 0, seed: int = 1, **form: str) -> int:
    """Seat people and bots at a new table, so that the match begins; one seed gives one deal."""
    match_id = set_up_table(host, 1 + len(guests) + bots, **{"listed": "on", **form})
    with pytest.MonkeyPatch.context() as patch:
        choose_the_deal(patch, seed)
        for guest in guests:
            guest.send(f"/table/{match_id}/seating", do="join")
        if bots:
            host.send(f"/table/{match_id}/seating", do="fill")
    return match_id


def table_at(phase: str, host: Account, *guests: Account, bots: int = 0, **form: str) -> int:
    """Return a table at which `host` has a decision to make in `phase`, or which is over."""
    players = {player.name: player for player in (host, *guests)}
    about = known(form.get("game", FIRST))
    if phase in about.RARE:
        match_id = table_at(about.FULLEST, host, *guests, bots=bots, **form)
        return bring_to(phase, host.house, match_id)
    presses = about.PRESSES
    for seed in SEEDS:
        chooser = Random(seed)
        match_id = seat(host, *guests, bots=bots, seed=seed, **form)
        if phase in presses:
            host.send(f"/table/{match_id}/orders", press=presses[phase])
        while names := host.house.on_turn(match_id):
            if host.name in names and phase_of(host.house, match_id) == phase:
                return match_id
            make_any_move(players[names[0]].client, match_id, chooser)
        if phase == OVER:
            return match_id
    raise AssertionError(f"no game among {len(SEEDS)} comes to {phase}")


def bring_to(phase: str, house: House, match_id: int) -> int:
    """Let those who decide at a table decide in a phase to which play hardly ever comes."""
    with house.app.app_context():
        match = db.session.get_one(Match, match_id)
        game, state = match.game, codec.load(GAMES[match.game].State, match.state)
    known(game).bring_to(phase, state)
    put(house.app, match_id, codec.dump(state))
    return match_id


def phase_of(house: House, match_id: int) -> str:
    """Return in which phase of a match somebody decides."""
    with house.app.app_context():
        match = db.session.get_one(Match, match_id)
        state = codec.load(GAMES[match.game].State, match.state)
        return known(match.game).phase_of(state)
