"""Work in a process of its own: the memory that it needed goes with it."""

import os
import sys
import traceback
from collections.abc import Callable


def apart(act: Callable[[], object]) -> int:
    """Do something apart, before there are threads; return the code that it has ended with."""
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
