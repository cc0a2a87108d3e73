"""Pushes are sealed as the RFCs say: by their own example, and read by a browser's half."""

import json
import subprocess
import sys

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from stockpile_web.notify import webpush
from stockpile_web.notify.webpush import as_bytes, as_text
from stockpile_web.settings import ROOT
from tests.support.push_service import Browser

# RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
OUR_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER_KEY = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
    "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
    "lcy4a-fN"
)


def test_the_example_of_the_standard_is_sealed_as_it_says():
    own = derive_private_key(int.from_bytes(as_bytes(OUR_KEY), "big"), SECP256R1())
    assert as_text(webpush.encrypt_with(PLAIN, BROWSER_KEY, AUTH, own, as_bytes(SALT))) == SEALED


def test_the_browser_it_is_for_can_read_it_and_no_two_look_alike():
    browser = Browser()
    sealed = [webpush.encrypt(b"table 7", browser.public_key, browser.auth) for _ in range(2)]
    assert [browser.read(each) for each in sealed] == [b"table 7", b"table 7"]
    assert sealed[0] != sealed[1]
    with pytest.raises(InvalidTag):
        Browser().read(sealed[0])


def test_a_key_that_is_none_is_refused():
    for key in ("", "AAAA", as_text(b"\4" + bytes(64))):
        with pytest.raises(ValueError, match=r"."):
            webpush.encrypt(b"x", key, AUTH)


def test_a_push_service_can_check_who_sends():
    pair = webpush.make_pair()
    header = webpush.signature(pair, "https://push.example:8443/abc?d", "https://games.example")
    token, public = header.removeprefix("vapid t=").split(", k=")
    assert public == pair.split(".")[1]
    head, claims, signed = token.split(".")
    assert json.loads(as_bytes(head)) == {"typ": "JWT", "alg": "ES256"}
    said = json.loads(as_bytes(claims))
    assert (said["aud"], said["sub"]) == ("https://push.example:8443", "https://games.example")
    raw = as_bytes(signed)
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), as_bytes(public))
    key.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ECDSA(SHA256()))


def test_a_server_that_has_sealed_nothing_has_not_loaded_what_it_takes(tmp_path):
    (tmp_path / "push_key").write_text(webpush.make_pair())
    look = (
        "import sys; from stockpile_web import create_app;"
        f"app = create_app({{'STOCKPILE_INSTANCE': {str(tmp_path)!r}}});"
        "from stockpile_web.worker import watch; from stockpile_web.notify.channels import push\n"
        "with app.app_context(): push.own_keys()\n"
        "print('cryptography' in sys.modules)"
    )
    command = [sys.executable, "-c", look]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
