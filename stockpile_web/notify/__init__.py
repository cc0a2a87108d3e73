"""Telling people what concerns them while they are away.

storage.outbox  rows written in the transaction of a move
worker.notices  leases them: who is to be told now?
sending         what is still worth telling, and through which channels
recipients      how and when a person wants to be told
composing       what a message says
channels/       one file each: mail, push, Telegram, webhooks
"""
