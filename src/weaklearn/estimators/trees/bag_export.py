"""Bags of trees: explained by column, and as the intermediate form that exports write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from ...base.messages.value_text import show
from ...base.offered import fact, offers
from ...base.sample import take_columns
from ...base.trees.term import TermSum
from ...base.trees.tree_arrays import EVERY_CHILD
from ...base.types import Floats, Ints
from ...export.branches import Branching, Test, branching
from ...export.link import BAGGED, IDENTITY, MEANS, SURE, UNKNOWN, Link
from ...export.model_ir import InputColumn, ModelIR, Share
from ...export.trees import answers_link, of_terms, refuse_decoded
from ...inspection import shapley
from ...inspection.explanation import Explanation
from ...inspection.no_tree_sum import NoTreeSum
from ...inspection.rule_text import feature_name
from ...inspection.shapley import Interactions, RawColumns, explained, refuse_many
from ...inspection.tree_sum import ALL, Addend, OfTrees, TreeSum, foreign_members, stump_tree
from ...intake.column_schema import MOST_CATEGORIES, ColumnSchema
from ...intake.raw_column import Kind
from ...intake.schema import Schema
from ...losses.links import stump_answers
from ...prediction.rows import classes_of, label_values, two_classes
from ..model import Model
from .base import TreeEstimator
from .forest import Forest
from .several_outputs import refuse_several
from .stump import DecisionStumpClassifier

if TYPE_CHECKING:
    from .bagging import Bagging


OF_ONE = "explanations and exports are"


def part_of(X: Any, columns: Ints, n_features: int) -> Any:
    """Some columns of X; X itself where that is all of them."""
    return X if len(columns) == n_features else take_columns(X, columns)


def explain(self: Bagging, X: Any, *, positive: Any = None) -> Explanation:
    """What every column adds to the average, for bags of stumps or trees of this library.

    Contributions are the means of those of the members: of a tree the Shapley values, of a
    stump what it says.

    ``positive`` is the class, of two, whose score it is: the model's own, else ``classes_[1]``.

    >>> import numpy as np
    >>> from weaklearn import BaggingRegressor
    >>> X = np.arange(80.0).reshape(40, 2) % 7
    >>> model = BaggingRegressor("tree", n_estimators=3).fit(X, X[:, 0] * X[:, 1])
    >>> bool(np.allclose(model.explain(X).scores, model.predict(X)))
    True
    """
    refuse_several(self, OF_ONE)
    rows, schema, classes = self._rows(X), self._schema, self._known_classes
    n, K, members = len(rows), max(1, len(classes)), self._members()
    parts, base = np.zeros((n, schema.n_features, K)), np.zeros(K)
    for member, columns in members:
        positions = class_positions(member, classes)
        if isinstance(member, DummyClassifier):  # of one class
            base[positions] += 1.0
            continue
        seen = member._rows(part_of(rows.raw, columns, schema.n_features))
        why = explained(sum_of_member(member), seen, member._schema, [], "")
        parts[:, columns[:, None], positions] += why.contributions.reshape(n, len(columns), -1)
        base[positions] += why.base
    parts, base = _mean(parts, base, len(members))
    several = parts.shape[2] > 1
    return Explanation(
        base=base if several else float(base[0]),
        contributions=parts if several else parts[:, :, 0],
        names=tuple(feature_name(schema, j) for j in range(schema.n_features)),
        features=tuple((j,) for j in range(schema.n_features)),
        outputs=tuple(map(str, classes)) if several else (),
        scale=_scale(classes),
        cells=RawColumns(rows, ()),
        classes=() if several else two_classes(self),
    ).of_positive(self, positive)


def interactions(self: Bagging, X: Any, *, positive: Any = None) -> Interactions:
    """What every two columns do together, on average over the members: for bags of trees."""
    refuse_several(self, OF_ONE)
    schema, classes, members = self._schema, self._known_classes, self._members()
    n, d, K = len(self._rows(X)), schema.n_features, max(1, len(classes))
    refuse_many(n, d, K)
    pairs, base = np.zeros((n, d, d, K)), np.zeros(K)
    for member, columns in members:
        positions, m = class_positions(member, classes), len(columns)
        if isinstance(member, DummyClassifier):
            base[positions] += 1.0
            continue
        seen = member._rows(part_of(X, columns, d))
        found = shapley.interactions(sum_of_member(member), seen, member._schema, [], "")
        values = found.values.reshape(n, m, m, -1)
        pairs[np.ix_(np.arange(n), columns, columns, positions)] += values
        base[positions] += found.base
    pairs, base = _mean(pairs, base, len(members))
    several = pairs.shape[3] > 1
    return Interactions(
        base=base if several else float(base[0]),
        values=pairs if several else pairs[..., 0],
        names=tuple(feature_name(schema, j) for j in range(d)),
        outputs=tuple(map(str, classes)) if several else (),
        scale=_scale(classes),
        classes=() if several else two_classes(self),
    ).of_positive(self, positive)


def _scale(classes: Any) -> str:
    """What the averages are counted in."""
    unit = "probability" if len(classes) else "prediction"
    return f"{unit} of {classes[1]}" if len(classes) == 2 else unit


def class_positions(member: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """The positions of a member's classes among those of the bag; 0 for regressors."""
    if not len(classes):
        return np.zeros(1, np.intp)
    return np.asarray(np.searchsorted(classes, member.classes_), np.intp)


def _mean(parts: Floats, base: Floats, n: int) -> tuple[Floats, Floats]:
    """Sums over n members as means; of two classes the second one alone."""
    parts, base = parts / n, base / n
    return (parts[..., 1:], base[1:]) if len(base) == 2 else (parts, base)


def sum_of_member(member: Any) -> TreeSum:
    """The sum of trees that gives a member's class shares, or its number."""
    if isinstance(member, (TreeEstimator, Forest)):
        return member._tree_sum()
    if isinstance(member, DecisionStumpClassifier):
        classes = member.classes_

        def shares(answer: int) -> list[float]:
            answered = stump_answers(classes, np.array([answer]))[0]
            return [float(k == answered) for k in range(len(classes))]

        tree = stump_tree(member.stump_, shares)
        return TreeSum(np.zeros(len(classes)), (Addend(tree, 1.0, ALL, None),))
    if isinstance(member, OfTrees) and adds_up(member):
        return member._tree_sum()
    if offers(member, "explain"):
        raise NoTreeSum(
            f"its members are of type {type(member).__name__}, and an average of them is no sum of "
            "stumps or trees",
            "explain each of estimators_ by itself, or bag trees",
            "export each of estimators_ by itself, or bag trees",
        )
    raise foreign_members(member)


def adds_up(member: Any) -> bool:
    """Whether a member's predictions are the sums of its trees, with no link function."""
    if isinstance(member, (TreeEstimator, Forest, DecisionStumpClassifier)):
        return True
    return classes_of(member) is None and answers_link(member, 1).form == IDENTITY


UNSEEN = frozenset(["values never seen"])  # which make up a category of their own


def model_ir(self: Bagging, as_trees: bool) -> ModelIR:
    """The intermediate form of a bag of trees, of stumps, or of models that are sums of them."""
    refuse_several(self, OF_ONE)
    schema, classes = self._schema, self._known_classes
    members = [
        (member, [int(j) for j in columns], sum_of(member)) for member, columns in self._members()
    ]
    sources, read = inputs_of(schema, members, classes)
    parts = [(member, summed) for member, (_, _, summed) in zip(read, members, strict=True)]
    noun = type(self.estimator_).__name__
    averaged = all(adds_up(member) for member, *_ in members if not _of_one_class(member))
    return ModelIR(
        f"{type(self).__name__}, the mean of {len(members)} models of type {noun}",
        schema.n_features,
        sources,
        (),
        classes=tuple(label_values(classes)),
        **(_averaged_scores(parts, len(classes)) if averaged else _averaged_answers(parts)),
    )


def inputs_of(
    schema: Schema, members: Sequence[tuple[Any, list[int], TreeSum]], classes: NDArray[Any]
) -> tuple[tuple[InputColumn, ...], list[Member]]:
    """The columns that members with schemas of their own ask for, and members in these words.

    Of each member come its columns and its sum of trees.
    """
    used = sorted({columns[j] for _, columns, summed in members for j in summed.features})
    asked = {j: _column(schema.columns[j], j, members) for j in used}
    sources = tuple(InputColumn(j, feature_name(schema, j), asked[j]) for j in used)
    return sources, [Member(member, columns, asked, classes) for member, columns, _ in members]


def _averaged_scores(members: Sequence[tuple[Member, TreeSum]], n_classes: int) -> dict[str, Any]:
    """What members add up to is what they say: so is the mean of it."""
    K = max(1, n_classes)
    base, branches = np.zeros(K), list[Branching]()
    for member, summed in members:
        base[list(member.class_positions)] += summed.base
        branches += [member.branching(addend, K) for addend in summed.addends]
    return {
        "intercept": tuple(base.tolist()),
        "link": Link(IDENTITY if not n_classes else SURE if K == 1 else MEANS),
        "branches": tuple(branches),
        "divisor": len(members),
    }


def _averaged_answers(members: Sequence[tuple[Member, TreeSum]]) -> dict[str, Any]:
    """Scores of all members, one after another, and what each makes of its own."""
    base, branches, shares = list[float](), list[Branching](), list[Share]()
    for member, summed in members:
        first = len(base)
        link = Link(SURE)
        if not _of_one_class(member.model):
            link = answers_link(member.model, summed.n_outputs)
        if link.form == UNKNOWN or summed.known is not None:
            raise NoTreeSum(
                f"its members, of type {type(member.model).__name__}, have no link that an export "
                "can write",
                "bag trees",
            )
        shares.append(Share(link, first, summed.n_outputs, member.class_positions))
        base += summed.base.tolist()
        found = [member.branching(addend) for addend in summed.addends]
        branches += [replace(tree, output=first + tree.output) for tree in found]
    return {
        "intercept": tuple(base),
        "link": Link(BAGGED),
        "branches": tuple(branches),
        "shares": tuple(shares),
    }


def _of_one_class(member: Any) -> bool:
    """Whether it is the constant classifier that takes the place of a bag of one class."""
    return isinstance(member, DummyClassifier)


def sum_of(member: Any) -> TreeSum:
    """All trees of a member; refused by name where it is no sum."""
    if _of_one_class(member):
        return TreeSum(np.ones(1), ())
    if isinstance(member, Model):
        refuse_decoded(member)
        if isinstance(member._ensemble, TermSum):
            return of_terms(member._ensemble)
    if isinstance(member, OfTrees) and not adds_up(member):
        return member._tree_sum()
    return sum_of_member(member)


def _column(column: ColumnSchema, j: int, members: Sequence[Any]) -> ColumnSchema:
    """A column as an export reads it: every category that some member distinguishes."""
    if column.kind is not Kind.CATEGORY:
        return column
    categories = tuple(sorted([*column.categories, *column.pooled]))
    if len(categories) > MOST_CATEGORIES:
        raise ValueError(
            f"column {show(column.name)} has {len(categories):,} categories, more than the "
            f"{MOST_CATEGORIES} that the export of a bag can tell apart; merge rare ones and fit "
            "again."
        )
    own = [
        member._schema.columns[columns.index(j)]
        for member, columns, _ in members
        if j in columns and not _of_one_class(member)
    ]
    apart = any(each.pooled and each.unseen_joins_pool for each in own)
    return replace(
        column,
        categories=categories,
        pooled=UNSEEN if apart else frozenset(),
        unseen_joins_pool=apart,
    )


class Member:
    """One member: its own columns, categories and classes, and those of the bag that they are."""

    def __init__(
        self,
        member: Any,
        columns: Sequence[int],
        asked: dict[int, ColumnSchema],
        classes: NDArray[Any],
    ) -> None:
        self.model, self.schema = member, fact(member, "_schema")
        self.columns, self.asked = columns, asked
        positions = np.searchsorted(classes, member.classes_).tolist() if len(classes) else [0]
        self.class_positions: tuple[int, ...] = tuple(
            positions
        )  # which classes of the bag it has met

    def branching(self, addend: Any, width: int = 0) -> Branching:
        """A tree in the words of the bag; leaves of so many numbers, one a class."""
        assert self.schema is not None
        found = branching(addend, self.schema.columns)
        nodes = (
            self._test(node) if isinstance(node, Test) else self._leaf(node, width)
            for node in found.nodes
        )
        return replace(found, nodes=tuple(nodes))

    def _test(self, node: Test) -> Test:
        assert self.schema is not None
        own, feature = self.schema.columns[node.feature], self.columns[node.feature]
        column = self.asked[feature]
        if (own.kind, own.unit, own.tz) != (column.kind, column.unit, column.tz):
            raise TypeError(
                f"column {show(column.name)} was read in another way by some members than by the "
                "bag as a whole, so that it cannot be written; give it one type throughout."
            )
        if column.kind is not Kind.CATEGORY:
            return replace(node, feature=feature)
        return replace(node, feature=feature, cut=None, sets=self._sets(node, own, column))

    def _leaf(self, values: tuple[float, ...], width: int) -> tuple[float, ...]:
        """A number for every class of the bag; a member may have met some of them only."""
        if len(values) >= width:
            return values
        wide = [0.0] * width
        for k, value in zip(self.class_positions, values, strict=True):
            wide[k] = value
        return tuple(wide)

    def _sets(
        self, test: Test, own: ColumnSchema, column: ColumnSchema
    ) -> tuple[tuple[int, ...], ...]:
        """For every child the categories of the bag that go there."""
        sets: list[list[int]] = [[] for _ in test.children]
        for category, code in enumerate(_own_codes(own, column)):
            child = test.missing if code < 0 else _child(test, code)
            if child == EVERY_CHILD:
                raise TypeError(
                    f"column {show(column.name)} holds categories that some bags lack, and "
                    "missing='fraction' sends such rows down several branches at once, which no "
                    "export of a bag writes; fit with missing='side' or 'branch'."
                )
            sets[child].append(category)
        return tuple(map(tuple, sets))


def _own_codes(own: ColumnSchema, column: ColumnSchema) -> list[int]:
    """A member's numbers of the categories of the bag, -1 where it takes them for missing."""
    codes = {category: code for code, category in enumerate(own.categories)}
    codes |= dict.fromkeys(own.pooled, len(own.categories))
    never = len(own.categories) if own.pooled and own.unseen_joins_pool else -1
    found = [codes.get(category, never) for category in column.categories]
    return [*found, never] if column.pooled else found


def _child(test: Test, code: int) -> int:
    """The child that a category of the member's own goes to."""
    if test.sets is not None:
        return next(child for child, categories in enumerate(test.sets) if code in categories)
    return 0 if test.cut is None else int(code > test.cut)
