"""`./run test`: see to a browser, then run pytest on all cores; further words go to pytest."""

import os
import shutil
import subprocess
import sys

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
PACKAGE = "chromium-headless-shell"
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
    os.execv(sys.executable, [sys.executable, "-m", "pytest", "-n", "2", *sys.argv[1:]])


def have_browser() -> bool:
    """Tell whether there is a Chromium to test with."""
    return bool(os.environ.get("CHROMIUM")) or any(shutil.which(name) for name in BROWSERS)


if __name__ == "__main__":
    main()
