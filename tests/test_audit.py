"""The audit of packages: holes fail it, and what could not be asked is never called sound."""

import pytest

from tests import audit

PINNED = "flask==3.1.2 \\\n    --hash=sha256:00\npsycopg[binary]==3.2.1 \\\n    # via site\n"


def test_a_known_hole_is_named_with_the_version_that_mends_it():
    holes = [{"id": "X-1", "fixed_in": ["3.3"]}, {"id": "X-2", "withdrawn": "2026-01-01"}]
    told = {"/pypi/flask/3.1.2/json": [], "/pypi/psycopg/3.2.1/json": holes}
    found = audit.look(PINNED, lambda path: {"vulnerabilities": told.pop(path)})
    assert found == (["psycopg 3.2.1: X-1, mended in 3.3"], 2)
    assert not told


@pytest.mark.parametrize("answer", [{}, [], {"vulnerabilities": None}])
def test_an_index_that_does_not_tell_of_holes_finds_none_sound(answer):
    with pytest.raises(audit.CannotAsk):
        audit.look(PINNED, lambda _path: answer)


def test_without_a_network_the_audit_says_so_in_a_line_and_with_a_hole_it_fails(
    monkeypatch, capsys
):
    monkeypatch.setattr(audit, "index", lambda: "http://127.0.0.1:9")
    audit.main()
    assert capsys.readouterr().out == "audit skipped: no network\n"
    told = {"vulnerabilities": [{"id": "X-1"}]}
    monkeypatch.setattr(audit, "asking", lambda _base: lambda _path: told)
    with pytest.raises(SystemExit) as end:
        audit.main()
    assert end.value.code == 1
    assert "X-1" in capsys.readouterr().out


def test_every_locked_package_is_looked_up():
    lock = audit.LOCK.read_text()
    _, count = audit.look(lock, lambda _path: {"vulnerabilities": []})
    assert count == lock.count("==") > 20
