"""Passkeys: what a browser is asked to sign, and whether what it answers was signed by one of ours.

A challenge lies in the session of whoever asks, so nobody else can answer it; it ends after some
minutes, and one that is older than the last use of a key is worth nothing to that key. The library
is imported where it is needed: where nobody has a passkey, its 8 MB are never loaded.
"""

import hmac
import secrets
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from flask import current_app, request, session
from sqlalchemy import func, select, update

from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Passkey, User
from stockpile_web.storage.models.people import Visitor
from stockpile_web.storage.transactions import writing

SITE = "Stockpile Web"
VALID_FOR = timedelta(minutes=5)
MOST_OF_ONE = 10
# What a challenge of a session was made for. One to add a key is made for whoever has just typed
# their password, so no other will do.
ADD, USE = "passkey to add", "passkey to use"


class Challenge(NamedTuple):
    """What is to be signed, and when it was asked for."""

    value: bytes
    asked_at: datetime


def can_be_used_here() -> bool:
    """Tell whether passkeys of this site work at the address in the browser.

    They belong to the name of the site, and no browser has any for a bare number.
    """
    name = relying_party()
    try:
        ip_address(name)
    except ValueError:
        return _host_name(urlsplit(request.host_url)) == name
    return False


def relying_party() -> str:
    """Return the name of the site to which its passkeys belong."""
    return _host_name(_site())


def origin() -> str:
    """Return the address of the site, as a browser says from where it has been asked."""
    site = _site()
    usual = {"http": 80, "https": 443}[site.scheme]
    port = "" if site.port in (None, usual) else f":{site.port}"
    return f"{site.scheme}://{relying_party()}{port}"


def of(user_id: int) -> list[Passkey]:
    """Return the passkeys of a person, the oldest first."""
    theirs = select(Passkey).where(Passkey.user_id == user_id).order_by(Passkey.id)
    return list(db.session.scalars(theirs))


def ask_to_add(user: Visitor) -> str:
    """Return what the browser of `user` needs to make a passkey, as JSON."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=relying_party(),
        rp_name=SITE,
        user_name=user.name or "",
        user_id=_handle_of(user.id),
        challenge=_new_challenge(ADD),
        timeout=_milliseconds(),
        # One that its device finds without being told a name, and asks its owner for.
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(key.credential_id) for key in of(user.id)
        ],
    )
    return options_to_json(options)


def made(answer: str, user: Visitor, name: str) -> Passkey | None:
    """Return the passkey that the browser of `user` has made; None if it is not as it was asked."""
    from webauthn import verify_registration_response

    challenge = _take_challenge(ADD)
    if challenge is None:
        return None
    try:
        new = verify_registration_response(
            credential=answer,
            expected_challenge=challenge.value,
            expected_rp_id=relying_party(),
            expected_origin=origin(),
            require_user_verification=True,
        )
    except Exception:  # noqa: BLE001 (anything may be sent: what cannot be read is no passkey)
        return None
    return Passkey(
        user_id=user.id,
        credential_id=new.credential_id,
        handle=_handle_of(user.id),
        public_key=new.credential_public_key,
        sign_count=new.sign_count,
        name=name,
        created_at=now(),
    )


def ask_to_use() -> str:
    """Return what a browser needs to use a passkey, as JSON; it is the same for everybody."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    options = generate_authentication_options(
        rp_id=relying_party(),
        challenge=_new_challenge(USE),
        timeout=_milliseconds(),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return options_to_json(options)


def owner_of(answer: str) -> User | None:
    """Return whose passkey has signed the challenge of this session, and note that it was used.

    A key that has counted fewer uses than we know of may be a copy: it is refused.
    """
    from webauthn import verify_authentication_response
    from webauthn.helpers import parse_authentication_credential_json

    challenge = _take_challenge(USE)
    if challenge is None:
        return None
    try:
        signed = parse_authentication_credential_json(answer)
        key = db.session.scalar(select(Passkey).where(Passkey.credential_id == signed.raw_id))
        if key is None or signed.response.user_handle != key.handle:
            return None
        verified = verify_authentication_response(
            credential=signed,
            expected_challenge=challenge.value,
            expected_rp_id=relying_party(),
            expected_origin=origin(),
            credential_public_key=key.public_key,
            credential_current_sign_count=key.sign_count,
            require_user_verification=True,
        )
    except Exception:  # noqa: BLE001 (anything may be sent: what cannot be read is no passkey)
        return None
    return _note_use(key.id, challenge, verified.new_sign_count)


def _note_use(passkey_id: int, challenge: Challenge, sign_count: int) -> User | None:
    """Use up the challenge: of two answers to one, or to older ones, the second is too late.

    The cookie that holds it could be copied, so that it is gone from there does not suffice.
    """
    last_use = func.coalesce(Passkey.used_at, Passkey.created_at)
    used = (
        update(Passkey)
        .where(Passkey.id == passkey_id, last_use < challenge.asked_at)
        .values(used_at=now(), sign_count=sign_count)
        .returning(Passkey.user_id)
    )
    with writing() as tx:
        user_id = tx.scalar(used)
    return None if user_id is None else db.session.get_one(User, user_id)


def _new_challenge(purpose: str) -> bytes:
    value = secrets.token_bytes(32)
    session[purpose] = (value, now().isoformat())
    return value


def _take_challenge(purpose: str) -> Challenge | None:
    """Take the challenge out of the session, if there is one that still holds."""
    kept = session.pop(purpose, None)
    if kept is None:
        return None
    challenge = Challenge(kept[0], datetime.fromisoformat(kept[1]))
    return challenge if now() - challenge.asked_at < VALID_FOR else None


def _handle_of(user_id: int) -> bytes:
    """Return what devices are to call an account: always the same, and it tells nothing."""
    return hmac.digest(current_app.config["SECRET_KEY"].encode(), b"passkey %d" % user_id, "sha256")


def _site() -> SplitResult:
    return urlsplit(current_app.config["SITE_URL"] or request.host_url)


def _host_name(site: SplitResult) -> str:
    return (site.hostname or "").encode("idna").decode()


def _milliseconds() -> int:
    return int(VALID_FOR.total_seconds() * 1000)
