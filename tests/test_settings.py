"""The settings: what a host may write, and what is said when it cannot be."""

import os
import secrets
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from stockpile_web import create_app
from stockpile_web.notify.channels import push
from stockpile_web.settings import ROOT, SETTINGS, BadSetting, read_settings, stored_secret
from stockpile_web.storage.schema import migrate


def test_with_nothing_set_the_site_is_open_and_keeps_everything_in_one_folder(tmp_path):
    values = read_settings({"STOCKPILE_INSTANCE": str(tmp_path)})
    assert values["DATABASE_URL"] == f"sqlite:///{tmp_path}/stockpile.db"
    assert values["SIGN_UP"] == "open"
    assert values["SQLITE_SYNCHRONOUS"] == "FULL"
    assert values["SECURE_COOKIES"] is False
    assert 1 <= values["THINKERS"] <= 4


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_each_spelling_of_a_postgres_address_is_understood(scheme):
    values = read_settings({"DATABASE_URL": f"{scheme}://me:secret@db/games"})
    assert values["DATABASE_URL"] == "postgresql+psycopg://me:secret@db/games"


@pytest.mark.parametrize("rest", ["db", "me@[::1]:5432/games", "/?host=/run/postgresql&dbname=g"])
def test_what_postgres_finds_by_itself_need_not_be_in_its_address(rest):
    values = read_settings({"DATABASE_URL": f"postgresql://{rest}"})
    assert values["DATABASE_URL"] == f"postgresql+psycopg://{rest}"


def test_cookies_travel_by_https_alone_when_the_site_does():
    assert read_settings({"SITE_URL": "https://games.example.org"})["SECURE_COOKIES"] is True
    given = {"SITE_URL": "https://games.example.org", "SECURE_COOKIES": "off"}
    assert read_settings(given)["SECURE_COOKIES"] is False


@pytest.mark.parametrize(
    ("environ", "word"),
    [
        ({"SIGN_UP": "maybe"}, "SIGN_UP"),
        ({"SIGN_UP": "code"}, "SIGN_UP_CODE"),
        ({"SQLITE_SYNCHRONOUS": "FULL; drop table user"}, "SQLITE_SYNCHRONOUS"),
        ({"DATABASE_URL": "mysql://me:secret@db/games"}, "DATABASE_URL"),
        ({"DATABASE_URL": "postgresql://me:secret@db:abc/games"}, "DATABASE_URL"),
        ({"DATABASE_URL": "sqlite://"}, "DATABASE_URL"),
        ({"SITE_URL": "games.example.org"}, "SITE_URL"),
        ({"SITE_URL": "http://[x"}, "SITE_URL"),
        ({"SITE_URL": "https://games.example.org:abc"}, "SITE_URL"),
        ({"SITE_URL": "https://games example.org"}, "SITE_URL"),
        ({"SITE_URL": "https://:443"}, "SITE_URL"),
        ({"BEHIND_PROXY": "yes"}, "BEHIND_PROXY"),
        ({"SMTP_PORT": "99999"}, "SMTP_PORT"),
        ({"LOG": "verbose"}, "LOG"),
        ({"METRICS_TOKEN": "short"}, "METRICS_TOKEN"),
        ({"METRICS_TOKEN": "with a space in it somewhere"}, "METRICS_TOKEN"),
        ({"BACKUP_HOURS": "0"}, "BACKUP_HOURS"),
        ({"BACKUPS_KEPT": "0"}, "BACKUPS_KEPT"),
        ({"THINKERS": "many"}, "THINKERS"),
        ({"SMTP_HOST": "mail.example.org", "SITE_URL": "https://example.org"}, "SMTP_FROM"),
        ({"SMTP_HOST": "mail.example.org", "SMTP_FROM": "games@example.org"}, "SITE_URL"),
    ],
)
def test_a_bad_setting_is_named_in_one_line_without_its_secrets(environ, word):
    with pytest.raises(BadSetting) as refusal:
        read_settings(environ)
    assert word in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert "secret" not in str(refusal.value)


def test_each_setting_is_explained_in_a_sentence():
    for setting in SETTINGS:
        assert setting.help.endswith("."), setting.name


def run(code, tmp_path, **settings):
    """Run some lines of Python as the server is run, and return how that ended."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "STOCKPILE_INSTANCE": str(tmp_path)}
    command = [sys.executable, "-c", code]
    environ |= settings
    return subprocess.run(
        command, check=False, env=environ, cwd=ROOT, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("SIGN_UP", "maybe", "SIGN_UP is 'maybe'; it must be one of open, code, closed."),
        (
            "DATABASE_URL",
            "sqlite:////no/such/folder/site.db",
            "/no/such/folder/site.db cannot be opened: No such file or directory.",
        ),
    ],
)
def test_a_server_that_cannot_start_says_one_line(tmp_path, name, value, problem):
    done = run("import wsgi", tmp_path, **{name: value})
    assert done.returncode == 3
    assert done.stderr == f"stockpile: {problem}\n"


def test_a_secret_that_cannot_be_one_is_refused_at_the_start(tmp_path):
    path = tmp_path / "secret_key"
    for content in (b"", b" \n", b"\xff\xfe\x00key", bytes(64)):
        path.write_bytes(content)
        done = run("import wsgi", tmp_path)
        assert (done.returncode, done.stderr) == (
            3,
            f"stockpile: {path} holds no key: put it back from a backup, or remove it and a new "
            "one is made.\n",
        )
    path.unlink()
    path.mkdir()
    with pytest.raises(BadSetting, match=r"secret_key cannot be read: Is a directory"):
        create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
    path.rmdir()
    app = create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
    (tmp_path / "push_key").write_text("half a k")
    with app.app_context(), pytest.raises(BadSetting, match=r"push_key holds no key"):
        push.own_keys()


def test_a_database_that_cannot_be_used_is_refused_in_one_line(tmp_path):
    path = tmp_path / "stockpile.db"
    app = create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(BadSetting, match="cannot be opened: file is not a database"):
        migrate(app)
    path.unlink()
    migrate(app)
    assert path.stat().st_mode & 0o777 == 0o600
    with sqlite3.connect(path) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(BadSetting, match="made by a newer version of Stockpile Web"):
        migrate(app)
    (tmp_path / "migrate.lock").unlink()
    (tmp_path / "migrate.lock").mkdir()
    with pytest.raises(BadSetting, match=r"migrate\.lock cannot be opened: Is a directory"):
        migrate(app)
    path.unlink()
    path.mkdir()
    with pytest.raises(BadSetting, match=r"stockpile\.db cannot be opened: Is a directory"):
        migrate(app)


def test_what_is_done_in_a_forked_child_leaves_nothing_behind_but_its_code(tmp_path):
    done = run(
        "import sys\n"
        "from stockpile_web.server.forked_child import in_forked_child as fork\n"
        "print(fork(lambda: sys.modules.clear()), len(sys.modules) > 9)\n"
        "print(fork(lambda: sys.exit(3)), fork(lambda: 1 / 0))\n",
        tmp_path,
    )
    assert done.stdout == "0 True\n3 1\n"
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")


def test_bringing_the_database_up_to_date_loads_nothing_into_the_server(tmp_path):
    done = run("import sys, wsgi; print('alembic' in sys.modules)", tmp_path)
    assert (done.stdout, (tmp_path / "stockpile.db").exists()) == ("False\n", True)


@pytest.mark.parametrize("length", [0, 5, 50, 500])
def test_compiled_templates_that_are_cut_short_are_compiled_anew(tmp_path, length):
    def page():
        app = create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
        return app.test_client().get("/rules/stockpile").status_code

    assert page() == 200
    compiled = list((tmp_path / "templates").iterdir())
    assert compiled
    for path in compiled:
        path.write_bytes(path.read_bytes()[:length])
    assert page() == 200
    assert all(path.stat().st_size > 500 for path in compiled)


def test_where_compiled_templates_cannot_be_kept_pages_are_shown_all_the_same(tmp_path):
    app = create_app({"STOCKPILE_INSTANCE": str(tmp_path)})
    (tmp_path / "templates").rmdir()
    assert app.test_client().get("/rules/stockpile").status_code == 200


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="instance folder"):
        create_app({"STOCKPILE_INSTANCE": str(tmp_path / "file" / "instance")})


def test_the_secret_key_is_made_once_and_read_by_its_owner_alone(tmp_path):
    # Not whole applications: in threads side by side, ast.parse of Python 3.11 fails now and then.
    def start(_number):
        return stored_secret(tmp_path / "secret_key", lambda: secrets.token_hex(32))

    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(start, range(4)))
    keys.add(create_app({"STOCKPILE_INSTANCE": str(tmp_path)}).secret_key)
    assert len(keys) == 1
    assert len(keys.pop()) == 64
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"secret_key", "templates"}
