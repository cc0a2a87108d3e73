"""A page is sent the parts of a table that it does not have, and is then as if it had them all."""

import re
from random import Random

import pytest

from stockpile_web.games import GAMES
from stockpile_web.web.parts import LINE, cut
from tests.support.clicking import make_any_move
from tests.support.people import on_turn, seated

HX = {"HX-Request": "true"}
FINGERPRINT = re.compile(r'id="([^"]+)" data-fp="([^"]+)"')


def known(html):
    return {fingerprint for _, fingerprint in FINGERPRINT.findall(html)}


def element(id_, *inside):
    return f'<!--part--><p class="x" id="{id_}">{"".join(inside)}</p><!--end-->'


def test_what_a_page_has_is_not_sent_again_and_what_holds_something_new_is_sent_around_it():
    old = cut(
        f"<main>{element('a', '1')}{element('b', element('c', '2'), element('d', '3'))}</main>"
    )
    new = cut(
        f"<main>{element('a', '1')}{element('b', element('c', '2'), element('d', '4'))}</main>"
    )
    has = known(old.whole())
    assert len(has) == 4
    assert "<!--" not in old.whole()
    same = '<main><p id="a" data-same></p><p id="b" data-same></p></main>'
    assert old.beyond(has) == same
    sent = re.sub(' data-fp="[^"]+"', "", new.beyond(has))
    inside = '<p id="c" data-same></p><p class="x" id="d">4</p>'
    assert sent == f'<main><p id="a" data-same></p><p class="x" id="b">{inside}</p></main>'
    assert new.beyond(set()) == new.whole()


def test_what_stands_elsewhere_on_the_page_is_left_out_if_it_is_the_same():
    there = cut('<!--part--><p id="a" hx-swap-oob="morph">1</p><!--end-->')
    assert there.beyond(known(there.whole())) == ""
    assert cut("<!--part-->  <!--end-->").beyond(set()).strip() == ""


def test_of_a_list_that_grows_only_what_is_newer_is_sent():
    def log(*lines):
        inside = LINE.join(["", *(f"<li>{n}</li>" for n in lines), ""])
        return cut(f'<!--growing--><ol id="log">{inside}</ol><!--end-->')

    has = known(log(3, 2, 1).whole())
    sent = log(5, 4, 3, 2).beyond(has)
    assert "data-adds" in sent and re.findall(r"<li>(\d)", sent) == ["5", "4"]
    assert known(sent) == known(log(5).whole())
    assert log(3, 2, 1).beyond(has) == '<ol id="log" data-same></ol>'
    # Too much has happened: it is a new list.
    assert log(9, 8).beyond(has) == log(9, 8).whole()


def test_a_part_without_an_id_is_a_mistake_of_its_template():
    with pytest.raises(ValueError, match="an element with an id"):
        cut("<!--part--><p>1</p><!--end-->")


@pytest.mark.parametrize("game", GAMES)
def test_what_a_page_is_sent_and_what_it_had_are_together_the_whole_table(app, sign_up, game):
    match_id, players = seated(app, sign_up, 3, game=game)
    address, chooser = f"/table/{match_id}", Random(4)
    pages = [client.get(address, headers=HX).text for client in players]
    for _ in range(8):
        make_any_move(on_turn(app, match_id, players)[0], match_id, chooser)
        for at, client in enumerate(players):
            whole, had = client.get(address, headers=HX).text, known(pages[at])
            answer = client.get(address, headers={**HX, "Board-Has": " ".join(had)})
            assert "Board-Has" in answer.headers["Vary"]
            assert not known(answer.text) & had
            assert known(answer.text) | had >= known(whole) > known(answer.text)
            pages[at] = whole
    # A move that is refused is answered in the same way, with what to do next.
    has = {"Board-Has": " ".join(known(pages[0]))}
    answer = players[0].post(f"{address}/move", data={"move": "?"}, headers={**HX, **has})
    assert answer.status_code in (409, 422)
    assert 'role="alert"' in answer.text and "data-same" in answer.text


def test_bytes_that_are_no_fingerprints_get_the_whole_table(app, sign_up):
    match_id, (ann, _) = seated(app, sign_up, 2)
    address = f"/table/{match_id}"
    whole = ann.get(address, headers=HX).text
    for has in (" ", "x", "a" * 5000, "\xff\xfe <b> ;"):
        assert ann.get(address, headers={**HX, "Board-Has": has}).text == whole


def test_what_a_browser_keeps_of_one_page_is_no_answer_to_another(app, sign_up):
    """Browsers ask by the tag of what they keep, though it was sent to a page that had less."""
    match_id, (ann, _) = seated(app, sign_up, 2)
    address = f"/table/{match_id}"
    whole = ann.get(address, headers=HX)
    has = {**HX, "Board-Has": " ".join(known(whole.text))}
    part = ann.get(address, headers=has)
    for asked, kept, status in (
        (HX, part, 200),
        (has, whole, 200),
        (HX, whole, 304),
        (has, part, 304),
    ):
        again = ann.get(address, headers={**asked, "If-None-Match": kept.headers["ETag"]})
        assert again.status_code == status
