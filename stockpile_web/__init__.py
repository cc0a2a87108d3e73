"""Stockpile Web: a play-by-web server for hidden-information card games."""

import os
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from stockpile_web.settings import ROOT, SETTINGS, open_instance, read_settings, stored_secret


def create_app(overrides: Mapping[str, Any] | None = None) -> Flask:
    """Make the application, set up by the environment and then by `overrides`."""
    given = dict(overrides or {})
    chosen = {setting.name: given.pop(setting.name, None) for setting in SETTINGS}
    values = read_settings({**os.environ, **{k: v for k, v in chosen.items() if v is not None}})

    # Loaded here, so that the rules can be used without the web.
    from stockpile_web import counters, live
    from stockpile_web.storage import database, early_states, transactions
    from stockpile_web.web import (
        accounts,
        admin,
        api,
        archive,
        auth,
        board_cache,
        broken,
        coach,
        fairness,
        filters,
        friends,
        groups,
        guests,
        guide,
        health,
        htmx,
        http_cache,
        imports,
        lobby,
        metrics,
        notices,
        orders,
        parts,
        past,
        people,
        practice,
        reports,
        request_log,
        response_cache,
        review,
        rules,
        security,
        story,
        table,
        templating,
        what_if,
    )

    folder = open_instance(values["STOCKPILE_INSTANCE"])
    app = request_log.Site(
        __name__,
        instance_path=str(folder),
        template_folder=str(ROOT / "templates"),
        static_folder=str(ROOT / "static"),
    )
    app.config.update(values)
    app.config["SECRET_KEY"] = values["SECRET_KEY"] or stored_secret(
        folder / "secret_key", lambda: secrets.token_hex(32)
    )
    app.config["PERMANENT_SESSION_LIFETIME"] = timedelta(days=60)
    app.config["SESSION_REFRESH_EACH_REQUEST"] = False
    app.config.update(given)
    app.jinja_environment = templating.Environment
    app.jinja_options = dict(templating.options(folder))
    for part in (
        htmx,
        filters,
        board_cache,
        parts,
        database,
        early_states,
        transactions,
        response_cache,
        security,
        http_cache,
        auth,
        request_log,
    ):
        part.init_app(app)
    if proxies := values["BEHIND_PROXY"]:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies
        )
    request_log.wrap(app)
    if values["METRICS_TOKEN"]:
        counters.begin(folder)
    live.init_app(app, app.config["DATABASE_URL"])
    rooms = (
        accounts, admin, archive, broken, coach, fairness, friends, groups, guests, guide, health,
        imports, lobby, metrics, orders, past, people, practice, reports, review, rules, story,
        table, what_if,
    )  # fmt: skip
    for pages in rooms:
        app.register_blueprint(pages.bp)
    notices.init_app(app)
    api.init_app(app)
    return app
