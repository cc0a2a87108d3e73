"""Accounts: signing up, in and out, new passwords, and everybody's own settings."""

import stockpile_web.web.accounts.confirming
import stockpile_web.web.accounts.hours
import stockpile_web.web.accounts.my_passkeys
import stockpile_web.web.accounts.reset
import stockpile_web.web.accounts.settings
import stockpile_web.web.accounts.signing
import stockpile_web.web.accounts.tokens  # noqa: F401 (they add their pages)
from stockpile_web.web.accounts.blueprint import bp

__all__ = ["bp"]
