"""What may be typed into the fields of the account pages."""

import re
from functools import cache
from zoneinfo import available_timezones

# Plain letters: names that only look alike must not exist.
NAME = re.compile(r"[A-Za-z0-9_-]{3,20}")
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
TAKEN_BY_US = {"former-player", "former_player"}


def key(typed: str) -> str:
    """Return a name or an address as it is compared."""
    return typed.strip().casefold()


def what_is_wrong_with_name(name: str) -> str | None:
    """Say why nobody can have this `name`, or None if somebody could."""
    if not NAME.fullmatch(name):
        return "Use 3 to 20 letters (a to z), digits, _ or -."
    if key(name) in TAKEN_BY_US:
        return "This name is taken. Choose another."
    return None


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
