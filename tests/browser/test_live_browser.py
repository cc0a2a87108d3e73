"""The script of an open page, in a real Chromium, against the site of live_app.py."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support import live_app
from tests.support.live_site import Site, serving, wait_until


@pytest.fixture(scope="module")
def database_url(tmp_path_factory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('live')}/live.db"
    live_app.create_tables(url)
    return url


@pytest.fixture(scope="module")
def site(database_url) -> Iterator[Site]:
    site = Site(database_url)
    with serving(site):
        yield site


@pytest.fixture
def page(chromium) -> Iterator[Page]:
    """A page; at the end nothing may have gone wrong in it."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    yield page
    context.close()
    assert [words for words in complaints if "Failed to load" not in words] == []


def open_table(page: Page, site: Site, match_id: int) -> None:
    """Open a table and wait for its stream."""
    page.goto(f"{site.url}/table/{match_id}")
    expect_state(page, "on")


def expect_state(page: Page, state: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-live-state", state, timeout=20_000)


def expect_version(page: Page, version: str) -> None:
    expect(page.locator("#table")).to_have_text(version, timeout=20_000)


def make(page: Page, visibility: str) -> None:
    """Let the page believe it is hidden or visible: Playwright's pages are always visible."""
    page.evaluate(
        """(state) => {
          Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        visibility,
    )


def test_a_move_is_seen_without_reload_and_fetched_once(page, site):
    open_table(page, site, 1)
    for _ in range(3):
        expect_version(page, site.move(1))
    expect(page.locator("body")).to_have_attribute("data-fetches", "3")


def test_my_own_move_is_not_fetched_again_while_its_answer_is_under_way(page, site):
    open_table(page, site, 2)
    page.evaluate("document.getElementById('table').classList.add('htmx-request')")
    version = site.move(2)
    page.wait_for_timeout(300)
    page.evaluate(
        """(version) => {
          const table = document.getElementById("table");
          table.dataset.version = table.textContent = version;
          table.classList.remove("htmx-request");
        }""",
        version,
    )
    page.wait_for_timeout(300)
    assert page.locator("body").get_attribute("data-fetches") is None


def test_an_older_version_is_no_news(page, site):
    page.goto(f"{site.url}/table/3")
    page.evaluate("document.getElementById('table').dataset.version = '9.9'")
    version = site.move(3)
    wait_until(lambda: site.count() > 0)
    page.wait_for_timeout(200)
    assert version == "1.0"
    assert page.locator("#table").get_attribute("data-version") == "9.9"


def test_of_hidden_pages_one_keeps_its_stream_and_the_others_catch_up_on_return(page, site):
    other = page.context.new_page()
    for each in (page, other):
        open_table(each, site, 4)
    make(page, "hidden")
    expect_state(page, "on")
    make(other, "hidden")
    expect_state(other, "off")
    wait_until(lambda: site.count() == 1)
    version = site.move(4)
    expect_version(page, version)
    expect_version(other, "0.0")
    make(other, "visible")
    expect_version(other, version)
    wait_until(lambda: site.count() == 2)


def test_a_hidden_page_without_a_stream_looks_once_a_minute_until_it_may_have_one(page, site):
    other = page.context.new_page()
    other.clock.install()
    for each in (page, other):
        open_table(each, site, 8)
        make(each, "hidden")
    expect_state(other, "off")
    version = site.move(8)
    other.clock.fast_forward(72_001)
    expect_version(other, version)
    expect_state(other, "off")
    make(page, "visible")
    other.clock.fast_forward(72_001)
    expect_state(other, "on")
    expect_version(other, site.move(8))


def test_without_locks_a_hidden_page_looks_once_a_minute(page, site):
    page.add_init_script("Object.defineProperty(navigator, 'locks', {value: undefined});")
    page.clock.install()
    open_table(page, site, 9)
    make(page, "hidden")
    expect_state(page, "off")
    wait_until(lambda: site.count() == 0)
    version = site.move(9)
    page.clock.fast_forward(72_001)
    expect_version(page, version)


def test_leaving_the_page_closes_the_stream(page, site):
    open_table(page, site, 1)
    page.goto("about:blank")
    wait_until(lambda: site.count() == 0)


def test_after_a_restart_of_the_server_the_page_is_back_by_itself(page, database_url):
    site = Site(database_url)
    with serving(site):
        open_table(page, site, 5)
        site.stop()
        expect_state(page, "retry")
    again = Site(database_url, port=site.port)
    with serving(again):
        version = again.move(5)
        expect_version(page, version)
        expect_state(page, "on")


def test_a_page_that_is_refused_a_stream_fetches_now_and_then_and_tries_again(page, site):
    page.clock.install()
    page.route("**/events", lambda route: route.fulfill(status=503))
    page.goto(f"{site.url}/table/6")
    expect_state(page, "retry")
    version = site.move(6)
    page.clock.fast_forward(6_001)
    expect_version(page, version)
    expect_state(page, "retry")
    page.unroute("**/events")
    page.clock.fast_forward(9_001)
    expect_state(page, "on")
    wait_until(lambda: site.count() == 1)


def test_a_page_that_was_refused_during_a_restart_is_back_within_two_seconds(page, site):
    """As by a proxy that has nobody behind it for a while."""
    page.clock.install()
    page.route("**/events", lambda route: route.fulfill(status=502))
    page.goto(f"{site.url}/table/3")
    for _ in range(4):
        expect_state(page, "retry")
        page.wait_for_timeout(300)
        with page.expect_response("**/events"):
            page.clock.fast_forward(1_801)
    page.unroute("**/events")
    expect_state(page, "retry")
    page.wait_for_timeout(300)
    page.clock.fast_forward(1_801)
    expect_state(page, "on")


def test_a_connection_that_has_gone_silent_is_replaced(page, site):
    page.clock.install()
    open_table(page, site, 7)
    with page.expect_request("**/table/7/events"):
        page.clock.fast_forward(51_000)
