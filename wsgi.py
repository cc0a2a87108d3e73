"""The application as gunicorn serves it, with its database brought up to date first."""

import sys

from stockpile_web import create_app
from stockpile_web.database import migrate
from stockpile_web.settings import BadSetting

try:
    app = create_app()
    migrate(app)
except BadSetting as problem:
    print(f"stockpile: {problem}", file=sys.stderr)
    sys.exit(3)  # At this number gunicorn stops; at others it would try again for ever.
