"""The blueprint that the pages of guests share, and whether there are any here."""

from flask import Blueprint, current_app
from flask.blueprints import BlueprintSetupState

from stockpile_web.web.accounts.blueprint import too_many
from stockpile_web.web.rate_limits import TooMany

bp = Blueprint("guests", __name__)
bp.register_error_handler(TooMany, too_many)


def are_welcome() -> bool:
    """Tell whether this site takes guests: where anybody may sign up, unless its host says so."""
    config = current_app.config
    is_open: bool = config["SIGN_UP"] == "open"
    return is_open if config["GUESTS"] == "auto" else config["GUESTS"] == "on"


@bp.record_once
def _tell_templates(state: BlueprintSetupState) -> None:
    state.app.jinja_env.globals["guests_are_welcome"] = are_welcome
