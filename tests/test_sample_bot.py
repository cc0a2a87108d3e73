"""The sample bot and the page about the API, tried on the real server."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from stockpile_web.settings import ROOT
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from stockpile_web.web.accounts.tokens import MOST
from stockpile_web.web.api import limits
from stockpile_web.web.api.blueprint import LARGEST_CALL
from stockpile_web.web.api.operations import OPERATIONS
from stockpile_web.web.problems import USUAL
from tests.browser.house import House, open_house
from tests.conftest import PASSWORD
from tests.support.programs import Program, make_token

BOT = ROOT / "examples" / "sample_bot.py"
PAGE = (ROOT / "docs" / "api.md").read_text()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The real site."""
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


def token_of(house: House, name: str) -> str:
    """Make an account with a token that may play."""
    browser = house.app.test_client()
    answer = browser.post("/sign-up", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 303, answer.text
    return make_token(browser)


def test_two_sample_bots_play_a_whole_match_with_each_other(house):
    tokens = [token_of(house, name) for name in ("ann", "bob")]
    ann, bob = (Program(house.app, token) for token in tokens)
    table = {"game": "stonks", "size": 2, "pace": "none", "listed": True}
    match_id = ann.post("/tables", table).get_json()["id"]
    assert bob.post(f"/tables/{match_id}/sit-down").get_json()["status"] == "playing"
    bots = [
        subprocess.Popen(
            [sys.executable, str(BOT), house.url, "--once"],
            env={**os.environ, "STOCKPILE_TOKEN": token},
            stdout=subprocess.PIPE,
            text=True,
        )
        for token in tokens
    ]
    try:
        said = [bot.communicate(timeout=400)[0] for bot in bots]
    finally:
        for bot in bots:
            bot.kill()
    assert [bot.returncode for bot in bots] == [0, 0]
    assert all("moves of mine" in words for words in said)
    told = ann.table(match_id)
    assert told["status"] == "over" and told["result"]


def test_a_sample_bot_without_a_good_token_says_so(house):
    bot = subprocess.run(
        [sys.executable, str(BOT), house.url],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert bot.returncode == 1 and "Send a token that is good" in bot.stderr


def test_the_sample_bot_is_short_and_needs_nothing_but_python():
    text = BOT.read_text()
    assert len(text.splitlines()) <= 120
    modules = re.findall(r"^(?:from|import) (\w+)", text, re.M)
    assert modules and set(modules) <= sys.stdlib_module_names


def test_what_the_page_tells_to_type_works(house, tmp_path: Path):
    with house.app.app_context():
        number = (db.session.scalar(select(func.max(Match.id))) or 0) + 1
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S))
    for shown, here in {
        "http://127.0.0.1:8000": house.url,
        "spw_...": token_of(house, "carol"),
        "TABLE=1": f"TABLE={number}",
    }.items():
        assert shown in script
        script = script.replace(shown, here)
    done = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert "Good luck!" in done.stdout


def test_the_page_lists_every_operation_and_no_other():
    told = re.findall(r"^\| `(GET|POST) (/\S+)` \|", PAGE, re.M)
    assert sorted(told) == sorted(
        (each.method, each.path.removeprefix("/api/v1")) for each in OPERATIONS
    )


def test_the_page_lists_every_error_and_the_limits():
    assert [int(status) for status in re.findall(r"^\| (\d+) \|", PAGE, re.M)] == sorted(USUAL)
    assert f"{limits.OF_TOKEN.most:,} requests a minute" in PAGE
    assert f"all tokens of a person {limits.OF_PERSON.most:,}" in PAGE
    assert (MOST, LARGEST_CALL) == (10, 16 * 1024)
