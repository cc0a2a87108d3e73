"""A fresh database can be filled with people and tables to look at."""

from collections import Counter

import pytest

from stockpile_web import demo
from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.people import groups
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match


def test_there_is_a_table_for_each_scene_of_each_game_and_the_first_person_sits_at_all(app):
    demo.fill(app)
    with app.app_context():
        matches = db.session.query(Match).where(Match.status != "open").order_by(Match.id).all()
        scenes = [(slug, scene) for slug, game in GAMES.items() for scene in game.SCENES]
        assert Counter(match.game for match in matches) == Counter(slug for slug, _ in scenes)
        for match, (slug, scene) in zip(matches, scenes, strict=True):
            game = GAMES[slug]
            assert scene.has_come(game.view(codec.load(game.State, match.state), None))
            assert demo.PEOPLE[0] in [seat.name for seat in match.seats]
        assert db.session.query(Match).where(Match.status == "open").count() == 1
        (group_id,) = {match.group_id for match in matches}
        people = [member.name for member in groups.members(db.session(), group_id or 0)]
        assert people == list(demo.PEOPLE)


def test_a_database_with_people_is_left_alone(app, sign_up):
    sign_up(app.test_client(), "ann")
    with pytest.raises(demo.NotFresh):
        demo.fill(app)
