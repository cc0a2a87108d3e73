"""A bounded cache: what stays, and what is evicted."""

from stockpile_web.storage.cache import BoundedCache


def test_the_oldest_goes_first():
    cache: BoundedCache[int] = BoundedCache(2)
    for number in range(3):
        cache.put((number,), number)
    assert [cache.get((number,)) for number in range(3)] == [None, 1, 2]


def test_what_is_made_anew_is_the_newest():
    cache: BoundedCache[str] = BoundedCache(2)
    for key, what in ((1, "old"), (2, "other"), (1, "new"), (3, "newest")):
        cache.put((key,), what)
    assert [cache.get((key,)) for key in (1, 2, 3)] == ["new", None, "newest"]


def test_a_cleared_shelf_is_empty():
    cache: BoundedCache[int] = BoundedCache(2)
    cache.put((1,), 1)
    cache.clear()
    assert cache.get((1,)) is None
