"""The smallest story: how many cards each player has laid, turn by turn."""

from collections.abc import Sequence

from stockpile_web.engine.story import Chart, Column, DataTable, Line, Row, Story, Told


def story(turns: Sequence[Told]) -> Story:
    """Tell of every ten that was laid."""
    laid = [
        (turn.number, facts)
        for turn in turns
        for facts in turn.facts
        if facts["kind"] == "ten_laid"
    ]
    if not laid:
        return Story([], [], [])
    seats = range(len(turns[0].look()[0].held))
    totals = [[0 for _ in seats]]
    for _, facts in laid:
        add = len(facts["cards"])
        totals.append([n + add * (seat == facts["seat"]) for seat, n in enumerate(totals[-1])])
    lines = [
        Line({"kind": "player", "seat": seat}, f"p{seat}", [each[seat] for each in totals])
        for seat in seats
    ]
    steps = ["Start", *(str(number) for number, _ in laid)]
    return Story(
        [],
        [Chart("Cards laid", "Move", steps, lines)],
        [
            DataTable(
                "Every ten",
                [Column("Player"), Column("Cards", str)],
                [
                    Row([{"kind": "player", "seat": facts["seat"]}, len(facts["cards"])], number)
                    for number, facts in laid
                ],
            )
        ],
    )
