"""A device that holds a passkey: it makes what a browser would send, or something wrong."""

import hashlib
import json
import secrets
from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from flask.testing import FlaskClient
from webauthn.helpers import encode_cbor

from tests.conftest import PASSWORD

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


class Authenticator:
    """Its key, for one account at one site; it counts its uses unless told that it does not."""

    def __init__(self, origin: str = "http://localhost", count: int = 0) -> None:
        self.origin = origin
        self.count = count
        self.flags = PRESENT | VERIFIED
        self.handle = ""
        self._key = generate_private_key(SECP256R1())
        self._id = secrets.token_bytes(16)

    def make(self, options: dict[str, Any]) -> str:
        """Return the answer to being asked for a new passkey."""
        self.handle = options["user"]["id"]
        numbers = self._key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        cose = encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        known = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + cose
        head = self._head(options["rp"]["id"], HAS_KEY) + known
        stated = encode_cbor({"fmt": "none", "attStmt": {}, "authData": head})
        said = self._said("webauthn.create", options)
        return self._answer({"clientDataJSON": text(said), "attestationObject": text(stated)})

    def sign(self, options: dict[str, Any]) -> str:
        """Return the answer to being asked for a passkey."""
        self.count += bool(self.count)
        head, said = self._head(options["rpId"]), self._said("webauthn.get", options)
        signature = self._key.sign(head + hashlib.sha256(said).digest(), ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": text(said),
                "authenticatorData": text(head),
                "signature": text(signature),
                "userHandle": self.handle,
            }
        )

    def _head(self, site: str, flags: int = 0) -> bytes:
        counted = self.count.to_bytes(4, "big")
        return hashlib.sha256(site.encode()).digest() + bytes([self.flags | flags]) + counted

    def _said(self, kind: str, options: dict[str, Any]) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(said).encode()

    def _answer(self, response: dict[str, str]) -> str:
        name = text(self._id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def text(raw: bytes) -> str:
    """Write bytes as browsers do."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


def ask(client: FlaskClient) -> dict[str, Any]:
    """Ask what is to be signed."""
    return dict(client.post("/passkey/ask").get_json())


def add(client: FlaskClient, device: Authenticator, name: str = "Phone") -> Any:
    """Add the passkey of a device to the account of whoever is signed in."""
    form = {"passkey_name": name, "passkey_password": PASSWORD}
    asked = client.post("/account/passkeys/ask", data=form)
    assert asked.status_code == 200, asked.text
    made = device.make(asked.get_json())
    return client.post("/account/passkeys", data={"passkey_name": name, "passkey": made})


def sign_in(client: FlaskClient, device: Authenticator) -> Any:
    """Sign in by the passkey of a device."""
    return client.post("/sign-in/passkey", data={"passkey": device.sign(ask(client))})
