"""One screen: at every decision all that it needs lies in view, uncovered, at every size."""

from random import Random

import pytest

from stockpile_web.games import GAMES
from tests.browser.conftest import FLAGS, browser_path
from tests.browser.person import Person
from tests.browser.scenes import phase_of, seat
from tests.support.clicking import make_any_move
from tests.support.known import known

SMALL = [(390, 844), (844, 390), (820, 1180)]
LARGE = [(1366, 768), (1440, 900)]
LYING = (844, 390)
ACTED_ON = ["#say", "#board label:has(input)", "#bar button"]

# What lies outside of the view or under something else; what is folded away is not asked for.
COVERED = """(selectors) => {
  const found = [];
  for (const element of document.querySelectorAll(selectors.join(","))) {
    if (!element.checkVisibility() || element.matches(".vh")) continue;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const name = element.id || element.querySelector("[id]")?.id || element.textContent.trim();
    if (top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1) {
      found.push(`${name} is at ${Math.round(top)} to ${Math.round(bottom)} of ${innerHeight}`);
      continue;
    }
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!there || !(element.contains(there) || there.contains(element)))
      found.push(`${name} lies under ${there?.id || there?.className}`);
  }
  return found;
}"""

OFF_THE_SIDE = """() => {
  const width = document.documentElement.clientWidth;
  const wide = [...document.body.querySelectorAll("*")].filter((element) => {
    const box = element.getBoundingClientRect();
    const isWide = element.checkVisibility() && box.width > 1 && box.right > width + 1;
    return isWide && !element.closest(".wide, .scroll, svg");
  });
  const cut = [...document.querySelectorAll("#board :is(label, button)")].filter(
    (element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 2);
  return [...wide, ...cut].map((element) => element.outerHTML.slice(0, 140));
}"""


def options_of(game, everything):
    """Return the form of a table with nothing, or with all that goes together."""
    options = GAMES[game].OPTIONS if everything else ()
    keys = {option.group or option.key: option.key for option in options if not option.numbers}
    return {f"options.{name}": key for name, key in keys.items()}


def decisions(player, match_id, chooser):
    """Play a match to its end; yield at each kind of decision of `player`, three times at most."""
    seen: dict[str, int] = {}
    while names := player.house.on_turn(match_id):
        assert names == [player.name]
        phase = phase_of(player.house, match_id)
        seen[phase] = seen.get(phase, 0) + 1
        if seen[phase] <= 3:
            yield phase
        make_any_move(player.client, match_id, chooser)


@pytest.mark.parametrize(
    "everything",
    [pytest.param(False, id="plain"), pytest.param(True, id="everything", marks=pytest.mark.long)],
)
@pytest.mark.parametrize("game", GAMES)
def test_all_that_a_decision_needs_is_in_view(player, game, everything):
    phones = player("ann", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    laptop = player("bob")
    laptop.bring_cookie(phones.cookie())
    most = GAMES[game].SEATS[-1] - 1
    match_id = seat(phones, bots=most, game=game, **options_of(game, everything))
    hidden: dict[tuple[str, tuple[int, int]], list[str]] = {}
    seen = set()
    for phase in decisions(phones, match_id, Random(1)):
        seen.add(phase)
        for person, sizes in ((phones, SMALL), (laptop, LARGE)):
            person.open(f"/table/{match_id}")
            for size in sizes:
                person.page.set_viewport_size({"width": size[0], "height": size[1]})
                parts = [*ACTED_ON, *(known(game).IN_VIEW if size != LYING else ())]
                if found := person.page.evaluate(COVERED, parts):
                    hidden.setdefault((phase, size), found[:6])
    assert len(seen) >= min(2, len(known(game).DECISIONS))
    assert not hidden, "\n".join(f"{where} {what}" for where, what in hidden.items())


@pytest.fixture(scope="module")
def large_letters(chromium):
    """A browser of somebody who has set all text to twice its size."""
    kind, found = chromium.browser_type, browser_path()
    flags = [*FLAGS, "--blink-settings=defaultFontSize=32"]
    browser = kind.launch(executable_path=found, args=flags)
    yield browser
    browser.close()


@pytest.mark.parametrize("game", GAMES)
def test_with_letters_twice_as_large_nothing_is_cut_off(player, large_letters, house, game):
    ann = player("ann")
    match_id = seat(ann, bots=3, game=game, **options_of(game, everything=True))
    reader = Person(house, large_letters.new_context(viewport={"width": 390, "height": 844}))
    reader.bring_cookie(ann.cookie())
    wrong: dict[tuple[str, tuple[int, int]], list[str]] = {}
    for phase in decisions(ann, match_id, Random(2)):
        reader.open(f"/table/{match_id}")
        for size in (*SMALL, *LARGE):
            reader.page.set_viewport_size({"width": size[0], "height": size[1]})
            if found := reader.page.evaluate(OFF_THE_SIDE):
                wrong.setdefault((phase, size), found[:4])
    reader.context.close()
    assert not wrong, "\n".join(f"{where} {what}" for where, what in wrong.items())
