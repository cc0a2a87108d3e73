"""Groups: what each role may do, who owns one, what it is called, and how its members stand."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from stockpile_web.people import Refusal, groups, standings
from stockpile_web.people.standings import Standing
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Group, Match, Member, Seat, User
from stockpile_web.storage.names import columns
from stockpile_web.storage.transactions import writing
from tests.support.known import FIRST

PEOPLE = ("owner", "organiser", "member", "stranger")


@pytest.fixture
def people(app):
    """Their numbers by what they are in the club, which has one of each."""
    with app.app_context():
        with writing() as tx:
            made = {name: User(**columns(name), created_at=now()) for name in PEOPLE}
            tx.add_all(made.values())
        ids = {name: user.id for name, user in made.items()}
        with writing() as tx:
            club = tx.get_one(Group, groups.create(tx, ids["owner"], "Tuesday club", "", "open"))
            groups.join(tx, club, ids["organiser"])
            groups.join(tx, club, ids["member"])
            groups.set_role(tx, club.id, ids["organiser"], "organiser")
        yield ids


def club():
    return db.session.scalars(select(Group).where(Group.name == "Tuesday club")).one_or_none()


def roles():
    db.session.rollback()
    rows = db.session.execute(select(User.name, Member.role).join(Member))
    return {row.name: row.role for row in rows}


def test_a_group_whose_owner_leaves_passes_on_and_without_members_it_goes(people):
    with writing() as tx:
        group_id = club().id
        match = {"game": FIRST, "options": "", "size": 2, "host_id": people["owner"]}
        rest = {"listed": False, "pace": "day", "open_chat": False, "invitation": "x"}
        tx.execute(insert(Match).values(**match, **rest, group_id=group_id, created_at=now()))
    expected: tuple[tuple[str, dict[str, str]], ...] = (
        ("owner", {"organiser": "owner", "member": "member"}),
        ("organiser", {"member": "owner"}),
        ("member", {}),
    )
    for name, left in expected:
        with writing() as tx:
            groups.leave(tx, group_id, people[name])
        assert roles() == left
    assert club() is None
    assert db.session.scalars(select(Match.group_id)).all() == [None]


def test_a_group_is_handed_over_and_has_one_owner(people):
    with writing() as tx:
        groups.set_role(tx, club().id, people["member"], "owner")
    assert roles() == {"owner": "organiser", "organiser": "organiser", "member": "owner"}


@pytest.mark.parametrize("name", ["Tuesday club", "TUESDAY CLUB", "Tuesday c1ub"])
def test_no_group_is_called_as_another_or_looks_so(people, name):
    with pytest.raises(Refusal, match="Another group"), writing() as tx:
        groups.create(tx, people["stranger"], name, "", "link")
    with writing() as tx:  # Its own name may be written otherwise.
        groups.edit(tx, club(), name, "", "link")


def test_groups_and_their_members_are_not_without_number(people, monkeypatch):
    monkeypatch.setattr(groups, "MOST_MEMBERS", 3)
    with pytest.raises(Refusal, match="full"), writing() as tx:
        groups.join(tx, club(), people["stranger"])
    monkeypatch.setattr(groups, "MOST_GROUPS", 1)
    with pytest.raises(Refusal, match="leave one"), writing() as tx:
        groups.create(tx, people["owner"], "Friday club", "", "link")


def test_standings_count_the_places_of_members_in_finished_matches_of_the_group(people):
    owner, member, stranger = people["owner"], people["member"], people["stranger"]
    group_id = club().id

    def play(places, days=1, **values):
        """Record a match of the group that is over, with the places of its people."""
        with writing() as tx:
            match = Match(
                game=FIRST, options="", size=2, host_id=owner, listed=False, pace="day",
                open_chat=False, invitation=f"{places}{days}{values}"[:32], created_at=now(),
                **{"group_id": group_id, "status": "over", **values},
                ended_at=now() - timedelta(days=days),
            )  # fmt: skip
            tx.add(match)
            tx.flush()
            for number, (user, place) in enumerate(places.items()):
                tx.add(Seat(match_id=match.id, number=number, user_id=user, place=place))

    play({owner: 1, member: 2, stranger: 3})
    play({owner: 2, member: 1}, days=100)
    play({owner: 1, member: 1})
    play({owner: 2, member: 1}, practice=True)
    play({owner: 2, member: 1}, group_id=None)
    play({owner: None, member: None}, status="closed")
    with db.engine.connect() as connection:
        always = standings.standings(connection, group_id, lately=False)
        lately = standings.standings(connection, group_id, lately=True)
    third = pytest.approx(4 / 3)
    assert {game: [*map(tuple, rows)] for game, rows in always.items()} == {
        FIRST: [("member", 3, 2, third), ("owner", 3, 2, third)]
    }
    assert lately == {FIRST: [Standing("owner", 2, 2, 1), Standing("member", 2, 1, 1.5)]}


DOES = {
    "join": {}, "leave": {}, "edit": {"name": "Sunday club", "entry": "link"}, "renew": {},
    "remove": {"whom": "pawn"}, "organiser": {"whom": "pawn"}, "member": {"whom": "deputy"},
    "owner": {"whom": "pawn"}, "nonsense": {},
}  # fmt: skip
MAY = {
    "owner": {"leave", "edit", "renew", "remove", "organiser", "member", "owner"},
    "organiser": {"leave", "edit", "renew", "remove"},
    "member": {"leave"},
    "stranger": {"join"},
}


def test_who_may_do_what_in_a_group(app, sign_up):
    """Every action by everybody, each in the same club: whoever may not changes nothing."""
    browsers = {name: app.test_client() for name in (*PEOPLE, "pawn", "deputy")}
    ids = {name: sign_up(browser, name) for name, browser in browsers.items()}

    def set_up():
        with app.app_context(), writing() as tx:
            tx.execute(update(Match).values(group_id=None))
            for group in tx.scalars(select(Group)):
                tx.delete(group)
            tx.flush()
            group_id = groups.create(tx, ids["owner"], "Tuesday club", "", "open")
            for name in ("organiser", "member", "pawn", "deputy"):
                groups.join(tx, tx.get_one(Group, group_id), ids[name])
            for name in ("organiser", "deputy"):
                groups.set_role(tx, group_id, ids[name], "organiser")
            return group_id

    def state(group_id):
        with app.app_context():
            group = db.session.get_one(Group, group_id)
            rows = db.session.execute(select(Member.user_id, Member.role))
            return (group.name, group.invitation, {row.user_id: row.role for row in rows})

    for who, may in MAY.items():
        for what, form in DOES.items():
            group_id = set_up()
            before = state(group_id)
            answer = browsers[who].post(f"/groups/{group_id}", data={"do": what, **form})
            assert (state(group_id) != before) == (what in may), (who, what, answer.status_code)
            if what in groups.MAY and what not in may:
                assert answer.status_code == 403
    # An organiser removes no organiser.
    group_id = set_up()
    browsers["organiser"].post(f"/groups/{group_id}", data={"do": "remove", "whom": "deputy"})
    assert ids["deputy"] in state(group_id)[2]
    # Where it is not open to all, it is not there for a stranger; its link is, until it is renewed.
    browsers["owner"].post(f"/groups/{group_id}", data={"do": "edit", **DOES["edit"]})
    stranger, (_, link, _) = browsers["stranger"], state(group_id)
    assert stranger.get(f"/groups/{group_id}").status_code == 404
    assert stranger.post(f"/groups/{group_id}", data={"do": "join"}).status_code == 404
    assert "Sunday club" not in stranger.get("/groups").text
    assert "Sunday club" in stranger.get(f"/groups/join/{link}").text
    browsers["owner"].post(f"/groups/{group_id}", data={"do": "renew"})
    assert stranger.post(f"/groups/join/{link}").status_code == 404
    new = state(group_id)[1]
    assert stranger.post(f"/groups/join/{new}").location == f"/groups/{group_id}"
    assert state(group_id)[2][ids["stranger"]] == "member"
