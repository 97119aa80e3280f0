"""One tree of an ensemble, to be read: as text, as a picture, and as rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ..base.messages.table import Spelled, Table, printable
from ..base.messages.value_text import show
from ..base.offered import fact
from ..intake import parameters
from ..intake.schema import Schema
from .rule_text import number_text
from .tree_sum import ALL, Addend, TreeSum, score_names
from .tree_text import Words

Answer = Callable[[int], str | Spelled]


@dataclass(frozen=True, eq=False, repr=False)
class MemberTree:
    """One tree of an ensemble; printed, it is its text.

    A leaf shows what the tree answers there, which counts ``vote`` times in the score.
    """

    number: int
    total: int  # so many trees add to that score
    output: str  # the name of the score; "" where there is one, or all are answered
    vote: float
    words: Words

    @property
    def title(self) -> str:
        """The number of the tree, its score and its vote."""
        whose = f", for {printable(self.output)}" if self.output else ""
        vote = number_text(self.vote)
        return f"tree {self.number} of {self.total}{whose}: vote {vote}"

    def rules(self) -> Table:
        """One line for each leaf: if, then, support."""
        return self.words.rules()

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree as indented lines, one for each branch, down to ``max_depth`` tests."""
        if max_depth is not None:
            parameters.integer("max_depth", max_depth, 1, None, "None")
        return f"{self.title}\n{self.words.text(max_depth)}"

    def to_graphviz(self) -> str:
        """The tree as Graphviz source: write it to a file and run ``dot -Tsvg`` on it."""
        return self.words.graphviz(self.title)

    def __repr__(self) -> str:
        return self.to_text()


def tree_of(model: Any, number: int, output: Any) -> MemberTree:
    """One tree of a fitted ensemble."""
    check_is_fitted(model)
    summed: TreeSum = model._tree_sum()
    names = score_names(model) if summed.n_outputs > 1 else ()
    gaps = fact(model, "_gaps")
    return member_tree(summed, model._schema, names, gaps, number, output)


def member_tree(
    summed: TreeSum,
    schema: Schema,
    names: Sequence[str],
    gaps: frozenset[int] | None,
    number: int,
    output: Any,
) -> MemberTree:
    """A tree of a sum; ``names`` are those of its scores where there are several, ``gaps`` the
    columns with missing values in training, where they are known.
    """
    k = _number_of(output, names)
    apart = any(addend.output != ALL for addend in summed.addends) and len(names) > 1
    if apart and k is None:
        raise ValueError(
            "the model has trees of their own for each of its scores: say whose tree it is by "
            f"output=, one of {', '.join(map(show, names))}."
        )
    of_score = [a for a in summed.addends if k is None or a.output in (ALL, k)]
    if not of_score:
        raise ValueError("the model has no trees: it answers the same for every row.")
    parameters.integer("number", number, 0, len(of_score) - 1)
    addend = of_score[number]
    whose = "" if k is None else names[k]
    known = frozenset(addend.tree.feature.tolist()) if gaps is None else gaps
    words = Words(
        addend.tree,
        schema,
        known,
        _answers(addend, names, k),
        lambda node: None,
        counted=addend.cover is not None,
    )
    return MemberTree(number, len(of_score), whose, addend.vote, words)


def _number_of(output: Any, names: Sequence[str]) -> int | None:
    """The number of a score, by its name or, where no name is that, by the number itself."""
    if output is None:
        return None
    if not names:
        raise ValueError(
            f"output={show(output)} is given, and the model has one score only; leave it out."
        )
    if type(output) is int and str(output) not in names and 0 <= output < len(names):
        return output
    return list(names).index(parameters.one_of("output", str(output), list(names)))


def _answers(addend: Addend, names: Sequence[str], k: int | None) -> Answer:
    """What the tree answers at a node: a number, or one for each score."""
    tree = addend.tree
    if addend.output == ALL and len(names) > 1 and k is None:

        def several(node: int) -> str:
            values = tree.values[tree.value[node]].tolist()
            pairs = zip(names, values, strict=True)
            return ", ".join(f"{name} = {value:.4g}" for name, value in pairs)

        return several

    place = k if addend.output == ALL and k is not None else 0

    def one(node: int) -> Spelled:
        value = float(tree.values[tree.value[node], place])
        return Spelled(value, f"{value:+.4g}")

    return one
