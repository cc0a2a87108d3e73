"""A forked child that shares the memory of what is loaded already."""

import logging
import os
from collections.abc import Callable

log = logging.getLogger(__name__)


def fork(act: Callable[[], None]) -> int:
    """Do something in a child, where nothing of the parent's is cleaned up; return its number."""
    child = os.fork()
    if child:
        return child
    try:
        act()
    except BaseException:
        log.exception("A child of the worker ended")
        os._exit(1)
    os._exit(0)
