"""What goes on while nobody asks for a page: a process with a few duties.

duties         what there is to do, and when it is due
watch          finds out what is due, lets threads do it, and sleeps until there is more
notices        queues notices that are due, and sends what is queued
account_mails  sends links to a new password, and that an account was changed
bots           lets bots think and move
thinkers       processes in which they think
keeper         keeps the worker running, and forks those processes
timeouts       plays for those whose time is up, and reminds them before
broken_tables  those that cannot be carried on stop nobody, and are told of once
backups        saves the site once a day, or as often as the host likes
"""
