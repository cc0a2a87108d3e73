"""The least that Flask can do, to compare with: the same server, a view that only answers."""

from flask import Flask

app = Flask(__name__)
ANSWER = "x" * 3000  # As long as a compressed table.


@app.get("/table/<int:number>")
def show(number: int) -> str:
    """Answer."""
    return ANSWER
