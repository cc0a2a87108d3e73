"""Profiles in a browser without scripts: a press on a name leads there, another hides them."""

from playwright.sync_api import expect

from tests.browser.scenes import OVER, table_at
from tests.browser.shifting import PHONE


def test_a_name_at_a_table_leads_to_a_profile_until_its_owner_hides_it(player, visitor):
    ann = player("ann", java_script_enabled=False, viewport=PHONE, is_mobile=True, has_touch=True)
    page = ann.open(f"/table/{table_at(OVER, ann, bots=1)}")
    ann.show("about")
    page.get_by_role("link", name=ann.name, exact=True).tap()
    expect(page.get_by_role("heading", name=ann.name)).to_be_visible()
    expect(page.get_by_text("of 1 match won")).to_be_visible()
    page.get_by_role("link", name="Who may see this").tap()
    page.get_by_label("Everybody, without an account too").check()
    page.get_by_role("button", name="Set the profile").tap()
    expect(page.get_by_text("Your profile is set.")).to_be_visible()
    bob = visitor()
    expect(bob.open(f"/people/{ann.name}").get_by_role("heading", level=1)).to_have_text(ann.name)
    page.get_by_label("Nobody but me").check()
    page.get_by_role("button", name="Set the profile").tap()
    bob.foresees(404)
    bob.page.get_by_role("link", name="People").click()
    bob.page.get_by_label("Somebody’s profile").fill(ann.name)
    bob.page.get_by_label("Somebody’s profile").press("Enter")
    expect(bob.page.get_by_role("heading", name="Nothing here")).to_be_visible()


def test_on_a_phone_all_ways_lie_in_one_line(player):
    ann = player("ann", viewport=PHONE, is_mobile=True, has_touch=True)
    ways = ann.open("/people").locator("header.site nav a:visible")
    assert len({way.bounding_box()["y"] for way in ways.all()}) == 1
