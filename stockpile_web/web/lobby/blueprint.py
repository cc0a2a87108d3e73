"""The blueprint that the pages of the lobby share."""

from flask import Blueprint

bp = Blueprint("lobby", __name__)
