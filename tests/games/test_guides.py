"""The guide has words for every kind of decision of every game, and marks what is on the board."""

import re
from random import Random
from typing import Any

import pytest

from stockpile_web.engine import Advice, Dealer, Seat, Step
from stockpile_web.games import GAMES
from stockpile_web.match.guide import Guidance
from stockpile_web.settings import ROOT
from stockpile_web.words.events import advice_in_words
from tests.games.test_coaches import COACHED, advice
from tests.support.known import known
from tests.support.looking import NAMES, environment, table_of
from tests.support.option_sets import mixes
from tests.support.random_play import Sitting
from tests.support.worlds import worlds_of

CONTRACT = {"kind", "look", "reasons", "waiting", "more"}  # What every guide has besides its kinds.
SHOWN = re.compile(r'data-look="([^"]*)">(.*?)</section>', re.S)
ENOUGH = 3  # Times that one kind is looked at, with the same kinds of moves.
FEWEST, MOST = 1, 40  # Tables, until all kinds have been met.


class Reader:
    """Somebody who reads the guide at table after table of one game."""

    def __init__(self, slug: str) -> None:
        self.slug, self.read, self.kinds = slug, dict[Any, int](), set[str]()
        name = f"games/{slug}/guide.html"
        self.words = environment().get_template(name).module
        source = (ROOT / "templates" / name).read_text()
        self.written = set(re.findall(r"macro ([a-z]\w*)\(", source)) - CONTRACT
        sheet = ROOT / "static" / "games" / slug / "guide.css"
        self.css = sheet.read_text() if sheet.exists() else None

    def look(self, sitting: Sitting, seat: Seat) -> None:
        """Read what the guide says to a seat, unless it was read often enough."""
        table, best = table_of(sitting, seat), advice(sitting.game, sitting.state, seat)[0]
        for table.moves_made in (0, 5):  # At first a word is explained, later it is known.
            kind = self.words.kind(table, best).strip()
            self.kinds.add(kind)
            key = (kind, *sorted({type(move).__name__ for move in table.moves}))
            self.read[key] = self.read.get(key, 0) + 1
            if self.read[key] <= ENOUGH:
                self.read_here(sitting, seat, table, best)

    def read_here(self, sitting: Sitting, seat: Seat, table: Any, best: Advice) -> None:
        """See that what is said makes sense, is about this board, and is known to the seat."""
        assert "." in self.words.waiting(table)
        shown = self.board(sitting, table, best)
        found = SHOWN.search(shown)
        assert found
        text = " ".join(re.sub("<[^>]*>", "", found[2]).split())
        assert len(text.split()) > 20
        assert not re.search(r"None|Undefined|[{}]| [.,;]|\.\.| 1 shares| 1 cards", text), text
        for part in found[1].split():
            assert f'id="{part}"' in shown, part
            if self.css is not None:
                assert f'[data-look~="{part}"]) #{part}' in self.css
        other = sitting.copy()
        other.state = worlds_of(self.slug).another_world(sitting.state, seat, Random(1))
        there = table_of(other, seat)
        there.moves_made = table.moves_made
        assert self.board(other, there, advice(other.game, other.state, seat)[0]) == shown

    def board(self, sitting: Sitting, table: Any, best: Advice) -> str:
        """Render the board with the guide on it."""
        words = advice_in_words(environment(), self.slug, best, NAMES)
        template = environment().get_template(f"games/{self.slug}/board.html")
        guide = Guidance(best, is_past=False)
        data = sitting.game.data
        return str(template.render(table=table, data=data, since=(), guide=guide, advice=words))

    def look_at_the_turn_on(self, sitting: Sitting, seat: Seat) -> None:
        """Follow the guide through a turn of several steps."""
        game, state = sitting.game, sitting.state
        while isinstance(move := advice(game, state, seat)[0].move, Step):
            game.play(state, seat, move, Dealer(""))
            self.look(sitting, seat)


@pytest.mark.parametrize("slug", COACHED)
def test_every_kind_of_decision_is_explained_by_what_the_seat_sees(slug: str) -> None:
    reader, about, seats = Reader(slug), known(slug), GAMES[slug].SEATS
    for phase in about.RARE:
        sitting = Sitting(slug, seats[0], (), "guide")
        about.bring_to(phase, sitting.state)
        reader.look(sitting, sitting.on_turn()[0])
    for number, options in enumerate(mixes(GAMES[slug], MOST)):
        sitting = Sitting(slug, seats[number % len(seats)], options, f"guide {number}")
        for _ in range(90):
            if sitting.game.result(sitting.state) is not None:
                break
            seat = sitting.on_turn()[0]
            reader.look(sitting, seat)
            if number == 0:
                reader.look_at_the_turn_on(sitting.copy(), seat)
            sitting.step()
        if number > FEWEST and reader.kinds == reader.written:
            break
    assert reader.kinds == reader.written
