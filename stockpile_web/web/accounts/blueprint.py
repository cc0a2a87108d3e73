"""The blueprint that the account pages share."""

from flask import Blueprint

bp = Blueprint("accounts", __name__)
