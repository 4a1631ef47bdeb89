"""The figure of what convoy-bench measured: means by network and direction."""

from html import escape

from bench_cases import COLORS, DIRECTIONS, grouped, mean


def panel(cases, direction, left, height):
    """The bars of one direction: by set, the mean part of the peak of each."""
    parts = []
    chosen = [case for case in cases if case.direction == direction]
    sets = list(grouped(chosen, lambda case: case.set).items())
    wide = 8
    for tick in range(0, 101, 25):
        x = left + 2 * tick
        parts.append(f'<line x1="{x}" y1="36" x2="{x}" y2="{height - 24}" stroke="#bbb"/>')
        parts.append(f'<text x="{x}" y="{height - 10}" text-anchor="middle">{tick} %</text>')
    for row, (set_name, group) in enumerate(sets):
        top = 40 + row * (len(COLORS) * wide + 14)
        parts.append(f'<text x="{left - 6}" y="{top + 20}" text-anchor="end">{escape(set_name)}</text>')
        for place, (who, color) in enumerate(COLORS.items()):
            if fraction := mean(case.fraction(who) for case in group):
                parts.append(
                    f'<rect x="{left}" y="{top + place * wide}" width="{200 * fraction:.1f}" '
                    f'height="{wide - 1}" fill="{color}"/>'
                )
    title = DIRECTIONS[direction]
    parts.append(f'<text x="{left}" y="28" font-weight="bold">{title}</text>')
    return parts


def plot(cases):
    """The mean part of the peak by set and direction: channels last, a thread."""
    chosen = [case for case in cases if case.threads == 1 and case.is_last and case.is_usual]
    count = len(grouped(chosen, lambda case: case.set))
    height = 40 + count * (len(COLORS) * 8 + 14) + 30
    parts = []
    for number, direction in enumerate(DIRECTIONS):
        parts += panel(chosen, direction, 140 + number * 360, height)
    for number, (who, color) in enumerate(COLORS.items()):
        x = 140 + number * 150
        parts.append(f'<rect x="{x}" y="4" width="10" height="10" fill="{color}"/>')
        parts.append(f'<text x="{x + 14}" y="13">{who}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="{height}" '
        'font-family="sans-serif" font-size="11">\n'
        '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )
