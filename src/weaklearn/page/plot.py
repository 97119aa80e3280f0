"""A chart as SVG: axes, lines, steps, bands, bars and points, in the colours of the style."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.types import Floats
from .element import Element, Node, tag
from .scale import Scale

COLOURS = ("blue", "vermilion", "green", "orange", "purple", "sky", "grey")
DASHES = ("", "dash", "chain", "dots")


class Plot:
    """A chart that is drawn part by part, later parts over earlier ones.

    Nothing in it is styled by itself: colours are classes (``s-blue``, ``f-blue``) of the page.
    """

    def __init__(
        self,
        x: Scale,
        y: Scale,
        *,
        width: int = 460,
        height: int = 290,
        left: int = 52,
        right: int = 12,
        x_label: str = "",
        y_label: str = "",
        size: str = "large",
    ) -> None:
        self.x, self.y, self.width, self.height, self.size = x, y, width, height, size
        self.left, self.right = left, width - right
        self.top, self.bottom = (26 if y_label else 10), height - (40 if x_label else 22)
        self.parts: list[Node] = []
        self._labels = x_label, y_label

    # ---------------------------------------------------------------------------------- places

    def across(self, values: Any) -> Floats:
        """The horizontal positions of numbers."""
        return self.x.at(values, self.left, self.right)

    def up(self, values: Any) -> Floats:
        """The vertical positions of numbers."""
        return self.y.at(values, self.bottom, self.top)

    def path(self, xs: Any, ys: Any) -> str:
        """The path through points; it is interrupted where a number is NaN."""
        return joined(self.across(xs), self.up(np.clip(ys, self.y.low, self.y.high)))

    def stairs(self, edges: Any, ys: Any) -> str:
        """The path of a step function; there is one edge more than values."""
        xs = np.repeat(np.asarray(edges, np.float64), 2)[1:-1]
        return self.path(xs, np.repeat(np.asarray(ys, np.float64), 2))

    # ----------------------------------------------------------------------------------- parts

    def line(self, d: str, colour: str, kind: str = "line", dash: str = "", **more: Any) -> None:
        """Draws a path that ``path`` or ``stairs`` returned."""
        words = " ".join(filter(None, (kind, f"s-{colour}", dash)))
        self.parts.append(tag("path", d=d, class_=words, **more))

    def band(self, upper: str, lower: str, colour: str) -> None:
        """Fills the area between two paths, of which the lower runs backwards."""
        d = f"{upper}L{lower[1:]}Z" if upper and lower else ""
        self.parts.append(tag("path", d=d, class_=f"bandfill f-{colour}"))

    def rect(self, x0: float, x1: float, y0: float, y1: float, words: str, tip: str = "") -> None:
        """Draws a rectangle given in numbers of the axes, with a tooltip."""
        (a, b), (c, d) = np.sort(self.across([x0, x1])), np.sort(self.up([y0, y1]))
        self.parts.append(
            tag(
                "rect",
                tag("title", tip) if tip else None,
                x=short(a),
                y=short(c),
                width=short(max(b - a, 0.5)),
                height=short(max(d - c, 0.0)),
                class_=words,
            )
        )

    def point(self, x: float, y: float, colour: str, r: float = 4, **more: Any) -> None:
        (a,), (b,) = self.across([x]), self.up([y])
        words = f"live f-{colour}"
        self.parts.append(tag("circle", cx=short(a), cy=short(b), r=r, class_=words, **more))

    def text(self, x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> None:
        """Writes a text at a position of the picture."""
        self.parts.append(_text(words, x, y, anchor, kind))

    # ----------------------------------------------------------------------------------- whole

    def element(self, description: str, name: str = "", map_name: str = "") -> Element:
        """The chart as SVG; the description is read to those who do not see it.

        With a name it shows, under the pointer, the texts that the page's data hold for it: one per
        horizontal place, or, with the name of a map, one per cell.
        """
        cursor = None
        if name:
            cursor = tag("line", x1=0, x2=0, y1=self.top, y2=self.bottom, class_="cursor")
        elif map_name:
            cursor = tag("rect", x=0, y=0, width=0, height=0, class_="cursor box")
        return tag(
            "svg",
            self._axes(),
            self.parts,
            cursor,
            viewBox=f"0 0 {self.width} {self.height}",
            class_=f"plot {self.size}",
            role="img",
            aria_label=f"{description}; arrow keys read it out" if cursor else description,
            data_chart=name or None,
            data_map=map_name or None,
            tabindex=0 if name or map_name else None,
        )

    def _axes(self) -> list[Element]:
        found = []
        for place, words in self.y.ticks(5):
            (y,) = self.up([place])
            found.append(_line(self.left, self.right, y, y, "grid"))
            found.append(_text(words, self.left - 7, y + 4, "end"))
        found.append(_line(self.left, self.right, self.bottom, self.bottom, "axis"))
        for place, words in self.x.ticks(6 if self.width > 350 else 4):
            (x,) = self.across([place])
            last = len(words) > 4 and x > self.right - 25  # a word would run out of the picture
            anchor, x = ("end", self.right) if last else ("middle", float(x))
            found.append(_line(x, x, self.bottom, self.bottom + 4, "axis"))
            found.append(_text(words, x, self.bottom + 17, anchor, "tick"))
        x_label, y_label = self._labels
        if x_label:
            how = {"x": (self.left + self.right) / 2, "y": self.height - 5}
            found.append(tag("text", x_label, **how, text_anchor="middle", class_="label foot"))
        if y_label:
            found.append(tag("text", y_label, x=2, y=12, class_="label"))
        return found


def joined(xs: Floats, ys: Floats) -> str:
    """The SVG path through positions of the picture.

    >>> joined(np.array([0, 1.5, 2]), np.array([1, np.nan, 3]))
    'M0 1M2 3'
    """
    parts, pen = [], "M"
    for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
        if x != x or y != y:
            pen = "M"
            continue
        parts.append(f"{pen}{short(x)} {short(y)}")
        pen = "L"
    return "".join(parts)


def short(place: float) -> str:
    """A position to one decimal, without trailing zeros."""
    return f"{place:.1f}".rstrip("0").rstrip(".") if place == place else "0"


def _line(x0: float, x1: float, y0: float, y1: float, words: str) -> Element:
    return tag("line", x1=short(x0), x2=short(x1), y1=short(y0), y2=short(y1), class_=words)


def _text(words: str, x: float, y: float, anchor: str, kind: str = "") -> Element:
    return tag("text", words, x=short(x), y=short(y), text_anchor=anchor, class_=kind or None)


def legend(entries: Sequence[tuple[str, str, str]]) -> Element:
    """A legend of lines: texts with their colour and dashes."""
    return tag(
        "ul",
        [
            tag(
                "li",
                tag(
                    "svg",
                    tag("path", d="M1 5L29 5", class_=f"line s-{colour} {dash}".strip()),
                    viewBox="0 0 30 10",
                    class_="plot",
                    aria_hidden="true",
                ),
                words,
            )
            for words, colour, dash in entries
        ],
        class_="legend",
    )


def figure(
    chart: Element, *, title: str = "", small: str = "", under: Node = None, reads: bool = False
) -> Element:
    """A chart with its heading; ``reads`` adds a line that shows the text under the pointer."""
    more = tag("span", small, class_="small") if small else None
    return tag(
        "figure",
        tag("figcaption", title, more) if title else None,
        chart,
        tag("p", class_="readout", aria_live="polite") if reads else None,
        under,
    )


def meter(share: float, colour: str = "blue", description: str = "") -> Element:
    """A share of 1 as a small horizontal bar."""
    filled = 100 * min(max(share, 0.0), 1.0)
    return tag(
        "svg",
        tag("rect", x=0, y=0, width=100, height=10, class_="shade"),
        tag("rect", x=0, y=0, width=short(filled), height=10, class_=f"f-{colour}"),
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        class_="plot meter",
        role="img",
        aria_label=description or f"{filled:.0f} %",
    )


def sparkline(heights: Sequence[float], description: str) -> Element:
    """A small bar chart without axes."""
    most, n = max([*heights, 1e-300]), max(len(heights), 1)
    wide = 100 / n
    d = "".join(
        f"M{short(k * wide)} 24v-{short(max(22 * h / most, 0.6 if h else 0))}"
        f"h{short(wide * 0.84)}V24z"
        for k, h in enumerate(heights)
    )
    return tag(
        "svg",
        tag("path", d=d, class_="f-blue"),
        viewBox="0 0 100 24",
        preserveAspectRatio="none",
        class_="plot spark",
        role="img",
        aria_label=description,
    )
