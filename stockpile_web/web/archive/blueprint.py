"""The blueprint that the pages of the archive share."""

from flask import Blueprint

bp = Blueprint("archive", __name__)
