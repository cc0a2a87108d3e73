"""Looking after a site: backups, restoring them, and moving to another database.

backup         makes a backup while the server runs
backup_file    what is in such a file, and whether all of it is there
restore        puts a backup back
whole_time     gives those who are asked their time anew after a restore
schedule       backups by themselves: how they are called, and which are kept
sqlite_file    a database of SQLite: copied while in use, checked, replaced
postgres       a database of Postgres, by its own programs
copying        carries all rows over to another database
upgrade_check  says before an upgrade what it would change at running matches
rehearsal      plays one of them once more
doctor         says what is wrong with a site
processes      what processes take of the machine
commands       the commands of `./run` for all of it
"""


class Refused(Exception):
    """It cannot be done like this; the message is one line for the host."""
