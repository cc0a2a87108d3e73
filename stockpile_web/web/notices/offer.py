"""The offer on the board to be told when it is my turn: putting it away; pushes take it up."""

from flask import redirect, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.match.glance import Glance
from stockpile_web.notify import offer
from stockpile_web.notify.channels import channels_here, push
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.htmx import wants_fragment
from stockpile_web.web.notices.blueprint import bp


def is_due(seen: Glance) -> bool:
    """Tell whether a page makes the offer to its viewer, whenever they wait."""
    at_table = seen.viewer is not None and seen.match.status == PLAYING
    return at_table and not me().is_guest and offer.is_due(reading(), me().id)


def push_key() -> str:
    """Return the key with which a browser turns pushes on; empty where the host wants none."""
    return push.own_keys()[1] if "push" in channels_here() else ""


@bp.post("/table/<int:match_id>/offer")
@sign_in_needed
def put_offer_away(match_id: int) -> ResponseReturnValue:
    """Make me the offer no more, at any table."""
    with writing() as tx:
        offer.put_away(tx, me().id)
    return "" if wants_fragment() else redirect(url_for("table.show", match_id=match_id), 303)
