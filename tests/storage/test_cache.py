"""Shelves: what is kept, and what has to go."""

from stockpile_web.storage.cache import BoundedCache


def test_the_oldest_goes_first():
    shelf: BoundedCache[int] = BoundedCache(2)
    for number in range(3):
        shelf.put((number,), number)
    assert [shelf.get((number,)) for number in range(3)] == [None, 1, 2]


def test_what_is_made_anew_is_the_newest():
    shelf: BoundedCache[str] = BoundedCache(2)
    for key, what in ((1, "old"), (2, "other"), (1, "new"), (3, "newest")):
        shelf.put((key,), what)
    assert [shelf.get((key,)) for key in (1, 2, 3)] == ["new", None, "newest"]


def test_a_cleared_shelf_is_empty():
    shelf: BoundedCache[int] = BoundedCache(2)
    shelf.put((1,), 1)
    shelf.clear()
    assert shelf.get((1,)) is None
