"""A push service on this machine, and the half of a browser that reads what comes from it."""

import json
import os

from cryptography.hazmat.primitives.asymmetric.ec import ECDH, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from stockpile_web.notify.webpush import as_text, new_key, public_bytes


class Browser:
    """A browser that has subscribed: its keys, and how it reads a push (RFC 8291)."""

    def __init__(self) -> None:
        self._key = new_key()
        self._auth = os.urandom(16)
        self.public_key = as_text(public_bytes(self._key))
        self.auth = as_text(self._auth)

    def form(self, endpoint: str) -> dict[str, str]:
        """Return what its page sends to the site."""
        return {"endpoint": endpoint, "public_key": self.public_key, "auth": self.auth}

    def read(self, sealed: bytes) -> bytes:
        """Decrypt a push; raise what the library raises if it is not for this browser."""
        salt, sender, box = sealed[:16], sealed[21 : 21 + sealed[20]], sealed[21 + sealed[20] :]
        theirs = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), sender)
        shared = self._key.exchange(ECDH(), theirs)
        info = b"WebPush: info\0" + public_bytes(self._key) + sender
        secret = HKDF(SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        return AESGCM(key).decrypt(nonce, box, None).rstrip(b"\0").removesuffix(b"\x02")

    def news(self, sealed: bytes) -> dict[str, str]:
        """Return what the service worker gets to show."""
        news: dict[str, str] = json.loads(self.read(sealed))
        return news
