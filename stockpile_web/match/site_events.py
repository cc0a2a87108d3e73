"""The kinds of event that the site itself tells in the log of a match, whatever the game."""

TAKEN_BACK = "taken_back"  # Moves were taken back by whoever made them.
SET_BACK = "set_back"  # A table that could not be read was set back.
TIME_RAN_OUT = "time_ran_out"  # A clock has run out; what is played for its owner follows.
PLAYED_ON = "played_on"  # A practice table begins, played on from another match.
ADMINISTERED = "administered"  # An administrator has done something to the table.
