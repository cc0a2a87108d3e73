"""The site with the toy on it, as gunicorn serves it for tests in a browser."""

import pytest

from tests.support.toy.table import deal
from wsgi import app

deal(pytest.MonkeyPatch(), app)
