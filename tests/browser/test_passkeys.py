"""Passkeys in a real browser, whose authenticator is Chromium's own virtual one."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.account import PASSWORD
from tests.browser.house import House, open_house
from tests.browser.person import Person
from tests.browser.shifting import LARGE, MOST, shift_of
from tests.browser.test_axe import AXE, CHECK, RULES
from tests.browser.test_keyboard import tab_to

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}
PHONE = {"width": 390, "height": 844}


def at(house: House, path: str) -> str:
    """Return an address by the name of the machine: for a number there are no passkeys."""
    return f"http://localhost:{house.port}{path}"


def give_device(person: Person) -> Callable[[bool], None]:
    """Let the browser have a device for passkeys; return what makes it know its owner, or not."""
    cdp = person.context.new_cdp_session(person.page)
    cdp.send("WebAuthn.enable")
    device = cdp.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]

    def know_owner(is_known: bool) -> None:
        known = {"authenticatorId": device, "isUserVerified": is_known}
        cdp.send("WebAuthn.setUserVerified", known)

    return know_owner


def sign_up(person: Person, house: House, name: str) -> None:
    person.page.goto(at(house, "/sign-up"))
    person.sign_up(name)


def add(page: Page, house: House, name: str = "Phone") -> None:
    """Fill in and send the form that adds a passkey."""
    page.goto(at(house, "/account"))
    section = page.get_by_role("region", name="Passkeys")
    section.get_by_label("Name of the new passkey").fill(name)
    section.get_by_label("Your password").fill(PASSWORD)
    section.get_by_role("button", name="Add a passkey").click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()


def test_somebody_adds_one_signs_in_by_it_and_removes_it(visitor, house):
    person = visitor(viewport=PHONE)
    give_device(person)
    page = person.page
    sign_up(person, house, "Passkey-1")
    add(page, house)
    expect(page.get_by_text("Your passkey is added.")).to_be_visible()
    expect(page.get_by_text("not used yet")).to_be_visible()
    sign_out(page)
    page.goto(at(house, "/sign-in?next=/account"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Settings of Passkey-1")).to_be_visible()
    expect(page.get_by_text("last used")).to_be_visible()

    # The same device makes no second one for the same account.
    add(page, house, "Again")
    expect(page.get_by_text("This device has a passkey for your account already.")).to_be_visible()

    page.get_by_role("link", name="Remove Phone").click()
    page.get_by_role("button", name="Remove it with a passkey instead").click()
    expect(page.get_by_text("That passkey is removed")).to_be_visible()
    expect(page.get_by_text("You have none yet.")).to_be_visible()

    sign_out(page)
    person.foresees(422)
    page.goto(at(house, "/sign-in"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("This passkey opens nothing here.")).to_be_visible()


def test_whoever_types_a_wrong_password_is_told_and_nothing_is_lost(visitor, house):
    person = visitor()
    give_device(person)
    sign_up(person, house, "Passkey-2")
    person.foresees(422)
    page = person.page
    page.goto(at(house, "/account"))
    section = page.get_by_role("region", name="Passkeys")
    section.get_by_label("Your password").fill("wrong")
    section.get_by_label("Name of the new passkey").fill("Laptop")
    section.get_by_role("button", name="Add a passkey").click()
    expect(section.get_by_role("alert")).to_have_text("This is not your password.")
    expect(section.get_by_label("Name of the new passkey")).to_have_value("Laptop")


def test_a_device_that_does_not_know_its_owner_signs_nobody_in(visitor, house):
    person = visitor()
    know_owner = give_device(person)
    sign_up(person, house, "Passkey-3")
    page = person.page
    add(page, house)
    expect(page.get_by_text("Your passkey is added.")).to_be_visible()
    sign_out(page)
    know_owner(False)
    page.goto(at(house, "/sign-in"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    alert = page.get_by_role("alert").filter(has_text="No passkey was used.")
    expect(alert).to_be_visible()
    know_owner(True)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="My tables")).to_be_visible()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory) -> Iterator[House]:
    """A site that is reached by another port than that of its own address."""
    folder = tmp_path_factory.mktemp("elsewhere")
    with open_house(folder, SITE_URL="http://localhost:1") as house:
        yield house


def test_what_a_browser_signs_for_another_origin_is_refused(visitor, elsewhere):
    person = visitor()
    give_device(person)
    sign_up(person, elsewhere, "Passkey-4")
    person.foresees(422)
    add(person.page, elsewhere)
    expect(person.page.get_by_text("That did not work, or took longer")).to_be_visible()
    expect(person.page.get_by_text("You have none yet.")).to_be_visible()


def test_it_is_reached_by_keyboard_and_read_aloud(visitor, house):
    person = visitor(viewport=LARGE)
    give_device(person)
    sign_up(person, house, "Passkey-5")
    page = person.page
    add(page, house)
    expect(page.get_by_text("Your passkey is added.")).to_be_visible()
    for path in ("/account", "/account/passkeys/{}/remove", "/sign-in"):
        if path == "/sign-in":
            sign_out(page)
        link = page.get_by_role("link", name="Remove Phone")
        number = link.get_attribute("href").split("/")[-2] if link.count() else ""
        page.goto(at(house, path.format(number)))
        assert shift_of(page) < MOST
        page.evaluate(AXE)
        page.emulate_media(color_scheme="light")
        assert page.evaluate(CHECK, {"runOnly": RULES}) == []
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(CHECK, {"runOnly": ["color-contrast"]}) == []
    tab_to(person, "form[data-passkey] button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="My tables")).to_be_visible()


def test_without_scripts_there_is_the_password_alone(visitor, house):
    page = visitor(java_script_enabled=False).page
    page.goto(at(house, "/sign-in"))
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
