"""Line charts as SVG text: the same numbers give the same bytes, and nothing needs to be installed."""

import dataclasses
from html import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, LEGEND = 760, 380, 52, 34, 42, 240
COLOURS = ("#d1495b", "#00798c", "#edae49", "#30638e", "#8f6bb3", "#5f9e4a", "#b5651d", "#4d4d4d", "#c77dbb",
           "#2a9d8f", "#9a8c2c", "#6c8ebf", "#a23b3b", "#777777", "#3d7a57", "#bb8fce")


@dataclasses.dataclass(frozen=True)
class Line:
    name: str
    points: list  # of (x, y)
    own: bool = False  # drawn bold
    dashed: bool = False


def ticks(low, high, most=8):
    """Round numbers that cover low..high."""
    span = (high - low) or 1
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if span / step <= most:
            break
    first = int(low // step) * step
    count = int((high - first) // step) + 2
    return [first + i * step for i in range(count) if first + i * step <= high + step * 0.999]


def chart(title, lines, across, up="accuracy, %"):
    """One chart; lines without points are left out."""
    lines = [line for line in lines if line.points]
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points]
    marks_y = ticks(min(ys), max(ys))
    low, high = marks_y[0], marks_y[-1]
    left, right = min(xs), max(xs)
    plot_width, plot_height = WIDTH - LEFT - LEGEND, HEIGHT - TOP - BOTTOM

    def place(x, y):
        across_share = (x - left) / ((right - left) or 1)
        return LEFT + across_share * plot_width, TOP + (high - y) / ((high - low) or 1) * plot_height

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
             f'<text x="{LEFT}" y="20" font-size="15">{escape(title)}</text>']
    for y in marks_y:
        _, at = place(left, y)
        parts.append(f'<path d="M{LEFT} {at:.1f}h{plot_width}" stroke="#dddddd"/>'
                     f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in [t for t in ticks(left, right) if left <= t <= right]:
        at, _ = place(x, low)
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:g}</text>')
    parts.append(f'<text x="{LEFT + plot_width / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(across)}</text>')
    parts.append(f'<text transform="translate(14 {TOP + plot_height / 2:.1f}) rotate(-90)" '
                 f'text-anchor="middle">{escape(up)}</text>')
    for i, line in enumerate(lines):
        style = (f'stroke="{COLOURS[i % len(COLOURS)]}" stroke-width="{2.6 if line.own else 1.2}"'
                 + (' stroke-dasharray="6 4"' if line.dashed else ""))
        path = "L".join("{:.1f} {:.1f}".format(*place(x, y)) for x, y in line.points)
        beside = TOP + 4 + i * 16
        parts.append(f'<path d="M{path}" fill="none" {style}/>'
                     f'<path d="M{WIDTH - LEGEND + 14} {beside}h22" {style}/>'
                     f'<text x="{WIDTH - LEGEND + 42}" y="{beside + 4}">{escape(line.name)}</text>')
    return "\n".join(parts) + "\n</svg>\n"
