"""Was a match honest? Checked from its file alone, line by line, in words for anybody.

The button at a finished match, `./run check` and the import of a file all ask here.
"""

from typing import NamedTuple

from stockpile_web.engine import Game
from stockpile_web.games import GAMES
from stockpile_web.match.match_file import MatchFile
from stockpile_web.match.replaying import NotLegal, OtherEvents, Replay
from stockpile_web.match.seeds import BROWSER, fingerprint_of, order_of, seed_of

# Of a table that could not be read, as its host or an administrator found.
SET_BACK_AT = "At move {} the table was set back; whether that had to be could not be checked."


class Line(NamedTuple):
    """One thing that was looked at: right, wrong, or None if it could not be told."""

    is_right: bool | None
    text: str


class Verdict(NamedTuple):
    """What a check has found; `states` are those after each move, if all of it is right."""

    lines: list[Line]
    states: list[str]

    @property
    def is_honest(self) -> bool:
        """Whether everything was looked at and is right."""
        return all(line.is_right for line in self.lines)

    @property
    def summary(self) -> str:
        """All of it in one sentence."""
        if self.is_honest:
            return "Everything is as it should be: deal, chance, moves and result are honest."
        if any(line.is_right is False for line in self.lines):
            return "Something is wrong: this match is not what its record says."
        return "Nothing is wrong as far as could be seen, but not everything could be checked."


def check(file: MatchFile) -> Verdict:
    """Check a match, as far as this server can."""
    if file.match.status != "over" or file.seal.seed is None:
        return _not_at_all(
            "The match was not over: what it was dealt from is not in this file yet."
        )
    if file.match.is_practice:
        return _not_at_all(
            "This is a practice table, where moves may be taken back after all was seen. If it was "
            "played on from another match, check that one."
        )
    game = GAMES.get(file.match.game)
    if game is None:
        return _not_at_all("This server does not have the rules of that game.")
    lines, replay = _seal(file), Replay(game, file)
    versions = {move.rules_version for move in file.moves}
    if versions == {game.VERSION}:
        lines += _replayed(file, replay)
    else:
        lines += _by_other_rules(file, replay, versions)
    verdict = Verdict(lines, replay.states)
    return verdict if verdict.is_honest else Verdict(lines, [])


def _not_at_all(why: str) -> Verdict:
    return Verdict([Line(None, why)], [])


def _seal(file: MatchFile) -> list[Line]:
    """Tell whether the seed is what was promised, and who sits where follows from it."""
    seal, seed = file.seal, file.seal.seed or ""
    if seal.secret is None:
        words = "The fingerprint shown since the deal is that of the seed"
        older = "which the server drew alone, for this match is older than the players' numbers."
        return [_line(seal.fingerprint == fingerprint_of(seed), words, f", {older}")]
    people = [seat.number for seat in file.seats if not seat.is_bot]
    numbers = [each.number for each in seal.contributions]
    browsers = sum(each.source == BROWSER for each in seal.contributions)
    sent = f"; {browsers} of {len(people)} came from their own browsers."
    return [
        _line(
            seal.fingerprint == fingerprint_of(seal.secret),
            "The fingerprint shown since the table was made is that of the secret",
        ),
        _line(
            sorted(each.seat for each in seal.contributions) == people,
            "Each player has added one number",
            sent,
        ),
        _line(
            seed == seed_of(seal.secret, file.match.id, numbers),
            "The seed follows from the secret and these numbers",
        ),
        _line(
            [*seal.places] == order_of(seed, len(file.seats)),
            "Who sits where follows from the seed",
        ),
    ]


def _replayed(file: MatchFile, replay: Replay) -> list[Line]:
    """Play the whole match once more."""
    dealt = _deal(replay)
    if not dealt.is_right:
        return [dealt, Line(None, "So the moves could not be checked.")]
    moves = file.moves[1:]
    try:
        for move in moves:
            replay.play(move)
    except NotLegal as reason:
        return [dealt, Line(False, str(reason)), Line(None, "So the rest could not be checked.")]
    except OtherEvents as reason:
        before = Line(True, "The moves up to there were legal.")
        return [dealt, before, Line(False, str(reason))]
    except Exception:  # noqa: BLE001 (whatever rules do with a record that makes no sense)
        said = f"Move {len(replay.states)} makes no sense to the rules."
        return [dealt, Line(False, said)]
    set_back = [move.number for move in moves if move.seat is None and move.move is not None]
    return [
        dealt,
        *(Line(None, SET_BACK_AT.format(number)) for number in set_back),
        Line(True, f"Each of the {len(moves)} moves was legal."),
        Line(True, "All that happened, and every card drawn, is as the seed and the rules say."),
        _line(
            replay.result is not None and replay.result == file.result,
            "The result is the one in the record",
        ),
    ]


def _deal(replay: Replay) -> Line:
    try:
        replay.deal()
    except (NotLegal, OtherEvents) as reason:
        return Line(False, str(reason))
    except Exception:  # noqa: BLE001 (as above)
        return Line(False, "The deal makes no sense to the rules.")
    return Line(True, "The deal follows from the seed.")


def _by_other_rules(file: MatchFile, replay: Replay, versions: set[int]) -> list[Line]:
    """Say what can be said of a match whose rules this server does not have."""
    theirs = " and ".join(map(str, sorted(versions)))
    game: Game = replay.game
    words = f"version {theirs} of the rules of {game.TITLE}; this server has {game.VERSION}"
    dealt = _deal(replay)
    return [
        dealt if dealt.is_right else Line(None, "Whether the deal follows could not be told."),
        Line(None, f"It was played by {words}, so its moves could not be checked."),
    ]


def _line(is_right: bool, words: str, more: str = ".") -> Line:
    return (
        Line(is_right, words + more)
        if is_right
        else Line(False, f"Not so: {words[:1].lower()}{words[1:]}.")
    )
