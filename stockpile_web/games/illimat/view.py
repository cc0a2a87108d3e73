"""What a viewer may see, built up from nothing: the only thing a template or a bot is given."""

from stockpile_web.engine import Piece, Seat, Viewer
from stockpile_web.games.illimat.data import Card, Season
from stockpile_web.games.illimat.fields import Item, Value
from stockpile_web.games.illimat.harvesting import most_cards
from stockpile_web.games.illimat.seasons import can_turn, forbidden
from stockpile_web.games.illimat.state import OVER, Choice, Field, Player, State


class FieldView(Piece, frozen=True):
    """A field; a Luminary that is face down has no name, unless all is open."""

    season: Season
    forbidden: str  # The action that cannot be taken here.
    items: list[Item]
    luminary: str
    is_face_down: bool
    under: int  # Cards hidden under the Luminary,
    hidden: list[Card]  # and which, if all is open.
    harvest_cards: int  # How many cards of a hand may harvest together here.


class PlayerView(Piece, frozen=True):
    """What all can see of a player."""

    hand: int
    pile: int
    okuses: int
    luminaries: list[str]
    score: int  # Of the rounds before.


class ChoiceView(Piece, frozen=True):
    """A harvest or a stockpile that is being put together."""

    cards: tuple[Card, ...]
    field: int
    value: Value
    counts: Value  # What the active card of a stockpile counts as; 0: a harvest.
    group: list[Value]
    times: int
    added: list[Card]


class OwnView(Piece, frozen=True):
    """What the viewer alone can see."""

    hand: list[Card]
    pile: list[Card]
    children: list[Card]  # Those of the harvest pile that nobody else has seen.
    choice: ChoiceView | None


class View(Piece, frozen=True):
    """The table as one viewer sees it."""

    viewer: Viewer
    round: int
    phase: str
    over: bool
    on_turn: list[Seat]
    dealer: Seat
    target: int
    is_single: bool
    has_stars: bool
    has_luminaries: bool
    played: bool  # Whoever is on turn has made the play of the turn.
    swapped: list[Card]  # Given and taken in exchange, in this turn.
    cleared: int | None  # The field that was cleared in this turn.
    can_turn: bool  # Face cards turn the Illimat.
    players: list[PlayerView]
    fields: list[FieldView]
    okuses: int
    pile: int
    own: OwnView | None


def view(state: State, viewer: Viewer) -> View:
    """Copy what `viewer` may see."""
    return _view(state, viewer)


def open_view(state: State) -> View:
    """Copy what lies on the table, all of it turned up."""
    return _view(state, None, is_open=True)


def _view(state: State, viewer: Viewer, *, is_open: bool = False) -> View:
    is_over = state.phase == OVER
    return View(
        viewer=viewer,
        round=state.round,
        phase=state.phase,
        over=is_over,
        on_turn=[] if is_over else [state.turn.seat],
        dealer=state.dealer,
        target=state.target,
        is_single=state.is_single,
        has_stars=state.has_stars,
        has_luminaries=state.has_luminaries,
        played=state.turn.played,
        swapped=state.turn.swapped[:],
        cleared=state.turn.cleared,
        can_turn=can_turn(state),
        players=[_player(player) for player in state.players],
        fields=[_field(state, home, field, is_open) for home, field in enumerate(state.fields)],
        okuses=state.okuses,
        pile=len(state.pile),
        own=None if viewer is None else _own(state, viewer),
    )


def _field(state: State, home: int, field: Field, is_open: bool) -> FieldView:
    is_known = field.is_up or is_open
    return FieldView(
        season=state.season(home),
        forbidden=forbidden(state, home),
        items=field.items[:],
        luminary=field.luminary if is_known else "",
        is_face_down=bool(field.luminary) and not field.is_up,
        under=len(field.under),
        hidden=field.under[:] if is_open else [],
        harvest_cards=most_cards(state, home),
    )


def _player(player: Player) -> PlayerView:
    return PlayerView(
        hand=len(player.hand),
        pile=len(player.pile()),
        okuses=player.okuses,
        luminaries=player.luminaries[:],
        score=player.score,
    )


def _own(state: State, viewer: Seat) -> OwnView:
    player, choice = state.players[viewer], state.turn.choice
    return OwnView(
        hand=player.hand[:],
        pile=player.pile(),
        children=player.children[:],
        choice=_choice(choice) if choice and viewer == state.turn.seat else None,
    )


def _choice(choice: Choice) -> ChoiceView:
    return ChoiceView(
        cards=choice.cards,
        field=choice.field,
        value=choice.value,
        counts=choice.counts,
        group=choice.group[:],
        times=choice.times,
        added=choice.added[:],
    )
