"""What may be typed into the fields of the account pages."""

import re
from functools import cache
from zoneinfo import available_timezones

from stockpile_web.people import guests
from stockpile_web.storage import names

# The form that browsers, too, take for an address.
EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+", re.ASCII | re.IGNORECASE)
REGIONS = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)
TAKEN_BY_US = ("former-player", "former_player")

TAKEN = "This name is taken. Choose another."
ALIKE = "This looks like the name of somebody else here. Choose another."


def email_key(typed: str) -> str:
    """Return an address as it is compared."""
    return typed.strip().casefold()


def what_is_wrong_with_name(name: str) -> str | None:
    """Say why nobody can have this tidy `name`, or None if somebody could."""
    if not names.can_be(name):
        return f"Use {names.SHORTEST} to {names.LONGEST} letters or digits of any script, _ or -."
    if guests.looks_like_guest(name):
        return TAKEN
    ours = {look for taken in TAKEN_BY_US for look in names.looks_of(taken)}
    return None if ours.isdisjoint(names.looks_of(name)) else TAKEN


def what_is_wrong_with_email(email: str) -> str | None:
    """Say why `email` cannot be an address, or None if it can; nothing at all is allowed."""
    if email and (len(email) > 254 or not EMAIL.fullmatch(email)):
        return "This does not look like an e-mail address."
    return None


@cache
def time_zones() -> dict[str, list[str]]:
    """Return the time zones to choose from, by region."""
    names = sorted(available_timezones())
    zones = {region: [n for n in names if n.startswith(f"{region}/")] for region in REGIONS}
    return {"Everywhere": ["UTC"], **zones}


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(zone for zones in time_zones().values() for zone in zones)


def what_is_wrong_with_zone(zone: str) -> str | None:
    """Say why `zone` cannot be chosen, or None if it can."""
    return None if zone in _known_zones() else "Choose a time zone from the list."
