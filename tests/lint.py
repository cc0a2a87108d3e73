"""`./run lint`: ruff's checks, ruff's format, and mypy --strict."""

import subprocess
import sys

CHECKS = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"])

if __name__ == "__main__":
    sys.exit(max(subprocess.run([sys.executable, "-m", *check]).returncode for check in CHECKS))
