"""Being told, in a real browser: pushes from the button to the tap, and linking a chat.

No push service can be reached from here: the browser is given an address on this machine instead,
and what arrives there is handed to its service worker as a push service would.
"""

import json
import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.account import Account
from tests.browser.house import open_house
from tests.browser.person import Person
from tests.browser.scenes import table_at
from tests.browser.test_axe import AXE, CHECK, RULES
from tests.browser.test_phone import TOO_WIDE, WIDE, on_a_phone
from tests.support.clicking import make_any_move
from tests.support.live_site import wait_until
from tests.support.push_service import Browser as Keys
from tests.support.receiver import receiving
from tests.support.telegram import TOKEN, Telegram

SUBSCRIBE = """
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async (options) => {
  window.name = String(options.applicationServerKey.length);
  return { toJSON: () => (FORM) };
};
"""
# A browser without a screen shows nothing: what its service worker wants to show is kept instead.
KEEP = """() => {
  self.shown = [];
  self.opened = [];
  self.registration.showNotification = async (title, more) => self.shown.push({ title, ...more });
  self.clients.openWindow = async (address) => self.opened.push(address);
}"""
TAP = """(data) => new Promise((done) => {
  const tap = new Event("notificationclick");
  tap.notification = { data, close: () => (self.shown.length = 0) };
  tap.waitUntil = done;
  self.dispatchEvent(tap);
})"""


@pytest.fixture(scope="module")
def bot():
    return Telegram()


@pytest.fixture(scope="module")
def site(tmp_path_factory, bot):
    """The site, allowed to post to this machine, with a bot."""
    with receiving() as receiver:
        receiver.answer = bot.answer
        settings = {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API": receiver.base, "WEBHOOKS": "any"}
        with open_house(tmp_path_factory.mktemp("push"), **settings) as house:
            yield house


@pytest.fixture
def service():
    with receiving() as receiver:
        receiver.status, receiver.text = 201, ""
        yield receiver


@pytest.fixture
def ann(chromium, site):
    person = Person(site, chromium.new_context(reduced_motion="reduce", **on_a_phone(WIDE)))
    person.sign_up_quietly("ann")
    person.bring_cookie(person.cookie())
    yield person
    person.context.close()
    assert person.unforeseen() == []


def test_a_tap_on_a_push_opens_the_table_that_waits(site, service, ann):
    keys = Keys()
    form = {
        "endpoint": f"{service.base}/ann",
        "keys": {"p256dh": keys.public_key, "auth": keys.auth},
    }
    ann.context.grant_permissions(["notifications"])
    ann.page.add_init_script(SUBSCRIBE.replace("FORM", json.dumps(form)))
    page = ann.open("/notices/choices")
    page.get_by_role("button", name="Turn on here").click()
    expect(page.get_by_text("this device")).to_be_visible()
    assert page.evaluate("window.name") == "65"  # The site's key is a point of the curve.
    match_id = table_at("supply", ann, bots=1)
    wait_until(lambda: service.got, seconds=30)
    news = keys.read(service.got[0][2]).decode()
    assert json.loads(news)["link"] == f"/table/{match_id}"

    session = ann.context.new_cdp_session(page)
    numbers: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: numbers.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    worker = ann.context.service_workers[0]
    assert worker.url == f"{site.url}/service-worker.js"
    while not numbers:
        page.wait_for_timeout(50)
    push = {"origin": site.url, "registrationId": numbers[0], "data": news}
    worker.evaluate(KEEP)
    session.send("ServiceWorker.deliverPushMessage", push)
    wait_until(lambda: worker.evaluate("self.shown"))
    (shown,) = worker.evaluate("self.shown")
    assert shown["title"] == f"Your turn at “{ann.name}’s table” (Stockpile)"
    assert ann.context.request.get(shown["icon"]).ok and ann.context.request.get(shown["badge"]).ok
    worker.evaluate(TAP, shown["data"])
    assert worker.evaluate("self.opened") == [f"{site.url}/table/{match_id}"]
    assert worker.evaluate("self.shown") == []
    worker.evaluate(TAP, {"link": "https://elsewhere.example/"})
    assert len(worker.evaluate("self.opened")) == 1


def waits_at_a_table(ann, bob):
    """Open a table for Ann at which Bob is to move."""
    bob.sign_up_quietly("bob")
    return ann.open_table(table_at("supply", bob, ann))


def test_one_press_on_the_board_turns_pushes_on(site, service, ann):
    keys = Keys()
    subscription = {"p256dh": keys.public_key, "auth": keys.auth}
    form = {"endpoint": f"{service.base}/board", "keys": subscription}
    ann.context.grant_permissions(["notifications"])
    ann.page.add_init_script(SUBSCRIBE.replace("FORM", json.dumps(form)))
    bob = Account(site)
    page = waits_at_a_table(ann, bob)
    page.get_by_role("link", name="Tell me when it is my turn").tap()
    said = page.locator("#offer").get_by_role("status")
    expect(said).to_have_text("From now on this device tells you.")
    expect(page.get_by_role("button", name="No, thanks")).to_be_hidden()
    match_id = int(page.url.rsplit("/", 1)[1])
    page.goto("about:blank")  # What she has seen she is not told.
    make_any_move(bob.client, match_id, Random(1))
    wait_until(lambda: service.got, seconds=30)
    assert json.loads(keys.read(service.got[0][2]))["link"] == f"/table/{match_id}"
    ann.open_table(match_id)
    expect(page.locator("#offer-form")).to_have_count(0)


@pytest.mark.parametrize(
    "script",
    ["delete window.PushManager;", "Notification.requestPermission = async () => 'denied';"],
)
def test_where_pushes_cannot_be_the_offer_leads_to_the_other_ways(site, ann, script):
    ann.page.add_init_script(script)
    page = waits_at_a_table(ann, Account(site))
    page.get_by_role("link", name="Tell me when it is my turn").tap()
    expect(page).to_have_url(f"{site.url}/notices/choices")


def test_who_does_not_let_the_site_tell_them_anything_is_told_what_to_do(ann):
    ann.page.add_init_script("Notification.requestPermission = async () => 'denied';")
    page = ann.open("/notices/choices")
    page.get_by_role("button", name="Turn on here").click()
    expect(page.get_by_text("Allow it in the browser’s settings")).to_be_visible()


def test_what_the_site_refuses_is_said_on_the_page(ann):
    form = {"endpoint": "ftp://x", "keys": {"p256dh": "B" + "A" * 86, "auth": "A" * 22}}
    ann.context.grant_permissions(["notifications"])
    ann.page.add_init_script(SUBSCRIBE.replace("FORM", json.dumps(form)))
    ann.foresees(422)
    page = ann.open("/notices/choices")
    page.get_by_role("button", name="Turn on here").click()
    expect(page.get_by_text("The address must begin with https://")).to_be_visible()


def test_a_browser_that_takes_no_pushes_says_so_and_shows_no_button(ann):
    ann.page.add_init_script("delete window.PushManager;")
    page = ann.open("/notices/choices")
    expect(page.get_by_text("This browser takes no pushes here.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on here")).to_be_hidden()


def test_a_chat_is_linked_while_the_page_looks_on_and_the_page_is_fit_for_a_phone(bot, ann):
    form = Keys().form("http://127.0.0.1:9/")
    assert ann.client.post("/notices/push", data=form).status_code == 204
    for _ in range(3):
        ann.send("/notices/channels/push/test")
    # The worker tries them; that all three have failed is seen by whoever opens the page then.
    wait_until(lambda: "keeps failing" in ann.client.get("/notices/choices").text, seconds=60)
    page = ann.open("/notices/choices")
    page.get_by_role("button", name="Link a chat").click()
    link = page.get_by_role("link", name="open Telegram").get_attribute("href")
    code = re.fullmatch(r"https://t\.me/stockpile_bot\?start=(.+)", link)
    assert code
    bot.write(f"/start {code[1]}")
    expect(page.get_by_text("To Ann T. at Telegram.")).to_be_visible()
    expect(page.get_by_text("keeps failing")).to_be_visible()
    assert page.evaluate(TOO_WIDE) == []
    page.evaluate(AXE)
    assert page.evaluate(CHECK, {"runOnly": RULES}) == []


def test_the_answer_to_a_test_comes_by_itself_and_the_page_looks_no_longer(ann, service):
    page, looks = ann.page, []
    page.on("request", lambda request: looks.append(request.url.endswith("/notices/log")))
    address = {"ntfy-address": f"{service.base}/topic"}
    assert ann.client.post("/notices/channels/ntfy", data=address).status_code == 303
    ann.open("/notices/choices")
    page.get_by_role("button", name="Send me a test by ntfy").click()
    status = page.locator("#log-status")
    expect(status).to_contain_text("A test by ntfy is on its way")
    status.evaluate("(element) => (element.marked = true)")
    expect(status).to_have_text("The test was taken. ntfy answered: 201")
    assert status.evaluate("(element) => element.marked")  # Else a change would not be read out.
    assert page.get_by_role("link", name="Look whether it has come").count() == 0
    seen = sum(looks)
    page.wait_for_timeout(5000)
    assert sum(looks) == seen >= 1
    page.evaluate(AXE)
    assert page.evaluate(CHECK, {"runOnly": RULES}) == []
