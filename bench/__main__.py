"""`./run bench NAME`: run one of the measurements in this folder."""

import sys
from importlib import import_module
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))

if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
    sys.exit(f"Usage: ./run bench NAME, where NAME is one of: {', '.join(NAMES)}")
import_module(f"bench.{sys.argv[1]}").main(sys.argv[2:])
