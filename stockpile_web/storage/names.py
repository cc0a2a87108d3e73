"""Names of people: what a name may be made of, how two are compared, and which look alike.

Names may be in any script. Two that differ by case or by how a letter is typed are the same name
(NFKC and case folding). One that looks like somebody else's is refused: skeletons as in UTS 39. No
package makes those; the one that is kept compares single letters, and loads six megabytes for it.
"""

import unicodedata
from functools import cache
from pathlib import Path

SHORTEST, LONGEST = 2, 20
# More signs over or under one letter than any language writes would run into other lines.
MOST_MARKS = 3
_LETTERS = ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd")
_MARKS = ("Mn", "Mc")
# Letters and marks that nobody sees.
_UNSEEN = frozenset(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x3164, *range(0xFE00, 0xFE10),
     0xFFA0, *range(0xE0100, 0xE01F0))
)  # fmt: skip
_ISOLATE, _POP = "\u2066", "\u2069"
_LOOK_ALIKES = Path(__file__).with_name("look_alikes.txt")


def tidy(typed: str) -> str:
    """Return a name as it is stored: each letter in the one way that it is usually written.

    A name that was copied from a page may have brought what isolates it there.
    """
    return unicodedata.normalize("NFKC", typed.strip().strip(_ISOLATE + _POP))


def key_of(name: str) -> str:
    """Return a name as it is compared: "Ann" and "ann" are one."""
    return tidy(tidy(name).casefold())


def is_in_names(letter: str) -> bool:
    """Tell whether names may have this: letters, marks and digits of any script, - and _."""
    return letter in "-_" or (
        unicodedata.category(letter) in (*_LETTERS, *_MARKS) and ord(letter) not in _UNSEEN
    )


def can_be(name: str) -> bool:
    """Tell whether a tidy `name` is made as names are; its key may not be longer either."""
    marks = "".join("m" if _is_mark(letter) else " " for letter in name)
    return (
        len(name) >= SHORTEST
        and max(len(name), len(key_of(name))) <= LONGEST
        and all(map(is_in_names, name))
        and not marks.startswith("m")
        and "m" * (MOST_MARKS + 1) not in marks
    )


def looks_of(name: str) -> tuple[str, str]:
    """Return what a name looks like, as it is written and in small letters.

    Capitals look like others than small letters do: I like l, and i like the Greek iota.
    """
    return _skeleton(tidy(name)).casefold(), _skeleton(key_of(name)).casefold()


def columns(name: str) -> dict[str, str]:
    """Return all that is stored of a tidy name."""
    look, small_look = looks_of(name)
    return {"name": name, "name_key": key_of(name), "look": look, "small_look": small_look}


def isolated(name: str) -> str:
    """Return a name so that, written from right to left, it leaves the words beside it in order.

    A table's name too: what we call one after its host is English in part, so it reads from left to
    right as the page does. By signs and not by <bdi>: titles, mails and labels know no tags.
    """
    is_turned = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in name)
    return f"{_ISOLATE}{name}{_POP}" if is_turned else name


def two_letters(name: str) -> str:
    """Return the beginning of a name for where there is little room; no letter is cut in two."""
    letters: list[str] = []
    for letter in name.strip(_ISOLATE + _POP):
        if letters and _is_mark(letter):
            letters[-1] += letter
        elif len(letters) == 2 or (letters and _is_wide(letters[0])):
            break
        else:
            letters.append(letter)
    return "".join(letters)


def _skeleton(name: str) -> str:
    """Put for each letter what it looks like."""
    apart = unicodedata.normalize("NFD", name)
    return unicodedata.normalize("NFD", apart.translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    """Read what each letter looks like."""
    found: dict[int, str] = {}
    for line in _LOOK_ALIKES.read_text().splitlines():
        if line.startswith("#"):
            continue
        looks, others = line.split(": ")
        prototype = "".join(chr(int(number, 16)) for number in looks.split("+"))
        found.update((int(number, 16), prototype) for number in others.split())
    # Some look like two letters, which may look like others themselves.
    return {letter: looks.translate(found) for letter, looks in found.items()}


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in _MARKS


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter[0]) in ("W", "F")
