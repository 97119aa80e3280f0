"""The trees of a bag: one to be read, or all of them for the package shap."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.dummy import DummyClassifier

from ...base.offered import fact
from ...inspection.member_tree import MemberTree, member_tree
from ...inspection.rule_text import feature_name, renamed
from ...inspection.shap_trees import binary_tree, dictionary
from ...intake import parameters
from ...prediction.rows import classes_of
from .bag_export import OF_ONE, class_positions, part_of, sum_of_member
from .several_outputs import refuse_several

if TYPE_CHECKING:
    from .bagging import Bagging


def tree(self: Bagging, number: int, output: Any = None) -> MemberTree:
    """One tree of a bag of stumps or trees: that of the member of this number, counted from 0.

    ``output`` is the only class whose shares the leaves are to show.
    """
    refuse_several(self, OF_ONE)
    rows, members = self._schema, self._members()
    parameters.integer("number", number, 0, len(members) - 1)
    member, columns = members[number]
    if isinstance(member, DummyClassifier):
        raise ValueError(f"number={number} is a member that met one class only, and has no tree.")
    summed = sum_of_member(member)
    if len(summed.addends) > 1:
        raise ValueError(
            f"number={number} is a model of {len(summed.addends)} trees: ask "
            f"estimators_[{number}].tree(...)."
        )
    schema = renamed(member._schema, [feature_name(rows, int(j)) for j in columns])
    classes = classes_of(member)
    names = () if classes is None else [str(label) for label in classes]
    found = member_tree(summed, schema, names, fact(member, "_gaps"), 0, output)
    n = len(members)
    return replace(found, number=number, total=n, vote=found.vote / n)


def to_shap_trees(self: Bagging, X: Any = None) -> dict[str, Any]:
    """The bag as the dictionary that ``shap.TreeExplainer`` takes for a model."""
    refuse_several(self, OF_ONE)
    classes, members, trees = self._known_classes, self._members(), []
    K = max(1, len(classes))
    base = np.zeros(K)
    given = None if X is None else self._rows(X)
    for member, columns in members:
        places = class_positions(member, classes)
        if isinstance(member, DummyClassifier):
            base[places] += 1 / len(members)
            continue
        summed, rows = sum_of_member(member), None
        if given is not None:
            rows = member._rows(part_of(given.raw, columns, self._schema.n_features))
        base[places] += summed.base / len(members)
        for a in summed.addends:
            one = binary_tree(a, member._schema, K, places, rows, columns)
            trees.append(one | {"values": one["values"] / len(members)})
    if K == 2:
        base = base[1:]
        trees = [one | {"values": one["values"][:, 1:]} for one in trees]
    return dictionary(trees, base, "probability" if len(classes) else "prediction")
