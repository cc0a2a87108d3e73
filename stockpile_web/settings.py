"""What the host can choose, by environment variables: one table, read once at start."""

import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

ROOT = Path(__file__).resolve().parent.parent

LARGEST_BODY = 64 * 1024  # Bytes of a request's body; more is refused unread.
# But for the one page that takes files: a whole match, and what a form has around it.
UPLOAD_PATH = "/import"
LARGEST_UPLOAD = 2 * 1024 * 1024 + LARGEST_BODY

POSTGRES_LOOKS = "postgresql://user:password@db.example.org:5432/games"
SQLITE_LOOKS = "sqlite:////var/lib/stockpile-web/stockpile.db"

# What a kept secret looks like at least: text, and not empty.
ANY_TEXT = r"[^\x00]*[^\x00\s][^\x00]*"
PUSH_PAIR = r"[\w-]{43}\.[\w-]{87}"
BEARER = r"[\w.~+/=-]{16,200}"  # What can be sent as a bearer, and not be guessed.
MOST_BY_ITSELF = 4  # Processes for bots; in a container the machine's cores are not all ours.


class BadSetting(Exception):
    """The server cannot start like this; the message is one line for its host."""


@dataclass(frozen=True)
class Setting:
    """One environment variable; where `choices` are given, one of them must be taken."""

    name: str
    default: str
    help: str
    choices: tuple[str, ...] = ()


SETTINGS = (
    Setting("STOCKPILE_INSTANCE", str(ROOT / "instance"), "Folder of everything that is kept."),
    Setting("DATABASE_URL", "", "postgresql://... ; empty for SQLite in the instance folder."),
    Setting(
        "SQLITE_SYNCHRONOUS",
        "FULL",
        "FULL loses no move even in a power cut; NORMAL is faster and may lose the last ones.",
        ("OFF", "NORMAL", "FULL", "EXTRA"),
    ),
    Setting("SECRET_KEY", "", "Signs cookies; empty: made once and kept in the instance folder."),
    Setting("PUSH_KEY", "", "Signs pushes; empty: made once and kept in the instance folder."),
    Setting("SITE_URL", "", "Address of the site as people type it; links in mails begin with it."),
    Setting(
        "SECURE_COOKIES",
        "auto",
        "Whether cookies travel by https only; auto: when SITE_URL is https.",
        ("auto", "on", "off"),
    ),
    Setting("BEHIND_PROXY", "0", "How many reverse proxies stand in front of the server."),
    Setting("SIGN_UP", "open", "Who may make an account.", ("open", "code", "closed")),
    Setting("SIGN_UP_CODE", "", "The invitation code asked for when SIGN_UP is code."),
    Setting(
        "GUESTS",
        "auto",
        "Whether people may play before they sign up; auto: where SIGN_UP is open.",
        ("auto", "on", "off"),
    ),
    Setting("SMTP_HOST", "", "Mail server; empty: mails are kept for the administrator to read."),
    Setting("SMTP_PORT", "587", "Port of the mail server."),
    Setting("SMTP_USER", "", "Name to sign in with at the mail server; empty: none."),
    Setting("SMTP_PASSWORD", "", "Password to sign in with at the mail server."),
    Setting(
        "SMTP_SECURITY",
        "starttls",
        "How the way to the mail server is encrypted.",
        ("starttls", "tls", "none"),
    ),
    Setting("SMTP_FROM", "", "Sender of all mails, for example games@example.org."),
    Setting(
        "WEBHOOKS",
        "public",
        "Where people may have notices sent: public https, any address (private too), or off.",
        ("public", "any", "off"),
    ),
    Setting("TELEGRAM_TOKEN", "", "Token of a bot at Telegram that tells people; empty: none."),
    Setting("TELEGRAM_API", "https://api.telegram.org", "Where Telegram's bots are asked."),
    Setting(
        "WORKER",
        "on",
        "Whether the server starts a worker (notices, bots, clocks); off: run ./run worker.",
        ("on", "off"),
    ),
    Setting("BACKUPS", "", "Folder for backups that the worker makes by itself; empty: none."),
    Setting("BACKUP_HOURS", "24", "How many hours lie between two backups."),
    Setting("BACKUPS_KEPT", "14", "How many backups are kept; older ones are removed."),
    Setting(
        "LOG",
        "errors",
        "What is logged: errors alone, or each request too, as text or as json.",
        ("errors", "text", "json"),
    ),
    Setting(
        "METRICS_TOKEN", "", "Opens /metrics to whoever sends it; empty: there is no such page."
    ),
    Setting(
        "THINKERS",
        "auto",
        "In how many processes bots think; auto: one for each core, at most 4; 0: in the worker.",
    ),
)


def read_settings(environ: Mapping[str, Any]) -> dict[str, Any]:
    """Return every setting by name, checked; raise BadSetting at the first bad one."""
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        # An empty variable means "not set": that is how env files leave a line open.
        value = str(environ.get(setting.name) or setting.default)
        if setting.choices:
            spelt = {choice.lower(): choice for choice in setting.choices}
            if value.lower() not in spelt:
                one_of = ", ".join(setting.choices)
                raise BadSetting(f"{setting.name} is {value!r}; it must be one of {one_of}.")
            value = spelt[value.lower()]
        values[setting.name] = value
    values["BEHIND_PROXY"] = _number(values, "BEHIND_PROXY", 9)
    values["SMTP_PORT"] = _number(values, "SMTP_PORT", 65535)
    values["BACKUP_HOURS"] = _number(values, "BACKUP_HOURS", 24 * 365, least=1)
    values["BACKUPS_KEPT"] = _number(values, "BACKUPS_KEPT", 10_000, least=1)
    if values["THINKERS"] == "auto":
        values["THINKERS"] = str(min(os.cpu_count() or 1, MOST_BY_ITSELF))
    values["THINKERS"] = _number(values, "THINKERS", 64)
    for name in ("SITE_URL", "TELEGRAM_API"):
        values[name] = _web_address(name, values[name])
    values["STOCKPILE_INSTANCE"] = str(Path(values["STOCKPILE_INSTANCE"]).resolve())
    values["BACKUPS"] = values["BACKUPS"] and str(Path(values["BACKUPS"]).resolve())
    values["DATABASE_URL"] = _database_url(values)
    values["SECURE_COOKIES"] = values["SECURE_COOKIES"] == "on" or (
        values["SECURE_COOKIES"] == "auto" and values["SITE_URL"].startswith("https:")
    )
    _check_together(values)
    return values


def open_instance(name: str) -> Path:
    """Return the folder of everything that is kept, made if there is none."""
    folder = Path(name)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror
        raise BadSetting(f"The instance folder {name} cannot be made: {reason}.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadSetting(f"The instance folder {name} cannot be written to.")
    return folder


def stored_secret(path: Path, make: Callable[[], str], looks: str = ANY_TEXT) -> str:
    """Return the secret kept at `path`, made when first needed; all processes get the same one."""
    try:
        if not path.exists():
            _write_once(path, make())
        kept = path.read_text()
    except UnicodeDecodeError:
        kept = ""
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {error.strerror}.") from None
    if not re.fullmatch(looks, kept):
        raise BadSetting(
            f"{path} holds no key: put it back from a backup, or remove it and a new one is made."
        )
    return kept


def _write_once(path: Path, secret: str) -> None:
    # Written aside and linked in whole: nobody ever reads half a key, or makes a second one.
    descriptor, draft = tempfile.mkstemp(dir=path.parent)  # Readable by its owner alone.
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secret)
            file.flush()
            os.fsync(descriptor)  # After a power cut a new file may be there, but empty.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)


def _number(values: Mapping[str, Any], name: str, most: int, least: int = 0) -> int:
    text = values[name]
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise BadSetting(f"{name} is {text!r}; it must be a number from {least} to {most}.")
    return int(text)


def _web_address(name: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_whole = is_whole and parts.port != 0 and not re.search(r"[\s\x00-\x1f]", text)
    except ValueError:  # No number of a port, or a bracket that is not closed.
        is_whole = False
    if text and not is_whole:
        raise BadSetting(f"{name} is {text!r}; it must look like https://games.example.org")
    return text.rstrip("/")


def _database_url(values: Mapping[str, Any]) -> str:
    url = str(values["DATABASE_URL"])
    if not url:
        return f"sqlite:///{values['STOCKPILE_INSTANCE']}/stockpile.db"
    scheme, found, rest = url.partition("://")
    # The rest of the address may hold a password: never print it.
    if found and scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        return _readable(f"postgresql+psycopg://{rest}", POSTGRES_LOOKS)
    if found and scheme == "sqlite":
        return _readable(url, SQLITE_LOOKS)
    raise BadSetting(f"DATABASE_URL begins with {scheme[:20]!r}; it must begin with postgresql://")


def _readable(url: str, looks: str) -> str:
    """Return the address of a database; refuse one that SQLAlchemy could not use."""
    try:
        parts = make_url(url)
        is_usable = parts.database or parts.drivername != "sqlite"  # It would be kept nowhere.
    except (ArgumentError, ValueError):
        is_usable = False
    if not is_usable:
        raise BadSetting(f"DATABASE_URL cannot be read; it must look like {looks}")
    return url


def _check_together(values: Mapping[str, Any]) -> None:
    if values["METRICS_TOKEN"] and not re.fullmatch(BEARER, values["METRICS_TOKEN"]):
        raise BadSetting("METRICS_TOKEN must have 16 to 200 letters, digits or -._~+/= signs.")
    if values["SIGN_UP"] == "code" and not values["SIGN_UP_CODE"]:
        raise BadSetting("SIGN_UP is code, so SIGN_UP_CODE must be set.")
    if values["PUSH_KEY"] and not re.fullmatch(PUSH_PAIR, values["PUSH_KEY"]):
        raise BadSetting("PUSH_KEY must be what a file push_key of this server holds.")
    if values["TELEGRAM_TOKEN"] and not re.fullmatch(r"\d+:[\w-]+", values["TELEGRAM_TOKEN"]):
        raise BadSetting("TELEGRAM_TOKEN must look like 123456:letters, as BotFather gives it.")
    if values["SMTP_HOST"] and not values["SMTP_FROM"]:
        raise BadSetting("SMTP_HOST is set, so SMTP_FROM must be set too.")
    if values["SMTP_HOST"] and not values["SITE_URL"]:
        # Built from what the asking browser claims, a reset link could lead anywhere.
        raise BadSetting("SMTP_HOST is set, so SITE_URL must be set: links in mails begin with it.")
