"""A web server for tests: keeps what is posted to it and answers as it is told."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from stockpile_web.notify.webpush import new_key
from stockpile_web.storage.database import now

Posted = tuple[str, dict[str, str], bytes]


class Receiver:
    """What was posted, and what is answered: `answer`, if it is given, decides by what came."""

    def __init__(self) -> None:
        self.got: list[Posted] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.text = "thank you"
        self.drip = False
        self.answer: Callable[[str, Any], Any] | None = None
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((self.path, dict(self.headers), body))
                status, text = receiver.status, receiver.text
                if receiver.answer is not None:
                    said = receiver.answer(self.path, json.loads(body))
                    status, text = said.get("error_code", 200), json.dumps(said)
                self.send_response(status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    while receiver.drip:
                        self.wfile.write(b".")
                        time.sleep(0.05)
                    self.wfile.write(text.encode())
                except OSError:
                    pass

            def log_message(self, *_: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A client that trusts no certificate of ours goes away in the middle."""

        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        self.url = f"{self.base}/hook/secret?x=1"

    def speak_tls(self, folder: Path) -> None:
        """Speak https from now on, with a certificate that only we have signed."""
        self.server.socket = self_signed(folder).wrap_socket(self.server.socket, server_side=True)
        self.base = self.base.replace("http:", "https:")
        self.url = self.url.replace("http:", "https:")


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver until the end of the block."""
    receiver = Receiver()
    threading.Thread(target=receiver.server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield receiver
    finally:
        receiver.drip = False
        receiver.server.shutdown()
        receiver.server.server_close()


def self_signed(folder: Path) -> ssl.SSLContext:
    """Return what a server needs to speak TLS, by a certificate that nobody else vouches for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificate(folder))
    return context


def _certificate(folder: Path) -> Path:
    key, name = new_key(), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now() - timedelta(days=1))
    certificate = builder.not_valid_after(now() + timedelta(days=1)).sign(key, SHA256())
    path = folder / "self-signed.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(secret + certificate.public_bytes(Encoding.PEM))
    return path
