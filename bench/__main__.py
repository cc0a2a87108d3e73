"""`./run bench NAME`: run one of the measurements in this folder, or of a game's own below it."""

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
FOUND = {path.stem: path for path in [*HERE.glob("[a-z]*.py"), *HERE.glob("games/*/[a-z]*.py")]}

if len(sys.argv) < 2 or sys.argv[1] not in FOUND:
    sys.exit(f"Usage: ./run bench NAME, where NAME is one of: {', '.join(sorted(FOUND))}")
parts = FOUND[sys.argv[1]].relative_to(HERE.parent).with_suffix("").parts
import_module(".".join(parts)).main(sys.argv[2:])
