"""A bounded cache: what stays, and what is evicted."""

from stockpile_web.storage.cache import ENTRY_BYTES, BoundedCache


def cache_of(entries: int, size: int = 0) -> BoundedCache[str]:
    """Return a cache with room for so many values of `size`."""
    return BoundedCache("test", entries * (ENTRY_BYTES + size), lambda _: size)


def test_the_oldest_goes_first():
    cache = cache_of(2)
    for number in range(3):
        cache.put((number,), str(number))
    assert [cache.get((number,)) for number in range(3)] == [None, "1", "2"]


def test_what_is_made_anew_is_the_newest():
    cache = cache_of(2)
    for key, what in ((1, "old"), (2, "other"), (1, "new"), (3, "newest")):
        cache.put((key,), what)
    assert [cache.get((key,)) for key in (1, 2, 3)] == ["new", None, "newest"]


def test_a_cleared_cache_is_empty_and_has_all_its_room():
    cache = cache_of(2)
    cache.put((1,), "one")
    cache.clear()
    assert cache.get((1,)) is None
    for number in (2, 3):
        cache.put((number,), "more")
    assert cache.get((2,)) == "more"


def test_large_values_and_long_keys_leave_room_for_fewer():
    cache: BoundedCache[str] = BoundedCache("test", 10 * ENTRY_BYTES, len)
    for number in range(9):
        cache.put((number,), "")
    cache.put(("long" * ENTRY_BYTES,), "")  # Five entries' worth.
    assert [cache.get((number,)) for number in range(9)] == [None] * 4 + [""] * 5
    cache.put((10,), "x" * 8 * ENTRY_BYTES)
    assert [cache.get((number,)) for number in range(9)] == [None] * 9


def test_a_value_made_anew_is_counted_once():
    cache: BoundedCache[str] = BoundedCache("test", 4 * ENTRY_BYTES, len)
    cache.put((1,), "stays")
    for _ in range(100):
        cache.put((2,), "x" * ENTRY_BYTES)
    assert cache.get((1,)) == "stays"


def test_what_is_larger_than_the_cache_is_not_kept_and_drives_nobody_out():
    cache: BoundedCache[str] = BoundedCache("test", 4 * ENTRY_BYTES, len)
    cache.put((1,), "stays")
    cache.put((2,), "x" * 5 * ENTRY_BYTES)
    assert (cache.get((1,)), cache.get((2,))) == ("stays", None)
