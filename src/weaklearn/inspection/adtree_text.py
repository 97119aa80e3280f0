"""Alternating decision trees as text: the tests, and what each outcome adds to the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..base.messages.table import printable
from ..base.trees.splitter import Place, Splitter
from ..intake.schema import Schema
from .tree_text import Words

_EDGES = ("no", "yes", "missing")
_ORDER = (1, 0, 2)  # yes before no


@dataclass
class Prediction:
    """A prediction node: the number added to the score, and the decision nodes below it."""

    number: float
    count: int
    edge: str = ""  # the answer that leads here
    decisions: list[Decision] = field(default_factory=list)


@dataclass
class Decision:
    """A decision node: its test, the rounds that found it, and a prediction node per outcome."""

    question: str
    rounds: list[int]
    members: list[tuple[float, Splitter]]
    outcomes: list[Prediction]
    way: tuple[str, ...]  # how the rows came here: the questions before, with their answers


def alternating(ensemble: Any, schema: Schema) -> Prediction:
    """The root of the alternating tree of an ensemble of splitters; equal tests are merged."""
    members = list(ensemble)
    root = Prediction(float(ensemble.base), int(members[0][1].tree.count[0]) if members else 0)
    at: dict[Place | None, tuple[Prediction, tuple[str, ...]]] = {None: (root, ())}
    asked: dict[tuple[int, Any], Decision] = {}
    for t, (vote, h) in enumerate(members):
        above, way = at[h.after]
        decision = asked.get((id(above), h.test))
        if decision is None:
            decision = asked[id(above), h.test] = _decision(h, schema, way)
            above.decisions.append(decision)
        decision.rounds.append(t + 1)
        decision.members.append((vote, h))
        for o, (number, outcome) in enumerate(zip(h.numbers, decision.outcomes, strict=True)):
            outcome.number += vote * number
            at[t, o] = outcome, (*way, f"{decision.question}: {outcome.edge}")
    return root


def _decision(h: Splitter, schema: Schema, way: tuple[str, ...]) -> Decision:
    words = Words(h.tree, schema, frozenset(), lambda _: "", lambda _: None)
    outcomes = [Prediction(0.0, count, edge) for count, edge in zip(h.counts, _EDGES, strict=False)]
    return Decision(words.question(h.node), [], [], outcomes, way)


def branches(decision: Decision) -> list[Prediction]:
    """The outcomes that training rows had, yes first."""
    met = (decision.outcomes[o] for o in _ORDER if o < len(decision.outcomes))
    return [outcome for outcome in met if outcome.count]


def decisions(root: Prediction) -> Iterator[Decision]:
    """All decision nodes, from the top down."""
    waiting = [root]
    while waiting:
        here = waiting.pop()
        yield from here.decisions
        below = [outcome for decision in here.decisions for outcome in branches(decision)]
        waiting += reversed(below)


def tree_text(root: Prediction, label: Any) -> str:
    """The tree as indented lines: [rounds] test, and below it the number of each outcome."""
    lines = [f"all rows: {root.number:+.4g} ({root.count})"]
    waiting: list[tuple[Any, int]] = [(decision, 0) for decision in reversed(root.decisions)]
    while waiting:
        node, depth = waiting.pop()
        bars = "|   " * depth
        if isinstance(node, Decision):
            rounds = ", ".join(map(str, node.rounds))
            lines.append(f"{bars}[{rounds}] {node.question}")
            waiting += [(outcome, depth + 1) for outcome in reversed(branches(node))]
        else:
            lines.append(f"{bars}{node.edge}: {node.number:+.4g} ({node.count})")
            waiting += [(decision, depth + 1) for decision in reversed(node.decisions)]
    name = printable(str(label))
    lines.append(f"(the score of a row is the sum of the numbers on its ways; above 0: {name})")
    return "\n".join(lines)
