"""What the story of every game must keep; a further game in `GAMES` is tested for free."""

import pytest

from stockpile_web.engine.story import Story, leads
from stockpile_web.games import GAMES
from stockpile_web.web.charts import draw
from stockpile_web.words.events import bare_environment, story_in_words
from tests.support.option_sets import large
from tests.support.telling import Record

NAMES = ["<Ann>", "Bob", "Carol", "Dave", "Eve"]


def words_of(slug: str, story: Story) -> str:
    """Put a story into words; numbers are left out."""
    cells = [cell for table in story.tables for row in table.rows for cell in row.cells]
    facts = [cell for cell in cells if isinstance(cell, dict)]
    facts += [point.facts for point in story.turning_points]
    facts += [line.label for chart in story.charts for line in chart.lines]
    environment = bare_environment()
    return "\n".join(story_in_words(environment, slug, each, NAMES) for each in facts)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("are_all", [False, True], ids=["base", "all options"])
def test_the_story_of_a_whole_game_is_well_made_and_can_be_told(slug: str, are_all: bool) -> None:
    game = GAMES[slug]
    seats = game.SEATS[-1]
    record = Record(slug, seats, sorted(large(game)[0]) if are_all else ())
    story = record.story()
    assert story.charts and story.tables
    for chart in story.charts:
        assert {len(line.values) for line in chart.lines} == {len(chart.steps)}
        assert all(flag.step < len(chart.steps) for flag in chart.flags)
        drawing = draw(chart, ["A name that is far too long"] * len(chart.lines))
        assert len(drawing.lines) == len(chart.lines)
    for table in story.tables:
        assert table.rows
        assert {len(row.cells) for row in table.rows} == {len(table.columns)}
        assert all(0 <= row.turn < len(record.moves) for row in table.rows)
    turns = [point.turn for point in story.turning_points]
    assert turns == sorted(turns) and all(0 <= turn < len(record.moves) for turn in turns)
    words = words_of(slug, story)
    assert "<Ann>" not in words and "&lt;Ann&gt;" in words


@pytest.mark.parametrize("slug", GAMES)
def test_of_a_game_that_was_just_dealt_there_is_nothing_to_tell(slug: str) -> None:
    record = Record(slug, GAMES[slug].SEATS[0], limit=0)
    for eyes in ((None,), (0,)):
        assert record.story(*eyes) == Story([], [], [])


@pytest.mark.parametrize("slug", GAMES)
def test_a_running_game_can_be_told_after_any_move(slug: str) -> None:
    record = Record(slug, GAMES[slug].SEATS[1], limit=80)
    moves = record.moves
    for number in range(0, len(moves), 7):
        record.moves = moves[: number + 1]
        for viewer in (None, 0):
            words_of(slug, record.story(viewer))


@pytest.mark.parametrize("slug", GAMES)
def test_what_a_reader_may_not_know_changes_nothing_that_is_told(slug: str) -> None:
    game = GAMES[slug]
    record = Record(slug, game.SEATS[1], sorted(large(game)[0]), limit=100)
    while record.result is not None:
        del record.moves[-1]
    for viewer in (None, 0):
        assert record.story(viewer).tables
        other = record.in_another_world(viewer)
        assert other.moves != record.moves
        assert other.story(viewer) == record.story(viewer)


def test_a_lead_is_told_when_another_alone_has_most() -> None:
    totals = [{0: 5, 1: 5}, {0: 7, 1: 6}, {0: 8, 1: 8}, {0: 9, 1: 8}, {0: 9, 1: 12}]
    assert [*leads(totals)] == [(1, 0, None, 1), (4, 1, 0, 3)]
