"""The samples in hosting/ are run: units, proxies with TLS, and what a container is made of."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from itertools import pairwise

import pytest

from stockpile_web.settings import ROOT, SETTINGS
from tests.support.known import FIRST
from tests.support.live_site import wait_until
from tests.support.proxied import HOST, SAMPLES, Activated, found, proxy


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A site on a socket that systemd would hold."""
    server = Activated(tmp_path_factory.mktemp("activated"))
    server.start()
    yield server
    server.stop()
    server.listener.close()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_behind_a_proxy_by_our_sample_one_plays_over_tls_and_a_restart_refuses_nobody(
    server, tmp_path, kind
):
    if found(kind) is None:
        if os.environ.get("CI"):
            pytest.fail(f"There is no {kind} here, and in CI our samples are tried.")
        pytest.skip(f"no {kind} here")
    with proxy(kind, server, tmp_path) as visitor:
        with visitor.asking("/rules?x=1", tls=False) as away:
            assert away.status in (301, 308)
            assert re.sub(r":\d+/", "/", away.headers["Location"]) == f"https://{HOST}/rules?x=1"

        table = visitor.send("/", f"/try/{FIRST}")
        assert all(each["secure"] for each in visitor.cookies.values())
        with visitor.asking(f"{table}/events") as stream:
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            first = next_version(stream)
            visitor.send(table, f"{table}/chat", text="Is anybody there?")
            assert next_version(stream) != first

        answers, stop = [], threading.Event()

        def look():
            while not stop.is_set():
                with visitor.asking("/sign-in") as answer:
                    answers.append(answer.status)

        looking = threading.Thread(target=look)
        looking.start()
        wait_until(lambda: len(answers) > 5)
        server.stop()
        server.start()
        count = len(answers)
        wait_until(lambda: len(answers) > count + 5, seconds=60)
        stop.set()
        looking.join()
        assert set(answers) == {200}
        assert "Is anybody there?" in visitor.read(table)


def next_version(stream):
    """Wait for what a stream tells next; what a proxy holds back does not come in time."""
    while not (line := stream.readline()).startswith(b"data: "):
        assert line, "the stream has ended"
    return line


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None and not os.environ.get("CI"), reason="no systemd here"
)
def test_systemd_has_nothing_to_say_against_the_units(tmp_path):
    units = []
    for sample in sorted([*SAMPLES.glob("*.service"), *SAMPLES.glob("*.socket")]):
        unit = tmp_path / sample.name
        unit.write_text(
            sample.read_text()
            .replace("/srv/stockpile-web/.venv/bin/python", sys.executable)
            .replace("/srv/stockpile-web", str(ROOT))
        )
        units.append(str(unit))
    assert len(units) == 2
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_copied_into_a_container_is_all_that_it_needs(tmp_path):
    for line in re.findall(r"^COPY (.*) \./", (SAMPLES / "Containerfile").read_text(), re.M):
        for name in line.split():
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, tmp_path / name)
    code = (
        "import wsgi; print(wsgi.app.test_client().get('/').status_code)\n"
        "from stockpile_web.upkeep.backup_file import own_version; own_version()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PATH": "", "STOCKPILE_INSTANCE": str(tmp_path / "data")},
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("200\n", "")


def test_the_sample_of_settings_names_settings():
    lines = (SAMPLES / "stockpile-web.env").read_text().splitlines()
    names = {line.partition("=")[0] for line in lines if not line.startswith("#")}
    assert names <= {setting.name for setting in SETTINGS}


AWKWARD = {
    "SMTP_FROM": "Stockpile Web <games@example.org>",
    "SMTP_PASSWORD": "ab$cd1",
    "DATABASE_URL": "postgresql://u@h/db?a=1&b=2",
    "SIGN_UP_CODE": 'it\'s `id` \\ "so"',
    "SECRET_KEY": " in quotes ",
    "SITE_URL": "",
}


@pytest.mark.parametrize("shell", [name for name in ("sh", "dash", "bash") if shutil.which(name)])
def test_a_command_for_the_site_reads_its_settings_as_systemd_does(tmp_path, shell):
    lines = [f"{name}={value}" for name, value in AWKWARD.items()]
    lines = [
        "# A comment=1",
        "",
        "; another=1",
        *lines,
        'SECRET_KEY=" in quotes "',
        "GUESTS='off' ",
    ]
    (tmp_path / "settings").write_text("\n".join([*lines, "no-name=1", "LOG=text"]))
    (tmp_path / "runuser").write_text('#!/bin/sh\necho "$*" >&2\nenv -0\n')
    (tmp_path / "runuser").chmod(0o755)
    done = subprocess.run(
        [shell, str(SAMPLES / "stockpile-web"), "backup", "a file"],
        env={
            "PATH": f"{tmp_path}:{os.environ['PATH']}", "PROGRAM": "/srv/another",
            "SETTINGS": str(tmp_path / "settings"),
        },
        check=False,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.stderr == "-u stockpile -- /srv/another/run backup a file\n"
    told = dict(line.split("=", 1) for line in done.stdout.split("\0") if line)
    assert AWKWARD.items() <= told.items()
    assert (told["GUESTS"], told["LOG"]) == ("off", "text")
    assert not any("comment" in name or "another" in name for name in told)


def test_certificates_by_certbot_are_renewed_though_nginx_holds_the_port():
    [command] = re.findall(
        r"^ +certbot certonly (.*)$", (ROOT / "docs/hosting.md").read_text(), re.M
    )
    words = dict(pairwise(shlex.split(command)))
    assert (words["--pre-hook"], words["--post-hook"]) == (
        "systemctl stop nginx",
        "systemctl start nginx",
    )


def test_the_folder_for_backups_that_is_advised_may_be_written_to():
    folders = set(re.findall(r"BACKUPS=(/srv/\S+?)`", (ROOT / "docs/hosting.md").read_text()))
    assert folders == {"/srv/backups"}
    assert "\nReadWritePaths=-/srv/backups\n" in (SAMPLES / "stockpile-web.service").read_text()


def test_the_container_is_begun_by_the_name_that_its_commands_use():
    told = (ROOT / "docs/hosting.md").read_text()
    sample = (SAMPLES / "Containerfile").read_text()
    [name] = re.findall(r"podman exec (\S+)", told)
    assert f"podman run -d --name {name} " in sample
    assert "postgresql-client" in sample  # Backups of Postgres need pg_dump and psql.
