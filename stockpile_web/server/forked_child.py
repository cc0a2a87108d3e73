"""Work in a forked child: the memory that it needed goes with it."""

import os
import sys
import traceback
from collections.abc import Callable


def in_forked_child(act: Callable[[], object]) -> int:
    """Do something in a forked child, before there are threads; return its exit code."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        act()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
