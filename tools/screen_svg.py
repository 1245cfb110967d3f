#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""screen_svg.py [-a N] COLUMNSxROWS TITLE FILE [TITLE FILE]...: draws screens of a terminal as one SVG picture.

Each FILE is the output of `tmux capture-pane -e -p`; N screens (default 1) stand side by side. The width of each run
of text is fixed, so that columns stay aligned with any font. The picture has a light and a dark palette, of which
the viewer selects one (prefers-color-scheme). The colours differ in lightness, not only in red and green.
"""
import re
import sys
import unicodedata

CELL, LINE, SIZE = 8.4, 17, 14  # width and height of a cell, size of the font
EDGE, BAR, GAP = 12, 30, 16     # margin in a window, height of its title, distance of windows

# black, red, green, yellow, blue, magenta, cyan, white; the window: background, text, frame, title, weak text
LIGHT = ['#24292f', '#b83a00', '#00705a', '#855c00', '#0059b3', '#a0397a', '#006f8f', '#6e7781',
         '#ffffff', '#24292f', '#d0d7de', '#f3f5f8', '#656d76']
DARK = ['#161b22', '#ff8552', '#41cfa5', '#efc648', '#6bb5ff', '#eb9ccb', '#5ccde6', '#b6c0cb',
        '#0d1117', '#e0e6ed', '#3d444d', '#1b2129', '#8d96a0']
# Cells with a coloured background and black text
LIGHT_CELLS = ['#24292f', '#f0a37e', '#7fd1b9', '#f2cb5c', '#8fc4f5', '#e2a9cb', '#86d0e4', '#c9d1d9']
DARK_CELLS = ['#30363d', '#e0794d', '#3fb694', '#e0b63e', '#5aa5ee', '#d685b5', '#4fbdd6', '#aab4bf']

SHAPES = {  # block elements as parts of a cell: x, y, width, height
    **{chr(0x2580 + n): (0, 1 - n / 8, 1, n / 8) for n in range(1, 9)},
    **{chr(0x2588 + n): (0, 0, 1 - n / 8, 1) for n in range(1, 8)},
}


class Style:
    """Attributes of a cell: colours are None or 0 to 7."""

    def __init__(self, fore=None, back=None, bold=False, dim=False, reverse=False):
        self.fore, self.back, self.bold, self.dim, self.reverse = fore, back, bold, dim, reverse

    def copy(self):
        return Style(self.fore, self.back, self.bold, self.dim, self.reverse)

    def apply(self, codes):
        """Applies the parameters of one SGR sequence."""
        for code in codes:
            if code == 0:
                self.__init__()
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.dim = True
            elif code == 7:
                self.reverse = True
            elif code == 22:
                self.bold = self.dim = False
            elif code == 27:
                self.reverse = False
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.fore = code % 10
            elif code == 39:
                self.fore = None
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.back = code % 10
            elif code == 49:
                self.back = None
            else:
                sys.exit(f'screen_svg.py: SGR {code} is not supported')

    def background(self):
        """Class of the background, or None."""
        if self.reverse:
            return f'b{self.fore}' if self.fore else 'bt'
        return None if self.back is None else f'b{self.back}'

    def text(self):
        """Classes of the text."""
        if self.reverse:
            colour = 'fw'
        elif self.back is not None:
            colour = 'fk'
        elif self.dim:
            colour = 'fd'
        else:
            colour = '' if self.fore is None else f'f{self.fore}'
        return ' '.join(filter(None, [colour, 'b' if self.bold else '']))


def width(char):
    """Number of cells of a character."""
    if unicodedata.category(char) in ('Mn', 'Me', 'Cf'):
        return 0
    return 2 if unicodedata.east_asian_width(char) in 'WF' else 1


def cells(line, style):
    """The cells of a captured line, (column, width, text, style), and the style with which the next line begins."""
    column, row = 0, []
    for sequence, char in re.findall(r'\x1b\[([\d;]*)m|([^\x00-\x1f\x7f])', line):
        if not char:
            style = style.copy()
            style.apply([int(code or 0) for code in sequence.split(';')])
        elif width(char) == 0 and row:
            row[-1] = (row[-1][0], row[-1][1], row[-1][2] + char, style)
        else:
            row.append((column, width(char), char, style))
            column += width(char)
    return row, style


def escape(text):
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')


def number(value):
    return f'{value:.2f}'.rstrip('0').rstrip('.')


def runs(row, key):
    """Adjacent cells with the same key: (key, cells)."""
    groups = []
    for cell in row:
        last = groups[-1][1][-1] if groups else None
        if last and groups[-1][0] == key(cell) and last[0] + last[1] == cell[0]:
            groups[-1][1].append(cell)
        else:
            groups.append((key(cell), [cell]))
    return groups


def rectangle(kind, x, y, w, h):
    return f'<rect class="{kind}" x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"/>'


def text(kind, x, y, length, content):
    kind = f' class="{kind}"' if kind else ''
    return f'<text{kind} x="{number(x)}" y="{number(y)}" textLength="{number(length)}">{escape(content)}</text>'


def draw_text(row, y):
    """Text of a line: a run ends at a change of style or width and at two blanks."""
    for (kind, _), group in runs(row, lambda cell: (cell[3].text(), cell[1])):
        content = ''.join(cell[2] for cell in group)
        size = group[0][1] * CELL
        if len(content) != len(group):  # with combining characters
            parts = [(0, len(group), content)]
        else:
            parts = [(m.start(), m.end(), m.group()) for m in re.finditer(r'\S+(?: \S+)*', content)]
        for begin, end, part in parts:
            yield text(kind, group[begin][0] * CELL, y + SIZE - 1, (end - begin) * size, part)


def draw_line(row, y):
    """Elements of one line: backgrounds, block elements, text."""
    for kind, group in runs(row, lambda cell: cell[3].background()):
        if kind:
            yield rectangle(kind, group[0][0] * CELL, y, sum(cell[1] for cell in group) * CELL, LINE)
    for (kind, shape), group in runs(row, lambda cell: (cell[3].text(), SHAPES.get(cell[2]))):
        if shape:
            left, top, wide, high = shape
            for part in [group] if wide == 1 else [[cell] for cell in group]:
                yield rectangle(kind or 'ft', (part[0][0] + left) * CELL, y + top * LINE, len(part) * wide * CELL, high * LINE)
    yield from draw_text([cell for cell in row if cell[2] not in SHAPES], y)


def draw_window(columns, rows, title, lines, x, y):
    """A window with its title; lines and columns beyond its size are left out."""
    w, h = columns * CELL + 2 * EDGE, rows * LINE + BAR + 2 * EDGE
    yield f'<g transform="translate({number(x)} {number(y)})">'
    yield f'<path class="bar" d="M.5 {BAR}V8.5a8 8 0 0 1 8-8H{number(w - 8.5)}a8 8 0 0 1 8 8V{BAR}z"/>'
    yield f'<path class="card" d="M.5 {BAR}H{number(w - .5)}V{number(h - 8.5)}a8 8 0 0 1-8 8H8.5a8 8 0 0 1-8-8z"/>'
    yield text('fd', EDGE, 20, CELL, '$')
    yield text('b', EDGE + 2 * CELL, 20, len(title) * CELL, title)
    yield f'<g transform="translate({EDGE} {BAR + EDGE})">'
    style = Style()
    for i, line in enumerate(lines[:rows]):
        row, style = cells(line, style)
        yield from draw_line([cell for cell in row if cell[0] + cell[1] <= columns], i * LINE)
    yield '</g></g>'


def palette(colours, cell_colours):
    """CSS rules of one palette."""
    background, foreground, frame, title, weak = colours[8:]
    rules = [f'text,.ft,.bt{{fill:{foreground}}}']
    rules += [f'.f{i}{{fill:{c}}}' for i, c in enumerate(colours[:8])]
    rules += [f'.b{i}{{fill:{c}}}' for i, c in enumerate(cell_colours)]
    rules += [f'.fw{{fill:{background}}}', '.fk{fill:#10151b}', f'.fd{{fill:{weak}}}',
              f'.card{{fill:{background};stroke:{frame}}}', f'.bar{{fill:{title};stroke:{frame}}}']
    return ''.join(rules)


def picture(columns, rows, across, screens):
    """The whole picture; screens are pairs of title and lines."""
    w, h = columns * CELL + 2 * EDGE, rows * LINE + BAR + 2 * EDGE
    down = -(-len(screens) // across)
    total_w, total_h = across * (w + GAP) - GAP, down * (h + GAP) - GAP
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {number(total_w)} {number(total_h)}" '
           f'width="{number(total_w)}" height="{number(total_h)}">')
    yield f'<title>{escape(", ".join(title for title, _ in screens))}</title>'
    yield (f'<style>text{{font:{SIZE}px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,"Liberation Mono",monospace;'
           f'white-space:pre}}.b{{font-weight:bold}}rect{{shape-rendering:crispEdges}}{palette(LIGHT, LIGHT_CELLS)}')
    yield f'@media(prefers-color-scheme:dark){{{palette(DARK, DARK_CELLS)}}}</style>'
    for i, (title, lines) in enumerate(screens):
        yield from draw_window(columns, rows, title, lines, i % across * (w + GAP), i // across * (h + GAP))
    yield '</svg>'


def main(arguments):
    across = 1
    if arguments[:1] == ['-a']:
        across = int(arguments[1])
        arguments = arguments[2:]
    if len(arguments) < 3 or len(arguments) % 2 == 0 or not re.fullmatch(r'\d+x\d+', arguments[0]):
        sys.exit('Usage: screen_svg.py [-a N] COLUMNSxROWS TITLE FILE [TITLE FILE]...')
    columns, rows = map(int, arguments[0].split('x'))
    screens = []
    for title, name in zip(arguments[1::2], arguments[2::2]):
        with open(name, encoding='utf-8') as file:
            screens.append((title, file.read().split('\n')))
    print('\n'.join(picture(columns, rows, across, screens)))


main(sys.argv[1:])
