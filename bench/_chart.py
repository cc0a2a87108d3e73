"""A chart of bars to the left and right of nothing, as SVG."""

from html import escape
from typing import NamedTuple

ROW, NAMES, PLOT, MARGIN = 22, 170, 480, 40


class Bar(NamedTuple):
    """A name, how far it is from nothing, and how sure that is."""

    name: str
    length: float
    off: float


def chart(title: str, bars: list[Bar]) -> str:
    """Return the chart, the bars in the order given."""
    most = max(abs(bar.length) + bar.off for bar in bars)
    scale, middle = PLOT / 2 / most, NAMES + PLOT / 2
    width, height = NAMES + PLOT + MARGIN, MARGIN + ROW * len(bars) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{width / 2:.0f}" y="22" text-anchor="middle">{escape(title)}</text>',
    ]
    for number, bar in enumerate(bars):
        top = MARGIN + ROW * number
        left = middle + min(0.0, bar.length) * scale
        colour = "#2b6cb0" if bar.length >= 0 else "#b7791f"
        low, high = ((bar.length + side * bar.off) * scale + middle for side in (-1, 1))
        parts += [
            f'<text x="{NAMES - 8}" y="{top + 15}" text-anchor="end">{escape(bar.name)}</text>',
            f'<rect x="{left:.1f}" y="{top + 3}" width="{abs(bar.length) * scale:.1f}" '
            f'height="{ROW - 7}" fill="{colour}"/>',
            f'<path d="M{low:.1f} {top + 10.5}H{high:.1f}" stroke="#222"/>',
            f'<text x="{NAMES + PLOT + MARGIN - 4}" y="{top + 15}" text-anchor="end">'
            f"{bar.length:+.0f}</text>",
        ]
    parts.append(f'<path d="M{middle} {MARGIN}V{height - 8}" stroke="#666"/></svg>')
    return "\n".join(parts) + "\n"
