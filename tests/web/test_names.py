"""Names of people: in every script, the same however they are typed, and none that looks alike."""

import re
import unicodedata

import pytest

from stockpile_web.storage import names
from tests.conftest import PASSWORD, sign_in
from tests.support.people import table
from tests.support.postbox import work


@pytest.mark.parametrize(
    "name",
    [
        "", "a", "a" * 21, "two words", "o'neil", "<b>", "former-player", "fоrmer_player", "ß" * 11,
        "a\u200db", "\u3164\u3164", "\u0301ab", "a" + "\u0323" * 6, "a\u202eb", "½½½", "🎲🎲🎲",
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_is_refused(client, name):
    answer = client.post("/sign-up", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 422
    assert 'aria-describedby="name-error name-hint"' in answer.text


@pytest.mark.parametrize(
    "name",
    [
        "Änne", "Зоя", "田中", "さくら", "김민준", "محمد", "नमस्ते", "Σωκράτης", "Ñandú_7", "Đặng",
        "ไทย",
    ],
)  # fmt: skip
def test_a_name_may_be_in_any_script_and_its_owner_signs_in_by_it(app, client, sign_up, name):
    sign_up(client, name)
    for typed in (name.upper(), unicodedata.normalize("NFD", name)):
        other = app.test_client()
        assert sign_in(other, typed).status_code == 303
        assert name in other.get("/account").text


@pytest.mark.parametrize(
    ("taken", "wanted"),
    [
        ("Anna", "Аnnа"),  # In Cyrillic: the first and the last letter.
        ("Ian", "lan"),
        ("ian", "iаn"),
        ("Hank", "Нank"),
        ("bob", "b0b"),
        ("Zoë", "Zoё"),
        ("mo-mo", "rno-rno"),
        ("カオル", "力オル"),
        ("Сергей", "Cергей"),
    ],
)
def test_a_name_that_looks_like_one_that_is_taken_is_refused(app, client, sign_up, taken, wanted):
    for first, second in ((taken, wanted), (wanted, taken)):
        owner = app.test_client()
        sign_up(owner, first)
        answer = client.post("/sign-up", data={"name": second, "password": PASSWORD})
        assert answer.status_code == 422
        assert "looks like the name of somebody else" in answer.text
        owner.post("/account/delete", data={"password": PASSWORD})


def test_names_that_do_not_look_alike_live_side_by_side(app, sign_up):
    for name in ("Anna", "Анна", "Hanna", "Änna", "ahna", "Аня", "安娜", "アンナ", "Alla", "Alia"):
        sign_up(app.test_client(), name)


@pytest.mark.parametrize(
    ("wide", "plain"), [("Ａｎｎ", "Ann"), ("ｶｵﾙ", "カオル"), ("Straße", "STRASSE")]
)
def test_a_name_is_the_same_however_its_letters_are_typed(app, client, sign_up, wide, plain):
    sign_up(app.test_client(), wide)
    answer = client.post("/sign-up", data={"name": plain, "password": PASSWORD})
    assert "This name is taken" in answer.text


def test_a_name_is_taken_in_any_case(app, client, sign_up):
    sign_up(client, "Ann")
    answer = app.test_client().post("/sign-up", data={"name": "aNN", "password": PASSWORD})
    assert answer.status_code == 422
    assert "taken" in answer.text


def test_whoever_has_a_name_in_another_script_plays_and_is_told_as_everybody_is(
    site, postbox, sign_up
):
    match_id, ann = table(site, sign_up, 2, listed="on")
    zoe = site.test_client()
    sign_up(zoe, "Зоя", email="zoe@example.org")
    zoe.post("/tables/new", data={"game": "stockpile", "size": "2", "pace": "day"})
    assert "Зоя’s table" in zoe.get("/tables").text
    zoe.post(f"/table/{match_id}/seating", data={"do": "join"})
    ann.post(f"/table/{match_id}/chat", data={"text": "@зоя, hello"})
    work(site)
    (mail,) = postbox.mails
    text = mail.get_body(("plain",)).get_content()
    assert "Hello Зоя," in text and "Somebody calls you in the chat" in text
    assert "Зоя" in ann.get(f"/table/{match_id}").text


def test_a_name_written_from_right_to_left_leaves_the_words_beside_it_in_order(
    site, postbox, sign_up
):
    match_id, ann = table(site, sign_up, 2, name="שולחן", listed="on")
    mo = site.test_client()
    sign_up(mo, "محمد", email="mo@example.org")
    pages = [ann.get(f"/table/{match_id}").text, ann.get("/tables").text]
    mo.post(f"/table/{match_id}/seating", data={"do": "join"})
    mo.post(f"/table/{match_id}/chat", data={"text": "שלום 7"})
    ann.post(f"/table/{match_id}/chat", data={"text": "@محمد hello"})
    pages += [
        mo.get(page).text for page in (f"/table/{match_id}", "/tables", f"/table/{match_id}/log")
    ]
    work(site)
    (mail,) = postbox.mails
    pages += [
        mail["Subject"],
        *(mail.get_body((kind,)).get_content() for kind in ("plain", "html")),
    ]
    for page in pages:
        for name in re.finditer(r"""(?<!value=")שולחן|(?<!@)محمد""", page):
            around = page[name.start() - 1] + page[name.end()]
            assert around == "\u2066\u2069", page[name.start() - 60 : name.end() + 20]
    assert "<bdi>שלום 7</bdi>" in pages[2]


def test_a_name_is_known_with_the_signs_that_it_has_on_a_page(app, client, sign_up):
    sign_up(client, "محمد")
    assert sign_in(app.test_client(), names.isolated("محمد")).status_code == 303
    assert names.two_letters(names.isolated("محمد")) == "مح"
    assert names.isolated("Ann") == "Ann" and names.isolated("田中") == "田中"


def test_a_table_is_called_after_its_host_in_any_script(client, sign_up):
    sign_up(client, "محمد")
    client.post("/tables/new", data={"game": "stockpile", "size": "2", "pace": "day"})
    assert "\u2066محمد’s table\u2069</a>" in client.get("/tables").text
    client.post("/account/delete", data={"password": PASSWORD})
    assert "محمد" not in client.get("/tables/listed").text
