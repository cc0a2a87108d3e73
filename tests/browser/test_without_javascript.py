"""A browser that runs no scripts: everything is there, by links and forms."""

import re
from random import Random

from playwright.sync_api import expect


def test_sign_up_bots_a_whole_round_chat_and_notes_without_scripts(visitor):
    ann = visitor(java_script_enabled=False)
    chooser = Random(1)
    ann.open("/sign-up")
    ann.sign_up("Plain-Ann")
    page = ann.page
    page.get_by_role("link", name="New table").first.click()
    page.get_by_role("radio", name="3", exact=True).check()
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Fill with bots and begin").click()

    expect(ann.board).to_contain_text("Round 1 of")
    for _ in range(30):
        if ann.board.get_by_text(re.compile("Round 2 of")).count():
            break
        ann.decide(chooser)
    expect(ann.board).to_contain_text("Round 2 of")

    ann.show("talk")
    page.get_by_label("Say something to the table").fill("Hello, bots")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator("#chat")).to_contain_text("Hello, bots")
    ann.show("talk")
    expect(page.get_by_label("Say something to the table")).to_have_value("")
    ann.show("notes")
    page.get_by_label("My notes").fill("Bots bid high.")
    with page.expect_navigation():  # a reload in the midst of the answer would be refused
        page.get_by_role("button", name="Keep notes").click()
    page.reload()
    ann.show("notes")
    expect(page.get_by_label("My notes")).to_have_value("Bots bid high.")
