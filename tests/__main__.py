"""`./run test`: see to a browser, in CI to proxies as well, then run pytest with further words.

With --coverage it also tells which lines of `stockpile_web` no test has reached.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.proxied import found

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
PACKAGE = "chromium-headless-shell"
# Three on two cores: some of the tests wait for clocks and browsers.
PYTEST = [sys.executable, "-m", "pytest", "-n", "3"]
COVERAGE = "--coverage"
PROXIES = ("nginx", "caddy")
INSTALL = ["apt-get", "install", "-y", "--no-install-recommends"]
# Debian asks this program before it starts what it has installed: a test must take no port 80.
POLICY = Path("/usr/sbin/policy-rc.d")


def main() -> None:
    """Run the tests; without a browser, say what is left out (in CI that is a failure)."""
    proxies = [name for name in PROXIES if not found(name)] if os.environ.get("CI") else []
    packages = [*([] if have_browser() else [PACKAGE, "fonts-dejavu-core"]), *proxies]
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing {', '.join(packages)} for the tests ...", flush=True)
        with nothing_started():
            for step in (["apt-get", "update"], [*INSTALL, *packages]):
                subprocess.run(
                    step, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
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


@contextmanager
def nothing_started(policy: Path = POLICY) -> Iterator[None]:
    """Let no service begin because it is installed."""
    if policy.exists():  # As in most containers, where it says no already.
        yield
        return
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    try:
        yield
    finally:
        policy.unlink()


def have_browser() -> bool:
    """Tell whether there is a Chromium to test with."""
    return bool(os.environ.get("CHROMIUM")) or any(shutil.which(name) for name in BROWSERS)


if __name__ == "__main__":
    main()
