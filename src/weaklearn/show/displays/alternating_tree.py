"""A picture of an alternating tree: questions in boxes, what an answer adds in coloured ovals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...base.messages.number_text import signed
from ...base.messages.warnings import suppressed_warnings
from ...estimators.boosting.adtree import ADTreeClassifier
from ...inspection.adtree_text import Decision, Prediction, branches
from ...intake.parameters import integer, one_of
from ..drawing.canvas import (
    BLUE,
    VERMILION,
    Axes,
    Display,
    new_axes,
    text_on,
)
from ..text_fit import plain, short_inside

_ROW, _GAP = 0.40, 0.66  # inches: a line of ovals, between columns
_TALL, _WIDE = 0.27, 0.68  # a node, and an oval
_SIZE = 9.0  # of letters, in points
_HEAD, _FOOT = 0.45, 0.4  # above and below the tree
_LARGEST = (40.0, 60.0)  # of a figure
_LONGEST = 40  # letters of a question


@dataclass
class Spot:
    """A node where it is drawn: its left end, its middle, and its width, in inches."""

    node: Prediction | Decision
    x: float
    y: float
    width: float
    above: Spot | None = None

    @property
    def right(self) -> float:
        return self.x + self.width


@dataclass
class AlternatingTreeDisplay(Display):
    """The tree of an ``ADTreeClassifier`` from left to right.

    A row starts at the left and follows every way that is open to it; the numbers it meets are
    added up. Made by ``model.plot()`` or ``AlternatingTreeDisplay.from_estimator(model)``;
    ``plot(ax=...)`` draws again, and ``ax_`` and ``figure_`` hold what was drawn on.
    """

    root: Prediction
    label: str
    counts: bool = True
    among: tuple[str, ...] = ()

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        output: Any = None,
        n: int | None = None,
        counts: bool = True,
        ax: Axes | None = None,
    ) -> AlternatingTreeDisplay:
        """Draws the tree, or its first n rounds.

        A model of several classes has a tree for each: ``output`` names the one to draw, by the
        class (or "b against a", of votes between two); by default it is the first one.
        ``counts``: whether to write the training examples of every answer.
        """
        if not isinstance(estimator, ADTreeClassifier):
            raise TypeError(
                f"estimator is of type {type(estimator).__name__}; pass a fitted ADTreeClassifier."
            )
        with suppressed_warnings():  # a threshold, of which nothing is drawn
            model = estimator if n is None else estimator.truncate(integer("n", n, 1))
        trees = {str(label): root for label, root in model._trees()}
        names = list(trees)
        name = names[0] if output is None else one_of("output", str(output), names)
        return cls(trees[name], name, counts, tuple(names)).plot(ax=ax)

    def _new_axes(self) -> Axes:
        """Axes in true inches, with room for a title and a line below."""
        _, width, height = self._placed()
        around = (max(width, 5.4) + 0.2, height + _HEAD + _FOOT)
        ax = new_axes((min(around[0], _LARGEST[0]), min(around[1], _LARGEST[1])))
        figure: Any = ax.figure
        figure.set_layout_engine("none")
        ax.set_position((0.1 / around[0], _FOOT / around[1], width / around[0], height / around[1]))
        return ax

    # ------------------------------------------------------------------------------------ layout

    def _placed(self) -> tuple[list[Spot], float, float]:
        """All nodes with their places, and the size of the tree; a column is as wide as its widest
        node.
        """
        columns = [_WIDE]
        self._measure(self.root, 0, columns)
        starts = [0.1]
        for k, width in enumerate(columns[:-1]):
            starts.append(starts[-1] + width + (self._beside if k % 2 == 0 else 0.0) + _GAP)
        spots = list(self._put(self.root, 0, 0.0, starts, None))
        right = max(s.right + self._beside * isinstance(s.node, Prediction) for s in spots)
        return spots, right + 0.1, max(spot.y for spot in spots) + _ROW / 2

    def _measure(self, here: Prediction, k: int, columns: list[float]) -> None:
        """Widens the columns after the k-th to their nodes."""
        for decision in here.decisions:
            while len(columns) <= k + 2:
                columns.append(_WIDE if len(columns) % 2 == 0 else 0.0)
            columns[k + 1] = max(columns[k + 1], _width(decision))
            for outcome in branches(decision):
                self._measure(outcome, k + 2, columns)

    def _put(
        self, here: Prediction, k: int, top: float, starts: list[float], above: Spot | None
    ) -> Iterator[Spot]:
        """The places of a prediction node and of all nodes below it, from the line ``top`` on."""
        spot = Spot(here, starts[k], top + _lines(here) * _ROW / 2, _WIDE, above)
        yield spot
        for decision in here.decisions:
            lines = sum(map(_lines, branches(decision)))
            box = Spot(decision, starts[k + 1], top + lines * _ROW / 2, _width(decision), spot)
            yield box
            for outcome in branches(decision):
                yield from self._put(outcome, k + 2, top, starts, box)
                top += _lines(outcome) * _ROW

    @property
    def _beside(self) -> float:
        """The width of the number of examples beside an oval; the root's is the widest."""
        return _inches(f"{self.root.count:,}") + 0.05 if self.counts else 0.0

    # ----------------------------------------------------------------------------------- drawing

    def _draw(self, ax: Axes) -> None:
        spots, width, height = self._placed()
        box = ax.get_position()
        figure: Any = ax.figure
        inches = figure.get_size_inches()
        room = (box.width * inches[0] / width, box.height * inches[1] / height)
        size = _SIZE * min(1.0, *room)
        most = max(abs(spot.node.number) for spot in spots if isinstance(spot.node, Prediction))
        for spot in spots:
            if spot.above is not None:
                self._join(ax, spot.above, spot, size)
        for spot in spots:
            self._draw_node(ax, spot, most or 1.0, size)
        ax.set_xlim(0, width)
        ax.set_ylim(height, 0)
        ax.axis("off")
        ax.set_title(plain(self._heading()))
        text = f"A row adds up all numbers that it reaches; a sum above 0 speaks for {self.label}."
        ax.text(0.0, height + 0.12, plain(text), va="top", color=text_on(ax), fontsize=size)

    def _heading(self) -> str:
        """The title; of several trees, also which one it is."""
        if len(self.among) < 2:
            return f"Alternating tree for {self.label}"
        place = f"{self.among.index(self.label) + 1} of {len(self.among)}"
        return f"Alternating tree for {self.label} (tree {place}; output= draws another)"

    def _join(self, ax: Axes, left: Spot, right: Spot, size: float) -> None:
        """A line from a node to its child; to a prediction with the answer that leads there."""
        begin = left.right + 1.2 * self._beside * isinstance(left.node, Prediction)
        middle = right.x - (0.53 if isinstance(right.node, Prediction) else 0.2)
        answer = isinstance(right.node, Prediction)
        ax.plot(
            [begin, middle, middle, right.x],
            [left.y, left.y, right.y, right.y],
            color="#9A9A9A",
            linewidth=1.0,
            linestyle="-" if answer else (0, (2, 1.6)),
            solid_joinstyle="round",
            zorder=1,
        )
        if isinstance(right.node, Prediction):
            how: dict[str, Any] = {"fontsize": 0.85 * size, "color": text_on(ax)}
            ax.text(right.x - 0.04, right.y - 0.03, right.node.edge, ha="right", va="bottom", **how)

    def _draw_node(self, ax: Axes, spot: Spot, most: float, size: float) -> None:
        """A question in a box, or a number in an oval with its examples beside it."""
        from matplotlib.patches import FancyBboxPatch

        node, dark = spot.node, "#222222"
        look: tuple[Any, ...]
        if isinstance(node, Decision):
            text, look = short_inside(_title(node), _LONGEST), ("#F4F4F4", "#6E6E6E", 0.9, 0.04)
        else:
            share = abs(node.number) / most
            colour = VERMILION if node.number > 0 else BLUE
            look = (_tint(colour, 0.12 + 0.6 * share), colour, 1.0, _TALL / 2)
            text, dark = signed(node.number), "white" if share > 0.85 else dark
        face, edge, line, rounding = look
        ax.add_patch(
            FancyBboxPatch(
                (spot.x, spot.y - _TALL / 2),
                spot.width,
                _TALL,
                boxstyle=f"round,pad=0,rounding_size={rounding}",
                facecolor=face,
                edgecolor=edge,
                linewidth=line,
                zorder=2,
            )
        )
        how: dict[str, Any] = {"va": "center", "fontsize": size, "color": dark, "zorder": 3}
        ax.text(spot.x + spot.width / 2, spot.y, text, ha="center", **how)
        if self.counts and isinstance(node, Prediction):
            how |= {"fontsize": 0.8 * size, "color": text_on(ax)}
            ax.text(spot.right + 0.05, spot.y, f"{node.count:,}", ha="left", **how)


def _title(decision: Decision) -> str:
    """The question with the round that first asked it."""
    return f"{decision.rounds[0]}:  {decision.question}"


def _width(decision: Decision) -> float:
    return 0.2 + 1.05 * _inches(short_inside(_title(decision), _LONGEST))


def _inches(text: str) -> float:
    """The width of a text in inches."""
    from matplotlib.textpath import TextPath

    return float(TextPath((0, 0), text, size=_SIZE).get_extents().width) / 72


def _lines(here: Prediction) -> int:
    """The number of leaves below a prediction node, at least 1."""
    return max(1, sum(_lines(o) for decision in here.decisions for o in branches(decision)))


def _tint(colour: str, share: float) -> tuple[float, ...]:
    """A colour mixed with white."""
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return tuple(1 - share * (1 - part) for part in parts)
