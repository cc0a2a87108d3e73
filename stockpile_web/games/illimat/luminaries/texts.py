"""What Luminaries are called and what they do, in our words, for the page."""

from stockpile_web.engine import Piece


class Text(Piece, frozen=True):
    """A Luminary for players: what it does when turned up, while it lies there, when claimed."""

    title: str
    revealed: str = ""
    standing: str = ""
    claimed: str = ""


TEXTS: dict[str, Text] = {
    "maiden": Text("The Maiden", standing="You may harvest in Winter too, in every field."),
    "changeling": Text(
        "The Changeling",
        standing="Once in your turn you may exchange a card of your hand for a loose card in "
        "this field. It turns nothing.",
        claimed="You may exchange up to two cards of your hand for loose cards in any fields.",
    ),
    "river": Text(
        "The River",
        revealed="This field gets cards until it has six.",
        claimed="If you are Frostbit in this round, you gain 2 points instead of losing them.",
    ),
    "children": Text(
        "The Children",
        revealed="Three cards of the pile are hidden under this card.",
        claimed="The three cards join your harvest pile. Only you see them.",
    ),
    "forest_queen": Text(
        "The Forest Queen",
        revealed="The Illimat turns: this field is in Summer.",
        standing="It stays Summer here. Nothing turns the Illimat.",
        claimed="You may turn the Illimat as you like.",
    ),
    "rake": Text(
        "The Rake",
        standing="In your turn you also sow one card into this field, before or after your play "
        "and in every season. A face card turns the Illimat.",
        claimed="Every other player gives you a Summer card of their harvest pile.",
    ),
    "union": Text(
        "The Union",
        standing="To harvest in this field you may add up two cards of your hand.",
    ),
    "newborn": Text(
        "The Newborn",
        revealed="The Luminary in the opposite field is turned up too; if there is none any more, "
        "a new one comes.",
    ),
}
