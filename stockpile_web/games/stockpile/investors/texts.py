"""What investors can do, in our words."""

TEXTS = {
    "bill": "No power, but more money to begin with than anybody else of the first ten.",
    "bernie": (
        "Trading fees in your piles are paid to you, not by you, once the piles are paid for: "
        "they cannot help with a bid."
    ),
    "cramer": "At any point of your Action turn you may move one company up or down by one space.",
    "deborah": (
        "At the end of a round you may let one company pay $1K a share, to all players who show "
        "cards of it."
    ),
    "graham": (
        "Every share you sell brings $1K more, a split card $2K: in the final sale too, and by "
        "those strategies that say “sell”."
    ),
    "martha": (
        "Once in each Demand Phase you may look at one pair: another player’s, or one that lies "
        "face-down. All see which pair it is."
    ),
    "mark": (
        "Before the bidding you may move any one card to another pile, as it lies: even the last "
        "of a pile, a commodity or the first player card. All see which one moves."
    ),
    "stuart": "In Supply you may lay both your cards face-down; with two players, both times.",
    "warren": (
        "Before the bidding you may look at all face-down cards of one pile. All see which pile "
        "it is."
    ),
    "ana": (
        "At the end of a round you may show a card of every company of which you own shares, for "
        "$1K each. It is all of them or nothing."
    ),
    "chanda": (
        "On your Action turn you may discard a stock card, or make a split one regular again, to "
        "split another of your regular cards. Both are shown."
    ),
    "carlos": "You can only be outbid by two spaces or more: on $20K and $25K, not at all.",
    "dangote": (
        "At the end of a round you get $1K for each commodity card you own, equal ones too, and "
        "nothing for taxes."
    ),
    "li": (
        "At the end of a round, $1K more interest for every two bonds you own, rounded up: $2K "
        "for three."
    ),
    "talal": "When everyone has had their turn to sell, you may sell again, whatever you own.",
    "ivan": (
        "When all have returned two strategies, you draw more: one less than there are rounds. "
        "You may play two in a round, each for its cost."
    ),
    "barack": (
        "After the selling you may buy one stock card of your choice from the discard pile for "
        "$2K less than its value, at least $0. All see which it is."
    ),
    "barbara": (
        "You pay by a list of your own. If you win on one of the two lowest spaces, you get $4K "
        "or $3K; the others cost $0, $3K, $8K, $15K, $22K and $30K."
    ),
    "donald": (
        "For every pile you pay the space below your meeple: $6K on $10K. You need no more than "
        "that to bid, so you may bid more than you have."
    ),
    "phil": (
        "Before the deal you secretly choose a company or one of the round’s forecasts for a pair "
        "of your own. All learn which of the two kinds it is, not which card."
    ),
    "liliane": (
        "You get $5K each time the bidding begins, and pay $1K, if you have it to spare, each "
        "time you are outbid."
    ),
    "mitt": (
        "You get $1K each time you place a meeple, to bid or to bid again. It comes after the "
        "bid: the money for that must be there already."
    ),
    "oprah": (
        "At the end of a round you must give $2K to another player, or $1K to each of two; with "
        "less than $2K, as much as you have."
    ),
    "robins": (
        "You draw the cards that open the piles and choose one of them to lie face-down, and "
        "where. The others are laid face-up on the other piles."
    ),
    "soros": (
        "Once in each Selling Phase, and once in the final sale, you may sell one share for $8K, "
        "whatever its price."
    ),
    "sanders": (
        "At the end of a round you take $2K from the richest other player and keep $1K. The rest "
        "goes to whoever then has least: perhaps you, never the one you took it from."
    ),
}
