"""Processes in which bots think: nice, and replaced when they die or hang."""

import json
import os
import subprocess
import sys

from stockpile_web.settings import ROOT
from stockpile_web.worker import bots
from stockpile_web.worker.thinkers import ThoughtLost
from tests.support.hourglass import asked, bots_are_due, makers
from tests.worker.test_bots import beside_bots, play_until_a_bot_is_asked, ponder

__all__ = ["ponder"]  # A fixture.

# A keeper, and what asks as its worker does.
SCRIPT = """
import json, os, signal, time
from stockpile_web.worker import keeper, thinkers
from stockpile_web.worker.fork import fork

def think(question):
    if question == "fail":
        raise ValueError("no idea")
    if question == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if question == "hang":
        while True:
            pass
    return [question, os.getpid(), os.getppid(), os.nice(0)]

def ask(question):
    try:
        return pool.think(question)
    except (thinkers.ThoughtLost, thinkers.CannotThink) as lost:
        return [type(lost).__name__, str(lost).strip().splitlines()[-1:]]

def work():
    nursery.close()
    found = [ask(each) for each in ("first", "second", "fail", "die", "third", "hang", "fourth")]
    time.sleep(1)
    found.append(ask("after a rest"))
    os.kill(found[-1][1], signal.SIGTERM)  # It ends with the worker, not before.
    found.append(ask("last"))
    print(json.dumps(found), flush=True)

thinkers.LONGEST = 0.2
thinkers.IDLE = 0.3
nursery, pool = thinkers.Nursery.begin(1, think)
worker = fork(work)
pool.close()
while not keeper.has_ended(worker):
    nursery.look(0.1)
nursery.close()
print(os.getpid())
"""


def test_a_process_that_dies_or_hangs_loses_one_thought_and_another_thinks_on():
    command = [sys.executable, "-c", SCRIPT]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    found, keeper = map(json.loads, ran.stdout.splitlines())
    first, second, fail, die, third, hang, fourth, rested, last = found
    assert [each[0] for each in (first, third, fourth)] == ["first", "third", "fourth"]
    assert first[1:] == second[1:]
    assert first[3] == min(os.nice(0) + 10, 19)
    assert fail == ["CannotThink", ["ValueError: no idea"]]
    assert die == hang == ["ThoughtLost", []]
    # After each loss, and after a rest, another child of the keeper thinks.
    assert len({first[1], third[1], fourth[1], rested[1]}) == 4
    assert {each[2] for each in (first, third, fourth, rested)} == {keeper}
    assert last[1] == rested[1]
    assert ran.stderr == ""


def test_a_bot_whose_thought_was_lost_is_asked_again_when_its_lease_ends(
    app, sign_up, ponder, caplog
):
    match_id, ann = beside_bots(app, sign_up)
    play_until_a_bot_is_asked(app, match_id, ann)
    before = makers(app, match_id)

    def die(question):
        raise ThoughtLost

    bots_are_due(app)
    assert bots.let_a_bot_think(app, die)
    assert makers(app, match_id) == before
    assert [record.getMessage() for record in caplog.records if "asked again" in record.message]
    bots_are_due(app)  # Its lease has ended.
    assert bots.let_a_bot_think(app)
    assert makers(app, match_id) == [*before, "bot"]
    assert asked(app, match_id)
