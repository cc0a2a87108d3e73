"""The market is one board: whatever befalls a company, its track lies in line with the others."""

import pytest
from msgspec.structs import replace

from stockpile_web.games import GAMES
from tests.browser.shifting import LARGE, PHONE
from tests.support.looking import environment
from tests.support.random_play import Sitting

# Where each track begins and ends, and the middle of each ticker by the space it stands on.
PLACES = """() => [...document.querySelectorAll("#market .row")].map((row) => {
  const { left, right } = row.querySelector(".way").getBoundingClientRect();
  const ticker = row.querySelector(".tic").getBoundingClientRect();
  return [left, right, (ticker.left + ticker.right) / 2].map(Math.round);
})"""


def market(fate: dict[str, str], moved: dict[str, int]) -> str:
    """Return the market with all tickers on the first space, as its template draws it."""
    sitting = Sitting("stockpile", 4, frozenset(), "market")
    tickers = [
        replace(ticker, space=0, price=ticker.track.values[0])
        for ticker in GAMES["stockpile"].view(sitting.state, None).market
    ]
    tracks = environment().get_template("games/stockpile/_tracks.html").module
    return str(tracks.tracks(tickers, moved, fate, {}))


@pytest.mark.parametrize("size", [PHONE, LARGE], ids=["390", "1366"])
def test_tracks_begin_and_end_alike_beside_one_that_is_bankrupt_and_one_that_has_split(
    visitor, catalogue, size
):
    page = catalogue.visit(visitor(viewport=size), "stockpile, supply")
    if size is PHONE:
        page.locator("label:has(#tab-common)").click()
    html = market({"EE": "bankrupt", "CC": "split"}, {"AA": 2, "BB": -3})
    page.locator("#market").evaluate("(market, html) => (market.outerHTML = html)", html)
    assert "bankrupt" in page.locator("#row-EE").inner_text()
    places = page.evaluate(PLACES)
    assert len(places) == 6 and places[0][1] - places[0][0] > 200
    assert places == [places[0]] * 6
    over = "all => all.filter((at) => at.scrollWidth > at.clientWidth + 1).length"
    assert page.locator("#market .at").evaluate_all(over) == 0
