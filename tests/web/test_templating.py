"""Templates: what they show is safe, whatever it is, and what is missing is an error."""

from decimal import Decimal

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup, escape

HOSTILE = "<script>alert('&\"')</script>"


class Nasty(str):
    """A string that says something else when it is asked for HTML."""

    def __html__(self) -> str:
        return "<b>trusted</b>"


class Named:
    def __str__(self) -> str:
        return HOSTILE


@pytest.mark.parametrize(
    "value",
    [HOSTILE, "", "plain", 0, -7, 10**20, True, None, 1.5, Decimal("2.50"), Markup(HOSTILE),
     Nasty(HOSTILE), Named(), [HOSTILE], {"a": HOSTILE}],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_everything_is_shown_as_jinja_would_show_it(app, value):
    template = app.jinja_env.from_string("<p>{{ value }}</p>")
    assert template.render(value=value) == f"<p>{escape(value)}</p>"


@pytest.mark.parametrize(
    "source",
    [
        "{{ text }}",
        "{{ text ~ 1 }}",
        "{{ text|upper|lower }}",
        "{% set x %}{{ text }}{% endset %}{{ x }}",
        "{% macro m(t) %}{{ t }}{% endmacro %}{{ m(text) }}",
        "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ text }}{% endcall %}",
        "{% for t in [text] %}{{ t }}{% endfor %}",
        "{{ [text, text]|join('<br>') }}",
        '{{ "%s" % text }}',
    ],
)
def test_text_of_users_is_escaped_wherever_it_comes_from(app, source):
    page = app.jinja_env.from_string(source).render(text=HOSTILE)
    assert "<script" not in page and "&lt;script" in page


def test_a_choice_without_an_else_shows_nothing(app):
    assert app.jinja_env.from_string("<p{{ ' hidden' if no }}>").render(no=False) == "<p>"


@pytest.mark.parametrize("source", ["{{ missing }}", "{{ there.missing }}", "{{ there['x'] }}"])
def test_what_is_missing_is_an_error(app, source):
    with pytest.raises(UndefinedError):
        app.jinja_env.from_string(source).render(there={})
