"""The site as a host would run it: on a socket that systemd holds, behind a proxy."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPResponse
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from stockpile_web.settings import ROOT
from tests.support.live_site import free_port, wait_until

HOST = "play.example.org"
SAMPLES = ROOT / "hosting"

# What systemd does before it starts a service that has a socket.
ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.executable, [sys.executable, "-m", "stockpile_web.cli", "serve"])
"""


class Activated:
    """A server on a socket that outlives it."""

    def __init__(self, folder: Path) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self._folder = folder

    def start(self) -> None:
        """Start it; whoever asks waits until it answers."""
        number = self.listener.fileno()
        environ = {"STOCKPILE_INSTANCE": str(self._folder), "SITE_URL": f"https://{HOST}"}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", ACTIVATE, str(number)],
                pass_fds=[number],
                cwd=ROOT,
                env={**os.environ, **environ, "BEHIND_PROXY": "1", "SQLITE_SYNCHRONOUS": "OFF"},
                stdout=log,
                stderr=log,
            )

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)


@contextmanager
def proxy(kind: str, server: Activated, folder: Path) -> Iterator["Visitor"]:
    """Run nginx or Caddy by our sample, but for its ports and its certificate."""
    certificate, key = _certificate(folder)
    plain, safe = free_port(), free_port()
    write = {"nginx": _nginx, "caddy": _caddy}[kind]
    command = write(folder, {"certificate": certificate, "key": key}, plain, safe, server.port)
    with (folder / f"{kind}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "HOME": "/"})
    try:
        wait_until(lambda: _listens(plain) and _listens(safe))
        yield Visitor(plain, safe, certificate)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(15)


class Visitor:
    """A browser with its cookies."""

    def __init__(self, plain: int, safe: int, certificate: Path) -> None:
        self._plain, self._safe = plain, safe
        self._trust = ssl.create_default_context(cafile=str(certificate))
        self.cookies: SimpleCookie = SimpleCookie()

    @contextmanager
    def asking(
        self, path: str, form: dict[str, str] | None = None, tls: bool = True
    ) -> Iterator[HTTPResponse]:
        """Ask for a page, or send a form; nothing of the answer but its head is read yet."""
        with ExitStack() as stack:
            port = self._safe if tls else self._plain
            sock = stack.enter_context(socket.create_connection(("127.0.0.1", port), 40))
            if tls:
                sock = stack.enter_context(self._trust.wrap_socket(sock, server_hostname=HOST))
            connection = HTTPConnection(HOST, timeout=40)
            connection.sock = sock
            cookies = "; ".join(f"{each.key}={each.value}" for each in self.cookies.values())
            headers = {"Cookie": cookies, "Referer": f"https://{HOST}/", "Connection": "close"}
            if form is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = None if form is None else urlencode(form)
            connection.request("GET" if form is None else "POST", path, body, headers)
            answer = stack.enter_context(connection.getresponse())
            for cookie in answer.headers.get_all("Set-Cookie", []):
                self.cookies.load(cookie)
            yield answer

    def read(self, path: str) -> str:
        """Return a page, which must be there."""
        with self.asking(path) as answer:
            text = answer.read().decode()
            assert answer.status == 200, f"{path}: {answer.status}"
            return text

    def send(self, page: str, path: str, **form: str) -> str:
        """Send a form of a page; return where that leads."""
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.read(page))
        assert token
        with self.asking(path, {"csrf_token": token[1], **form}) as answer:
            assert answer.status == 303, answer.read().decode()
            return str(answer.headers["Location"])


def _nginx(folder: Path, files: dict[str, Path], plain: int, safe: int, port: int) -> list[str]:
    sample = (SAMPLES / "nginx.conf").read_text()
    sample = re.sub(r" *listen \[::\].*\n", "", sample)  # There may be no IPv6 here.
    sample = sample.replace("listen 80;", f"listen 127.0.0.1:{plain};")
    sample = sample.replace("listen 443 ", f"listen 127.0.0.1:{safe} ")
    sample = re.sub(r"(ssl_certificate +)\S+;", rf"\1{files['certificate']};", sample)
    sample = re.sub(r"(ssl_certificate_key +)\S+;", rf"\1{files['key']};", sample)
    sample = sample.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    paths = " ".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log stderr; user root;\n"
        f"events {{}}\nhttp {{ access_log off; {paths}\n{sample}}}\n"
    )
    return [str(found("nginx")), "-p", str(folder), "-c", str(config), "-e", "stderr"]


def _caddy(folder: Path, files: dict[str, Path], plain: int, safe: int, port: int) -> list[str]:
    sample = (SAMPLES / "Caddyfile").read_text()
    sample = sample.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    sample = sample.replace(f"{HOST} {{", f"{HOST} {{\n\ttls {files['certificate']} {files['key']}")
    config = folder / "Caddyfile"
    config.write_text(f"{{\n\tadmin off\n\thttp_port {plain}\n\thttps_port {safe}\n}}\n{sample}")
    return [str(found("caddy")), "run", "--adapter", "caddyfile", "--config", str(config)]


def found(program: str) -> str | None:
    """Return where a program is: Debian's nginx lies where only root looks."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for a day, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, HOST)])
    began = datetime.now(UTC) - timedelta(hours=1)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(began)
        .not_valid_after(began + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, SHA256())
    )
    certificate, private = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return certificate, private
