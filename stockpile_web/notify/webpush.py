"""Sealing a push: only the browser it is for can read it, and its push service knows who sends.

Encryption is that of RFC 8291 and the signature that of RFC 8292. This loads a library of ten
megabytes, so it is imported only where something is to be encrypted.
"""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from stockpile_web.storage.database import now

RECORD = 4096
SIGNED_FOR = 12 * 3600


def make_pair() -> str:
    """Return a new private key and its public key, a dot between."""
    key = new_key()
    private = key.private_numbers().private_value.to_bytes(32, "big")
    return f"{as_text(private)}.{as_text(public_bytes(key))}"


def new_key() -> EllipticCurvePrivateKey:
    """Return a new private key."""
    return generate_private_key(SECP256R1())


def encrypt_with(
    plain: bytes, public_key: str, auth: str, own: EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Encrypt for the browser that has given its public key; `own` and `salt` are used once."""
    theirs = as_bytes(public_key)
    browser = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), theirs)
    ours = public_bytes(own)
    shared = own.exchange(ECDH(), browser)
    secret = _derive(as_bytes(auth), shared, b"WebPush: info\0" + theirs + ours, 32)
    key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, plain + b"\x02", None)


def encrypt(plain: bytes, public_key: str, auth: str) -> bytes:
    """Encrypt for a browser; ValueError if its key is none."""
    return encrypt_with(plain, public_key, auth, new_key(), os.urandom(16))


def signature(pair: str, endpoint: str, who: str) -> str:
    """Return the header by which a push service knows that `who`, the site, sends a push."""
    private, public = pair.split(".")
    key = derive_private_key(int.from_bytes(as_bytes(private), "big"), SECP256R1())
    parts = urlsplit(endpoint)
    until = int(now().timestamp()) + SIGNED_FOR
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": until, "sub": who}
    signed = ".".join(as_text(json.dumps(part).encode()) for part in (_KIND, claims))
    r, s = decode_dss_signature(key.sign(signed.encode(), ECDSA(SHA256())))
    proof = as_text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{proof}, k={public}"


_KIND = {"typ": "JWT", "alg": "ES256"}


def public_bytes(key: EllipticCurvePrivateKey) -> bytes:
    """Return the public key of a private one, as it travels."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def as_text(raw: bytes) -> str:
    """Write bytes as addresses and headers can hold them."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def as_bytes(text: str) -> bytes:
    """Read what `as_text` has written."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
