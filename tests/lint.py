"""`./run lint`: ruff's checks, ruff's format, and mypy --strict over all code, tests too."""

import subprocess
import sys

CHECKS = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"])

if __name__ == "__main__":
    runs = (subprocess.run([sys.executable, "-m", *check], check=False) for check in CHECKS)
    sys.exit(max(run.returncode for run in runs))
