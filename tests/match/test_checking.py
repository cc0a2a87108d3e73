"""Was a match honest? An honest one is found so, and whatever was tampered with is found out."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from click.testing import CliRunner

from stockpile_web.cli import main
from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match import checking, match_file
from stockpile_web.match.seeds import fingerprint_of, order_of
from stockpile_web.settings import ROOT
from tests.support.people import seated
from tests.support.playing import play
from tests.support.toy.site import SLUG, add_toy

File = dict[str, Any]


@pytest.fixture
def saved(app, sign_up, monkeypatch) -> Callable[..., File]:
    """What plays a match to its end, and gives it as a spectator saves it."""
    add_toy(app, monkeypatch)

    def save(slug: str, seats: int = 2, **form: Any) -> File:
        match_id, _ = seated(app, sign_up, seats, game=slug, **form)
        play(app, match_id)
        file: File = app.test_client().get(f"/table/{match_id}/export.json").json
        return file

    return save


def found(file: File) -> tuple[list[bool | None], str]:
    """Return what a check says of each line, and all its words."""
    verdict = checking.check(match_file.read(json.dumps(file).encode()))
    assert verdict.is_honest == bool(verdict.states)
    return [line.is_right for line in verdict.lines], " ".join(line.text for line in verdict.lines)


@pytest.mark.parametrize("slug", [*GAMES, SLUG])
def test_an_honest_match_of_any_game_is_found_honest(saved, slug):
    file = saved(slug)
    rights, words = found(file)
    assert rights == [True] * 8, words
    # Whoever writes JSON otherwise has written the same.
    assert found(json.loads(json.dumps(file, sort_keys=True, indent=2)))[0] == rights


def _card(file: File) -> None:
    event = next(e for m in file["moves"] for e in m["events"] if e["private"])
    told = next(iter(event["private"].values()))
    told[next(iter(told))] = "another"


def _chance(file: File) -> None:
    event = next(e for m in file["moves"][5:] for e in m["events"] if e["public"])
    event["public"]["seat"] = 77


def _contribution(file: File) -> None:
    file["seal"]["contributions"][0]["number"] = "0" * 64


def _no_contribution(file: File) -> None:
    del file["seal"]["contributions"][0]


def _seed(file: File) -> None:
    file["seal"]["seed"] = "1" * 64
    file["seal"]["places"] = order_of("1" * 64, 2)


def _secret(file: File) -> None:
    file["seal"]["secret"] = "2" * 64


def _seats(file: File) -> None:
    file["seal"]["places"].reverse()


def _move(file: File) -> None:
    moves = [m for m in file["moves"][1:] if len(m["move"]) > 1]
    other = next(m for m in moves if m["move"] != moves[0]["move"])
    moves[0]["move"] = other["move"]


def _seat(file: File) -> None:
    file["moves"][3]["seat"] = 1 - file["moves"][3]["seat"]


def _lost_move(file: File) -> None:
    del file["moves"][-2]


def _nonsense(file: File) -> None:
    file["moves"][4]["move"] = [[], "x"]


def _taken_back(file: File) -> None:
    last = file["moves"][-1]
    last["move"] = {"move": "TakeBack", "first": 1, "last": last["number"] - 1}


def _result(file: File) -> None:
    file["result"]["scores"][0]["total"] += 1


def _short(file: File) -> None:
    del file["moves"][-1]


def _options(file: File) -> None:
    file["match"]["options"] = ["target=x"]


TAMPERINGS = (
    _card, _chance, _contribution, _no_contribution, _seed, _secret, _seats, _move, _seat,
    _lost_move, _nonsense, _taken_back, _result, _short, _options,
)  # fmt: skip


def test_whatever_was_tampered_with_is_found_out(saved):
    honest = saved("stockpile")
    for tamper in TAMPERINGS:
        file = deepcopy(honest)
        tamper(file)
        rights, words = found(file)
        assert False in rights, tamper.__name__
        assert "Traceback" not in words


def test_a_match_that_cannot_be_checked_says_why(saved, monkeypatch):
    honest = saved("stonks")

    def said(**match: Any) -> tuple[list[bool | None], str]:
        return found({**honest, "match": {**honest["match"], **match}})

    assert said(status="playing")[0] == [None]
    assert said(is_practice=True)[0] == [None]
    assert said(game="chess") == ([None], "This server does not have the rules of that game.")
    # Dealt before there were secrets.
    seal = {**honest["seal"], "secret": None, "contributions": [], "places": []}
    seal["fingerprint"] = fingerprint_of(seal["seed"])
    old = {**honest, "seal": seal}
    assert found(old)[0] == [True] * 5
    assert False in found({**old, "seal": {**seal, "fingerprint": "3" * 64}})[0]
    # Played by other rules: what can be told is.
    monkeypatch.setattr(GAMES["stonks"], "VERSION", 99)
    rights, words = found(honest)
    assert rights == [True] * 5 + [None] and "this server has 99" in words


def test_the_command_says_it_line_by_line_and_by_how_it_ends(saved, tmp_path):
    file, path = saved("stonks"), tmp_path / "table.json"

    def run(name: str = str(path)) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["check", name])
        return done.exit_code, done.output

    path.write_text(json.dumps(file))
    code, said = run()
    assert code == 0 and said.count("right  ") == 8 and "Everything is as it should be" in said
    _result(file)
    path.write_text(json.dumps(file))
    code, said = run()
    assert code == 1 and said.count("WRONG  ") == 1 and "Something is wrong" in said
    path.write_text("{")
    assert run() == (1, "run: This is not JSON: the file is broken, or of another kind.\n")
    assert run(str(tmp_path / "none")) == (
        1,
        f"run: {tmp_path / 'none'} cannot be read: No such file or directory.\n",
    )


def test_a_file_that_is_none_of_ours_is_told_so():
    for text, said in (
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not JSON"),
        (b'{"format": "chess"}', "format is another"),
        (b'{"format": "stockpile-web match", "version": 2}', "version 2"),
        (b'{"format": "stockpile-web match", "version": 1}', "broken"),
        (b" " * (match_file.LARGEST + 1), "too large"),
    ):
        with pytest.raises(match_file.NotReadable, match=said):
            match_file.read(text)


def test_the_published_schema_is_that_of_the_files():
    published = json.loads((ROOT / "docs" / "export.schema.json").read_text())
    assert published == json.loads(codec.dump(match_file.schema()))
