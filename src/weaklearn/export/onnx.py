"""Export of sums of trees to an ONNX graph with double thresholds.

Every test in the graph is x <= split, which all runtimes know. A category enters as text, becomes
a number, and is looked up in a table: a column of it for the number itself, and one for every way
in which some test splits the categories. Times and wide integers enter as 64-bit integers and
become their ranks among the cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.trees.tree_arrays import EVERY_CHILD
from ..base.types import Floats
from ..intake.raw_column import Kind
from . import link as links
from .branches import Branching, Test
from .link import Link
from .model_ir import InputColumn, ModelIR, without_nul

OPSET, TREES = 18, 5  # versions of ai.onnx and ai.onnx.ml
IR = 9
NO_TIME = -(2**63)  # what numpy writes for NaT
_AT_MOST = 0  # the mode x <= split
_OUTPUTS = ("label", "probabilities", "prediction", "score")
_INNER = "weaklearn/"  # before the names of what is neither input nor output


def load_onnx() -> Any:
    """The ``onnx`` package, or an ImportError that says how to install it."""
    try:
        import onnx
    except ImportError:
        raise ImportError(
            "to_onnx needs onnx: pip install '.[onnx]' in a clone of weaklearn"
        ) from None
    return onnx


def onnx_model(model: ModelIR, matrix: bool) -> Any:
    """The ONNX model. ``matrix``: all columns are numbers, and come as one table X."""
    _check(model)
    return _Graph(load_onnx(), model, matrix).made()


def _check(model: ModelIR) -> None:
    for source in model.sources:
        if any(test.missing == EVERY_CHILD for test in model.tests(source)):
            raise TypeError(
                "missing='fraction' sends a row down several branches at once, which ONNX cannot "
                "say; fit with missing='side' or 'branch', or use to_c() or to_python()."
            )
        without_nul(map(str, source.schema.categories), "ONNX")
    without_nul(model.classes, "ONNX")


class _Graph:
    """Collects the nodes and constants of a graph."""

    def __init__(self, onnx: Any, model: ModelIR, matrix: bool) -> None:
        self.onnx, self.model, self.matrix = onnx, model, matrix
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        ranked = (source for source in model.sources if source.ranked)
        self.cuts = {s.feature: model.cuts(s, "ONNX", NO_TIME + 1) for s in ranked}
        self.place: dict[Any, int] = {}  # of a column, or a column and a set, in what trees read

    # --------------------------------------------------------------------------------------- pieces

    def add(self, kind: str, *inputs: Any, to: str = "", domain: str = "", **settings: Any) -> str:
        """Adds one node; returns the name of its output. Inputs are names, or constants."""
        names = [each if isinstance(each, str) else self.constant(each) for each in inputs]
        name = to or f"{_INNER}{kind}_{len(self.nodes)}"
        settings = {key.rstrip("_"): value for key, value in settings.items()}
        node = self.onnx.helper.make_node(kind, names, [name], domain=domain, **settings)
        self.nodes.append(node)
        return name

    def constant(self, values: Any) -> str:
        name = f"{_INNER}constant_{len(self.constants)}"
        array = np.asarray(values)
        if array.dtype.kind in "UO":
            texts = [str(text).encode() for text in array.ravel().tolist()]
            kind = self.onnx.TensorProto.STRING
            tensor = self.onnx.helper.make_tensor(name, kind, array.shape, texts)
        else:
            tensor = self.onnx.numpy_helper.from_array(array, name)
        self.constants.append(tensor)
        return name

    def entry(self, name: str, kind: str, width: int) -> str:
        types = self.onnx.TensorProto
        element = {"double": types.DOUBLE, "text": types.STRING, "integer": types.INT64}[kind]
        given = self.onnx.helper.make_tensor_value_info(name, element, [None, width])
        self.inputs.append(given)
        return name

    # ----------------------------------------------------------------------------------------- rows

    def cells(self) -> str:
        """The name of the matrix that trees read."""
        model = self.model
        if self.matrix or not model.sources:
            self.place = {source.feature: source.feature for source in model.sources}
            return self.entry("X", "double", model.n_features)
        columns = []
        for source in model.sources:
            self.place[source.feature] = len(self.place)
            if source.schema.kind is Kind.CATEGORY:
                columns.append(self._categories(source))
            elif source.ranked:
                columns.append(self._ranks(source))
            else:
                columns.append(self.entry(self._called(source), "double", 1))
        return self.add("Concat", *columns, axis=1)

    def _called(self, source: InputColumn) -> str:
        """The name of a column's input, changed where the graph uses the name itself."""
        name = source.name if source.schema.name is not None else f"x{source.feature}"
        taken = {*_OUTPUTS, *(s.name for s in self.model.sources if s is not source)}
        while not name or name.startswith(_INNER) or name in taken:
            name = f"column {name}"
        return name

    def _categories(self, source: InputColumn) -> str:
        """Maps text to a category number to a row of a table; missing has the last row."""
        n, pool = source.schema.n_categories, len(source.schema.categories)
        keys = {str(category): code for category, code in source.codes.items()}
        keys.setdefault("", n)
        text = self.entry(self._called(source), "text", 1)
        code = self.add(
            "LabelEncoder",
            text,
            domain="ai.onnx.ml",
            keys_strings=list(keys),
            values_int64s=list(keys.values()),
            default_int64=pool if source.joins_pool else n,
        )
        flat = self.add("Reshape", code, [-1])
        table = [[*map(float, range(n)), nan]]
        tests = self.model.tests(source)
        for sets in sorted({test.sets for test in tests if test.sets is not None}):
            self.place[source.feature, sets] = len(self.place)
            child = {code: float(k) for k, codes in enumerate(sets) for code in codes}
            table.append([*(child[code] for code in range(n)), nan])
        return self.add("Gather", np.array(table).T, flat, axis=0)

    def _ranks(self, source: InputColumn) -> str:
        """The number of cuts below an integer; the least 64-bit integer is missing."""
        value = self.entry(self._called(source), "integer", 1)
        cuts = self.cuts[source.feature] or [0]
        above = self.add("Greater", value, np.array([cuts], np.int64))
        counted = self.add("Cast", above, to_=self.onnx.TensorProto.DOUBLE)
        rank = self.add("ReduceSum", counted, [1], keepdims=1)
        missing = self.add("Equal", value, np.array([[NO_TIME]], np.int64))
        return self.add("Where", missing, [[nan]], rank)

    # ---------------------------------------------------------------------------------------- trees

    def scores(self, cells: str) -> str:
        """The name of the sum of all trees and the base."""
        model = self.model
        writer = _TreeWriter(self)
        for tree in model.branches:
            writer.add(tree)
        base = np.array(model.intercept) + writer.constant
        if not writer.roots:
            first = self.add("Slice", cells, [0], [1], [1])  # (n, 1)
            zeros = np.zeros((1, model.n_outputs))
            zero = self.add("Mul", first, zeros)
            total = self.add("Where", self.add("IsNaN", zero), zeros, zero)
        else:
            total = self.add("TreeEnsemble", cells, domain="ai.onnx.ml", **writer.settings())
        if base.any():
            total = self.add("Add", total, base[None])
        if model.divisor > 1:
            total = self.add("Div", total, [[float(model.divisor)]])
        return self.add("Identity", total, to="score")

    # -------------------------------------------------------------------------------------- answers

    def answers(self, score: str) -> list[tuple[str, Any, list[Any]]]:
        """Names, types and shapes of the outputs: labels and probabilities, or numbers."""
        model, link, types = self.model, self.model.link, self.onnx.TensorProto
        if model.shares:
            return self._mean(score)
        if not model.classes:
            held = self.add("Min", score, [[links.HELD]])
            number = self.add("Exp", held) if link.form == links.EXP else score
            self.add("Reshape", number, [-1], to="prediction")
            return [("prediction", types.DOUBLE, [None])]
        shown = [self._label(self._chosen(score))]
        if link.form != links.UNKNOWN:
            self._shares(score, link, "probabilities")
            shown.append(("probabilities", types.DOUBLE, [None, len(model.classes)]))
        return shown

    def _label(self, chosen: str) -> tuple[str, Any, list[Any]]:
        """The output of labels, from the numbers of classes."""
        labels, types = _labels(self.model.classes), self.onnx.TensorProto
        kinds = {"U": types.STRING, "b": types.BOOL, "i": types.INT64, "f": types.DOUBLE}
        self.add("Gather", labels, chosen, to="label", axis=0)
        return "label", kinds[labels.dtype.kind], [None]

    def _mean(self, score: str) -> list[tuple[str, Any, list[Any]]]:
        """The outputs of a bag: the mean over its members."""
        model, types, parts = self.model, self.onnx.TensorProto, list[str]()
        K = max(1, len(model.classes))
        for share in model.shares:
            last = share.first + share.n_scores
            part = self._shares(self.add("Slice", score, [share.first], [last], [1]), share.link)
            if len(share.classes) < K:  # it has not met all of them
                part = self.add("MatMul", part, np.eye(K)[list(share.classes)])
            parts.append(part)
        n = self.constant([[float(len(parts))]])
        if not model.classes:
            mean = self.add("Div", self.add("Sum", *parts), n)
            self.add("Reshape", mean, [-1], to="prediction")
            return [("prediction", types.DOUBLE, [None])]
        mean = self.add("Div", self.add("Sum", *parts), n, to="probabilities")
        label = self._label(self.add("ArgMax", mean, axis=1, keepdims=0))
        return [label, ("probabilities", types.DOUBLE, [None, K])]

    def _chosen(self, score: str) -> str:
        """The name of the class number of each row."""
        model = self.model
        if model.n_outputs > 1 and not (model.second_on_ties and model.n_outputs == 2):
            return self.add("ArgMax", score, axis=1, keepdims=0)
        flat = self.constant([-1])
        if model.n_outputs == 1:
            least = inf if len(model.classes) == 1 else 0.0
            yes = self.add("Greater", self.add("Reshape", score, flat), least)
        else:
            split = self.add("Split", score, to=f"{_INNER}first", axis=1, num_outputs=2)
            self.nodes[-1].output.append(f"{_INNER}second")
            both = self.add("GreaterOrEqual", f"{_INNER}second", split)
            yes = self.add("Reshape", both, flat)
        return self.add("Cast", yes, to_=self.onnx.TensorProto.INT64)

    def _parts(self, score: str, link: Link, scaled: str) -> str:
        if link.form == links.EACH:
            return self.add("Sigmoid", scaled)
        kept = self.add("Mul", score, [[1 - link.shift]])
        rest = [[link.shift / len(self.model.classes)]]
        return self.add("Pow", self.add("Add", kept, rest), [[link.scale]])

    def _shares(self, score: str, link: Link, to: str = "") -> str:
        """The name of the link applied to scores."""
        scaled = score
        if link.form in (links.SIGMOID, links.SOFTMAX, links.EACH) and link.scale != 1:
            scaled = self.add("Mul", score, [[link.scale]])
        if link.shift and link.form != links.POWERS:
            scaled = self.add("Add", scaled, [[link.shift]])
        if link.form == links.SIGMOID:
            yes, no = self.add("Sigmoid", scaled), self.add("Sigmoid", self.add("Neg", scaled))
            return self.add("Concat", no, yes, to=to, axis=1)
        if link.form == links.SHARE:
            half = self.add("Mul", self.add("Clip", score, -1.0, 1.0), [[-1.0, 1.0]])
            return self.add("Mul", self.add("Add", half, [[1.0]]), [[0.5]], to=to)
        if link.form == links.SOFTMAX:
            return self.add("Softmax", scaled, to=to, axis=1)
        if link.form in (links.EACH, links.POWERS):
            each = self._parts(score, link, scaled)
            return self.add("Div", each, self.add("ReduceSum", each, [1], keepdims=1), to=to)
        if link.form == links.SURE:
            return self.add("Clip", self.add("Min", score, [[-1.0]]), 1.0, 1.0, to=to)
        if link.form == links.EXP:
            return self.add("Exp", self.add("Min", score, [[links.HELD]]), to=to)
        assert link.form in (links.MEANS, links.IDENTITY)
        return self.add("Identity", score, to=to)

    def made(self) -> Any:
        helper, types = self.onnx.helper, self.onnx.TensorProto
        score = self.scores(self.cells())
        shown = self.answers(score)
        shown.append(("score", types.DOUBLE, [None, self.model.n_outputs]))
        outputs = [helper.make_tensor_value_info(*each) for each in shown]
        doc = "\n".join([*self.model.words(), *self.model.notes])
        graph = helper.make_graph(
            self.nodes, "weaklearn", self.inputs, outputs, self.constants, doc_string=doc
        )
        versions = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", TREES)]
        about = {"producer_name": "weaklearn", "ir_version": IR, "doc_string": doc}
        found = helper.make_model(graph, opset_imports=versions, **about)
        self.onnx.checker.check_model(found)
        return found


class _TreeWriter:
    """The attributes of TreeEnsemble; a leaf of several numbers becomes several trees."""

    def __init__(self, graph: _Graph) -> None:
        self.graph, self.roots = graph, list[int]()
        self.constant: Floats = np.zeros(graph.model.n_outputs)
        # Column, split, whether missing values go to yes; then yes and no, and if it is a leaf.
        self.nodes: list[list[Any]] = []
        self.leaves: list[tuple[int, float]] = []  # targets and weights

    def add(self, tree: Branching) -> None:
        root = tree.nodes[0]
        if not isinstance(root, Test):
            self.constant[tree.output : tree.output + len(root)] += tree.vote * np.array(root)
            return
        width = next(len(node) for node in tree.nodes if not isinstance(node, Test))
        for k in range(width):
            self.roots.append(len(self.nodes))
            self._write(tree, k)

    def _write(self, tree: Branching, k: int) -> None:
        """Writes all nodes of a tree, parents first, without recursion."""
        waiting: list[tuple[int, int | None, bool]] = [(0, None, True)]
        while waiting:
            node, parent, side = waiting.pop()
            content = tree.nodes[node]
            if not isinstance(content, Test):
                assert parent is not None
                self._hang(parent, side, len(self.leaves), True)
                self.leaves.append((tree.output + k, tree.vote * content[k]))
                continue
            for at, onwards in self._asked(content, parent, side):
                waiting += [(child, at, branch) for branch, child in onwards]

    def _asked(
        self, test: Test, parent: int | None, side: bool
    ) -> list[tuple[int, list[tuple[bool, int]]]]:
        """Writes the nodes of a test; returns where each of its children is attached."""
        chain = self._chain(test)
        children, missing = test.children, test.missing
        found = []
        if missing >= (len(chain) + 1 if chain else 0):  # a child of their own, or nothing else
            at = self._node(self.graph.place[test.feature], inf, False, parent, side)
            known = [] if chain else [(True, children[0])]
            found.append((at, [(False, children[missing]), *known]))
            parent, side = at, True
        for k, (column, split) in enumerate(chain):
            at = self._node(column, split, missing == k, parent, side)
            last = [(False, children[k + 1])] if k + 1 == len(chain) else []
            found.append((at, [(True, children[k]), *last]))
            parent, side = at, False
        return found

    def _chain(self, test: Test) -> list[tuple[int, float]]:
        """Columns and splits: up to the first split the first child, up to the next the second,
        and so on; above them all the last.
        """
        place = self.graph.place
        column = place[test.feature]
        if test.sets is not None:
            column = place[test.feature, test.sets]
            return [(column, k + 0.5) for k in range(len(test.sets) - 1)]
        if test.cut is None:
            return []
        if isinstance(test.cut, int):
            return [(column, float(self.graph.cuts[test.feature].index(test.cut)))]
        return [(column, float(test.cut))]

    def _node(self, column: int, split: float, tracks: bool, parent: int | None, side: bool) -> int:
        self.nodes.append([column, split, int(tracks), 0, 0, 0, 0])
        if parent is not None:
            self._hang(parent, side, len(self.nodes) - 1, False)
        return len(self.nodes) - 1

    def _hang(self, parent: int, side: bool, what: int, leaf: bool) -> None:
        at = 3 if side else 5
        self.nodes[parent][at : at + 2] = what, int(leaf)

    def settings(self) -> dict[str, Any]:
        feature, split, tracks, yes, yes_leaf, no, no_leaf = map(list, zip(*self.nodes))
        targets, weights = map(list, zip(*self.leaves))
        tensor = self.graph.onnx.numpy_helper.from_array
        return {
            "n_targets": self.graph.model.n_outputs,
            "aggregate_function": 1,
            "post_transform": 0,
            "tree_roots": self.roots,
            "nodes_featureids": feature,
            "nodes_splits": tensor(np.array(split, np.float64)),
            "nodes_modes": tensor(np.full(len(split), _AT_MOST, np.uint8)),
            "nodes_missing_value_tracks_true": tracks,
            "nodes_truenodeids": yes,
            "nodes_trueleafs": yes_leaf,
            "nodes_falsenodeids": no,
            "nodes_falseleafs": no_leaf,
            "leaf_targetids": targets,
            "leaf_weights": tensor(np.array(weights, np.float64)),
        }


def _labels(classes: Sequence[Any]) -> NDArray[Any]:
    """Classes as a tensor can hold them: bools, integers, floats, or texts."""
    labels = np.array(list(classes))
    if labels.dtype.kind in "bfi":
        return labels.astype(np.int64) if labels.dtype.kind == "i" else labels
    return np.array([str(label) for label in classes])
