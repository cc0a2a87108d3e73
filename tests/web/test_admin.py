"""The administrator's pages."""

from stockpile_web.notify.smtp import KEEP, send_mail


def test_the_administrator_reads_kept_mails_newest_first(app, client, sign_up):
    sign_up(client, "Ann")
    with app.app_context():
        send_mail("bob@example.org", "First <b>", "text")
        send_mail("bob@example.org", "Second", "text")
    page = client.get("/admin/mail").text
    assert page.index("Second") < page.index("First &lt;b&gt;")


def test_for_everybody_else_the_page_is_not_there(app, client, sign_up):
    sign_up(app.test_client(), "Ann")
    as_stranger = client.get("/admin/mail")
    sign_up(client, "Bob")
    as_player = client.get("/admin/mail")
    nowhere = client.get("/admin/nowhere")
    assert [as_stranger.status_code, as_player.status_code, nowhere.status_code] == [404] * 3
    assert "mail" not in as_player.text.lower()


def test_only_the_newest_mails_are_kept(app, client, sign_up, monkeypatch):
    monkeypatch.setattr("stockpile_web.notify.smtp.KEEP", 3)
    sign_up(client, "Ann")
    with app.app_context():
        for number in range(5):
            send_mail("bob@example.org", f"Number {number}", "text")
    page = client.get("/admin/mail").text
    assert [f"Number {number}" in page for number in range(5)] == [False, False, True, True, True]
    assert KEEP >= 100
