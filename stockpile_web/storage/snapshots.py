"""Every state of a match in little room, so that any turn can be shown without running the rules.

A key frame stands alone; each frame after it is compressed with the state before it as zlib's
dictionary. History outlives rule changes, and showing a turn reads at most `KEY_EVERY` rows.
"""

import zlib
from collections.abc import Iterable, Iterator

KEY_EVERY = 16


def key_of(number: int) -> int:
    """Return the number of the key frame from which frame `number` is reached."""
    return number - number % KEY_EVERY


def pack(number: int, state: str, before: str) -> bytes:
    """Compress the state after move `number`; `before` is the state it was made in."""
    packer = zlib.compressobj(level=6, wbits=-15, zdict=_known(number, before))
    return packer.compress(state.encode()) + packer.flush()


def unpack(frames: Iterable[tuple[int, bytes]]) -> Iterator[str]:
    """Return the states of `frames`, which are numbered and begin with a key frame."""
    state = ""
    for number, frame in frames:
        unpacker = zlib.decompressobj(wbits=-15, zdict=_known(number, state))
        state = unpacker.decompress(frame).decode()
        yield state


def _known(number: int, before: str) -> bytes:
    return b"" if number == key_of(number) else before.encode()
