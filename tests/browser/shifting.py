"""How far a page has moved under its reader's eyes: the layout shift that browsers measure."""

from playwright.sync_api import Page

MOST = 0.05  # Half of what a good page may have.
LARGE, PHONE = {"width": 1366, "height": 768}, {"width": 390, "height": 844}

# All since the page was loaded, but for what a press has set in motion. Each shift is told a frame
# after it has happened, so two frames are waited for.
_SUM = """() => new Promise((done) => {
  let sum = 0;
  const add = (list) => {
    for (const shift of list.getEntries()) sum += shift.hadRecentInput ? 0 : shift.value;
  };
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum))));
})"""


def shift_of(page: Page) -> float:
    """Return the sum of all shifts since `page` was loaded."""
    return float(page.evaluate(_SUM))
