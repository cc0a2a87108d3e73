"""`./run test`: see to a browser, then run pytest; further words go to pytest.

With --coverage it also tells which lines of `stockpile_web` no test has reached.
"""

import os
import shutil
import subprocess
import sys

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
PACKAGE = "chromium-headless-shell"
# Three on two cores: some of the tests wait for clocks and browsers.
PYTEST = [sys.executable, "-m", "pytest", "-n", "3"]
COVERAGE = "--coverage"
INSTALL = ["apt-get", "install", "-y", "--no-install-recommends", PACKAGE, "fonts-dejavu-core"]


def main() -> None:
    """Run the tests; without a browser, say what is left out (in CI that is a failure)."""
    if not have_browser() and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing {PACKAGE} for the browser tests ...", flush=True)
        for step in (["apt-get", "update"], INSTALL):
            subprocess.run(step, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not have_browser():
        print("No Chromium on this machine: the browser tests are left out.", flush=True)
        print(f"To run them: apt-get install {PACKAGE}, or set CHROMIUM to one.", flush=True)
    words = [word for word in sys.argv[1:] if word != COVERAGE]
    if COVERAGE in sys.argv:
        sys.exit(measure(words))
    os.execv(sys.executable, [*PYTEST, *words])


def measure(words: list[str]) -> int:
    """Run the tests and report what they reach; the floor is for all tests, not for some."""
    coverage = [sys.executable, "-m", "coverage"]
    report = [*coverage, "report", "--fail-under=0"] if words else [*coverage, "report"]
    steps = (
        [*coverage, "erase"],
        [*PYTEST, "-p", "tests.support.measuring", *words],
        [*coverage, "combine", "--quiet"],
        report,
    )
    return max(subprocess.run(step, check=False).returncode for step in steps)


def have_browser() -> bool:
    """Tell whether there is a Chromium to test with."""
    return bool(os.environ.get("CHROMIUM")) or any(shutil.which(name) for name in BROWSERS)


if __name__ == "__main__":
    main()
