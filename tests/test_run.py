"""`./run`, and the commands behind it."""

import re
import runpy
import subprocess
import sys

import pytest
from click.testing import CliRunner

import tests.__main__
from stockpile_web.cli import main
from stockpile_web.engine import Option
from stockpile_web.engine.simulation import options_for
from stockpile_web.games import GAMES
from stockpile_web.settings import ROOT
from tests.__main__ import main as run_tests
from tests.__main__ import measure, nothing_started


def run(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run ./run as a host would, with the Python of the tests."""
    command = [sys.executable, str(ROOT / "run"), *words]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, env=environ or None, timeout=60
    )


def test_help_lists_every_command_and_needs_no_set_up():
    names = {row[0] for row in runpy.run_path(str(ROOT / "run"))["COMMANDS"]}
    shown = run("--help", PATH="").stdout
    assert all(re.search(rf"^  {name} ", shown, re.M) for name in names)
    assert set(main.commands) <= names


def test_an_unknown_command_is_one_clear_line():
    asked = run("dance")
    assert asked.returncode != 0
    assert asked.stderr.strip() == "run: There is no command 'dance': ./run --help lists them."


def test_an_old_python_is_one_clear_line(monkeypatch):
    script = runpy.run_path(str(ROOT / "run"))
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit) as stopped:
        script["main"]([])
    assert str(stopped.value).startswith("run: Python 3.11 or newer is needed")


def test_a_python_without_venv_is_told_what_to_install(monkeypatch, tmp_path):
    script = runpy.run_path(str(ROOT / "run"))
    parts = script["install"].__globals__
    monkeypatch.setitem(parts, "PYTHON", tmp_path / "none")
    monkeypatch.setattr(parts["shutil"], "which", lambda name: None)
    monkeypatch.setattr(parts["subprocess"], "call", lambda *words, **ways: 1)
    with pytest.raises(SystemExit, match="apt-get install python3-venv"):
        script["install"](tmp_path / "requirements.lock")


def test_an_account_that_may_only_read_the_folder_uses_what_is_installed(monkeypatch, tmp_path):
    script = runpy.run_path(str(ROOT / "run"))
    parts = script["set_up"].__globals__
    monkeypatch.setitem(parts, "ROOT", tmp_path)
    monkeypatch.setitem(parts, "VENV", tmp_path)
    monkeypatch.setitem(parts, "PYTHON", tmp_path / "some.lock")
    installed: list[object] = []
    monkeypatch.setitem(parts, "install", installed.append)
    (tmp_path / "some.lock").write_text("packages")
    script["set_up"]("some.lock")
    (tmp_path / ".venv.lock").unlink()
    (tmp_path / ".venv.lock").mkdir()  # Now nobody can write it.
    script["set_up"]("some.lock")
    assert len(installed) == 1
    (tmp_path / "some.lock").write_text("other packages")
    with pytest.raises(SystemExit, match="cannot be set up by this account"):
        script["set_up"]("some.lock")


def test_an_installer_that_fails_is_one_line_and_keeps_what_was_said(monkeypatch, tmp_path):
    script = runpy.run_path(str(ROOT / "run"))
    monkeypatch.setitem(script["step"].__globals__, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="Is this machine on the internet"):
        script["step"](sys.executable, "-c", "print('no route'); raise SystemExit(1)")
    assert (tmp_path / ".venv.log").read_text().strip() == "no route"


@pytest.mark.parametrize("seats", ["2", "3", "4", "5"])
def test_simulate_sums_up_random_games(seats):
    words = ["simulate", "stockpile", "--seats", seats, "--games", "5", "--seed", "1"]
    shown = CliRunner().invoke(main, [*words, "--options", "advanced_board"])
    assert shown.exit_code == 0
    for word in ("rounds per game", "moves per game", "mean final score", "wins"):
        assert word in shown.output
    assert CliRunner().invoke(main, words).output == CliRunner().invoke(main, words).output


@pytest.mark.parametrize("seats", ["2", "3", "4", "5"])
@pytest.mark.parametrize("options", ["all", "random"])
def test_simulate_plays_with_all_options_or_a_new_mix_each_game(seats, options):
    words = ["simulate", "stockpile", "--seats", seats, "--games", "10", "--options", options]
    shown = CliRunner().invoke(main, words)
    assert shown.exit_code == 0 and "10 games" in shown.output
    assert CliRunner().invoke(main, words).output == shown.output


def test_simulate_lets_bots_play_and_says_who_won_how_often():
    words = ["simulate", "stockpile", "--games", "8", "--bots", "casual,random,random,random"]
    shown = CliRunner().invoke(main, words)
    assert shown.exit_code == 0
    casual, random = shown.output.splitlines()[-2:]
    assert casual.startswith("casual") and random.startswith("random")
    assert float(casual.split()[1].rstrip("%")) > float(random.split()[1].rstrip("%"))
    assert CliRunner().invoke(main, words).output == shown.output


def test_one_bot_is_enough_for_all_seats():
    words = ["simulate", "stockpile", "--games", "2", "--seats", "3", "--bots", "casual"]
    last = CliRunner().invoke(main, words).output.splitlines()[-1]
    assert last.startswith("casual") and " 33.3%" in last


def test_a_mix_is_new_for_every_game_and_lacks_nothing_it_needs():
    game = GAMES["stockpile"]
    mixes = [options_for(game, "random", 4, f"1:{number}") for number in range(200)]
    assert len({*map(frozenset, mixes)}) > 100
    assert {key for mix in mixes for key in mix} == options_for(game, "all", 4, "1:0").keys()
    for option in game.OPTIONS:
        assert all(not option.needs or option.needs in mix for mix in mixes if option.key in mix)


def test_simulate_shows_a_game_as_a_person_would_read_it():
    shown = CliRunner().invoke(main, ["simulate", "stockpile", "--show"]).output
    assert "Round 1 begins" in shown and "bids" in shown and "<" not in shown


@pytest.mark.parametrize(
    "words",
    [
        ["--seats", "7"],
        ["--options", "pigs"],
        ["--games", "0"],
        ["--games", "x"],
        ["--seats", "-1"],
        ["--bots", "deep_thought"],
        ["--bots", "casual,casual"],
    ],
)
def test_simulate_says_what_cannot_be(words):
    asked = CliRunner().invoke(main, ["simulate", "stockpile", *words])
    assert asked.exit_code == 2 and "Error:" in asked.output


@pytest.mark.parametrize(
    ("seats", "options", "said"),
    [
        ("2", "small_caps", "“Small caps & blue chips” means nothing for 2 players."),
        ("3", "rounds_1,rounds_5", "“1 round” and “5 rounds” do not go together"),
        ("3", "target", "No option target. "),
        ("3", "target=31", "No option target=31. "),
        ("3", "target=x,moderate=1", "No option moderate=1, target=x. "),
        ("3", "target=", "target is from 10 to 30."),
        ("2", "target=20", "“Target score” means nothing for 2 players."),
        ("3", "rounds_1,target=20", "“Target score” means nothing with “1 round”."),
    ],
)
def test_simulate_says_which_options_cannot_be_played_with(monkeypatch, seats, options, said):
    with_target(monkeypatch)
    words = ["simulate", "stonks", "--seats", seats, "--options", options]
    asked = CliRunner().invoke(main, words)
    assert asked.exit_code == 2 and said in asked.output


def test_simulate_plays_with_the_number_that_an_option_is_given(monkeypatch):
    given = with_target(monkeypatch)
    for words in (["--options", "target=20"], [], ["--options", "rounds_1"]):
        asked = CliRunner().invoke(main, ["simulate", "stonks", "--games", "1", *words])
        assert asked.exit_code == 0
    assert given == [{"target": 20}, {"target": 17}, {"rounds_1": 1}]


def with_target(monkeypatch):
    """Give $TONKS$ a target score; return what is given to its `setup` from then on."""
    game, given = GAMES["stonks"], []
    target = Option(
        "target", "Target score", "To win.",
        unless="rounds_1", seats=range(3, 6), numbers=range(10, 31), number=17,
    )  # fmt: skip
    deal = game.setup

    def setup(seats, options, dealer):
        given.append(options)
        return deal(seats, options, dealer)

    monkeypatch.setattr(game, "OPTIONS", (*game.OPTIONS, target))
    monkeypatch.setattr(game, "setup", setup)
    return given


@pytest.mark.parametrize("failing", [None, "pytest", "combine", "report"])
def test_with_coverage_whatever_fails_is_a_failure(monkeypatch, failing):
    def step(words, check):
        return subprocess.CompletedProcess(words, 2 if failing in words else 0)

    monkeypatch.setattr(subprocess, "run", step)
    assert measure([]) == (2 if failing else 0)


def test_the_floor_of_coverage_is_for_all_tests_and_not_for_some(monkeypatch):
    steps = []

    def step(words, check):
        steps.append(words)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(subprocess, "run", step)
    for words in ([], ["tests/web"]):
        measure(words)
    assert ["--fail-under=0" in words for words in steps if "report" in words] == [False, True]


def test_in_ci_proxies_are_installed_and_nothing_is_started_by_that(tmp_path, monkeypatch):
    policy, steps = tmp_path / "policy-rc.d", []

    def step(command, **_rest):
        steps.append((command, subprocess.call([policy])))

    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("CHROMIUM", "there")
    monkeypatch.setattr(tests.__main__, "found", lambda name: name == "caddy")
    monkeypatch.setattr(tests.__main__, "nothing_started", lambda: nothing_started(policy))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("subprocess.run", step)
    monkeypatch.setattr("os.execv", lambda *_words: None)
    run_tests()
    assert [(command[1], command[-1], said) for command, said in steps] == [
        ("update", "update", 101),
        ("install", "nginx", 101),
    ]
    assert not policy.exists()
    monkeypatch.delenv("CI")
    run_tests()
    assert len(steps) == 2
