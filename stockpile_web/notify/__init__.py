"""Telling people what concerns them while they are away.

storage.outbox      notices, written in the transaction of a move
storage.due_notices those that are due, and what becomes of them
queueing            what is still worth telling, and through which channels: a job for each
storage.send_queue  those jobs; a worker leases them, lane by lane
lanes               which threads wait for whom, so that nobody's silence delays anybody else
sending             sends one message, and writes down what came of it
recipients          how and when a person wants to be told
composing           what a message says
channels/           one file each: mail, push, Telegram, webhooks
slow_hosts          a circuit breaker for hosts that hang
smtp                mails, to the mail server or kept for the administrator
"""
