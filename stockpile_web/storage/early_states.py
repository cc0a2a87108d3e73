"""A way around a fault of Python 3.11 that ended processes when objects of SQLAlchemy were let go.

Instances of a class keep their attributes in one array each, and the class learns its names from
the first thirty instances; after them there is room for one name more. Any other name turns the
array of its instance into a dictionary. In Python 3.11 making that dictionary may start a garbage
collection, which may call back whoever waits for the end of an object; if they give the same
instance a new name, too, the array gets two owners and is freed twice.

SQLAlchemy comes by there: every object it has loaded has a state. A session that closes sets
`_strong_obj` on all its states, and a state whose object is collected sets it on itself. If the
first page loads more than thirty objects before any session has closed, others have taken the room.

Python 3.12 collects garbage only between two instructions: with it this file can go.
"""

import sys

from flask import Flask
from sqlalchemy.orm import Session

from stockpile_web.storage.models import User


def init_app(_app: Flask) -> None:
    """Have the name learnt from the very first state, before anything is loaded."""
    if sys.version_info < (3, 12):
        session, nobody = Session(), User()
        session.add(nobody)
        session.expunge(nobody)  # Nothing is written; this sets the name, as closing does.
