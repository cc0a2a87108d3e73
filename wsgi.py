"""The application as gunicorn serves it, with its database brought up to date first."""

import sys

from stockpile_web import create_app
from stockpile_web.server.forked_child import in_forked_child
from stockpile_web.settings import BadSetting
from stockpile_web.storage.schema import migrate

REFUSED = 3  # At this code gunicorn stops; at others it would try again for ever.


def _refuse(problem: BadSetting) -> None:
    print(f"stockpile: {problem}", file=sys.stderr)
    sys.exit(REFUSED)


def _migrate() -> None:
    try:
        migrate(app)
    except BadSetting as problem:
        _refuse(problem)


try:
    app = create_app()
except BadSetting as problem:
    _refuse(problem)
if code := in_forked_child(_migrate):
    sys.exit(code)
