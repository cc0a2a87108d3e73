"""Names of people: in every script, the same however they are typed, and none that looks alike."""

import unicodedata

import pytest

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
