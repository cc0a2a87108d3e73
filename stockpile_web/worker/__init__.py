"""What goes on while nobody asks for a page: a process with a few duties.

duties.py   what there is to do: send notices, let bots think, play for those whose time is up
watch.py    looks what is due, does it, and sleeps until there is more
beside.py   keeps the process running beside the web server
"""
