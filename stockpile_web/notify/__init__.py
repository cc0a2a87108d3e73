"""Telling people what concerns them while they are away.

move --> outbox (rows in the transaction of the move)
     --> worker (its own process: who is to be told now, and of what?)
     --> channels (one file each: mail, webhooks)
"""
