"""Setting up a table: its form, and what comes of it."""

from collections.abc import Mapping

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Game
from stockpile_web.engine.options import applying, number_wanted
from stockpile_web.games import GAMES
from stockpile_web.match import seating
from stockpile_web.match.naming import LONGEST_NAME, usual_name
from stockpile_web.match.seating import Refused
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.people.groups import groups_of
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.lobby.blueprint import bp


@bp.get("/tables/new")
@sign_in_needed
def new() -> ResponseReturnValue:
    """Show the form of a new table."""
    return _new_form(request.args.to_dict())


@bp.post("/tables/new")
@sign_in_needed
def create() -> ResponseReturnValue:
    """Set up a table and go to it."""
    form = request.form
    game, size, pace = form.get("game", ""), form.get("size", ""), form.get("pace", "")
    if game not in GAMES or pace not in TIME_CONTROLS or not size.isascii() or not size.isdigit():
        return _new_form(form.to_dict(), "Please choose a game, how many play, and a pace."), 422
    players = int(size[:3])
    options, errors = _chosen(form, GAMES[game], players)
    if errors:
        return _new_form(form.to_dict(), " ".join(errors.values()), errors), 422
    mine = {str(number): number for number, _ in groups_of(reading(), me().id)}
    group_id = mine.get(form.get("group", ""))
    if form.get("group") and group_id is None:
        return _new_form(form.to_dict(), "Please choose a group of yours, or none."), 422
    try:
        with transaction() as connection:
            match_id = seating.create(
                connection,
                me(),
                game,
                players,
                options,
                listed="listed" in form,
                pace=pace,
                open_chat="open_chat" in form,
                name=form.get("name", ""),
                contribution=form.get("contribution", ""),
                group_id=group_id,
            )
    except Refused as refusal:
        return _new_form(form.to_dict(), str(refusal)), 422
    return redirect(url_for("table.show", match_id=match_id), 303)


def _chosen(
    form: MultiDict[str, str], game: Game, players: int
) -> tuple[dict[str, int], dict[str, str]]:
    """Return the options chosen, and by the name of its field what is wrong with a number.

    Whatever stands in the field of a number that means nothing for this table is not looked at.
    """
    options, errors = dict.fromkeys(_ticked(form), 1), dict[str, str]()
    played = applying(game, options, players)
    for option in game.OPTIONS:
        name = f"number.{option.key}"
        if option.numbers is None or option.key not in played or name not in form:
            continue
        numbers = {str(number): number for number in option.numbers}
        if (text := form[name].strip()) in numbers:
            options[option.key] = numbers[text]
        else:
            errors[name] = number_wanted(option)
    return options, errors


def _ticked(form: MultiDict[str, str]) -> list[str]:
    """Return the switches chosen: ticked, or one of each group."""
    return [key for name, key in form.items(multi=True) if name.partition(".")[0] == "options"]


def _new_form(
    chosen: dict[str, str], error: str = "", errors: Mapping[str, str] | None = None
) -> str:
    asked_for = chosen.get("game", "")
    return render_template(
        "lobby/new.html",
        games=GAMES,
        slug=asked_for if asked_for in GAMES else next(iter(GAMES)),
        paces=TIME_CONTROLS,
        chosen=chosen,
        ticked=_ticked(request.values),
        longest_name=LONGEST_NAME,
        usual_name=usual_name(me(), ()),
        groups=groups_of(reading(), me().id),
        error=error,
        errors=errors or {},
    )
