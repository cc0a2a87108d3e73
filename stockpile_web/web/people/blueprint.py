"""The blueprint that the pages about people share."""

from flask import Blueprint

bp = Blueprint("people", __name__, url_prefix="/people")
