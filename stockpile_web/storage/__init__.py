"""The database, and all that knows about it.

database      the engine, and what every model derives from
transactions  reading, and the one way to write
schema        migrations at the start
compiled_sql  statements of the busiest paths, compiled once
snapshots     every state of a match in little room
names         how names are compared, and which look alike
cache         a bounded cache in memory
worker_seen   when the worker was last seen
outbox        notices, written in the transaction of a move
due_notices   those that are due, as the worker takes them
models/       the tables
"""
