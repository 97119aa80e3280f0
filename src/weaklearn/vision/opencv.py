"""Cascades in OpenCV's XML: what its CascadeClassifier loads, read and written.

OpenCV keeps numbers as singles, takes the deviation of a window without its outermost pixels, and
compares values divided by (area times sigma). ``as_opencv`` gives any cascade that form, and what
``write`` writes is what ``read`` reads.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from ..files.disk import write_out
from .cascade import Cascade
from .single_precision import Singles, least_single, next_singles, single_at_most, singles

_MOST_BYTES = 64 * 2**20  # the largest cascade that OpenCV brings along has 3 MB
_MOST_ELEMENTS = 2_000_000
_MOST_DEPTH = 16
_MOST_RECTS = 3  # of a feature
_SLACK = np.float32(1e-5)  # OpenCV lowers every stage threshold by this much


class OpenCVFormatError(ValueError):
    """A file that is no OpenCV cascade, or uses what is not supported."""


# --------------------------------------------------------------------------------------- reading


@dataclass
class _Element:
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[_Element] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def read(path: str | os.PathLike[str]) -> Cascade:
    """The cascade in an XML file of OpenCV 3 or 4.

    Haar features, upright or tilted, stumps or trees. Entities and document types are refused, and
    so are files beyond 64 MiB; every number is checked before it is used.
    """
    file = Path(path)
    with file.open("rb") as opened:
        data = opened.read(_MOST_BYTES + 1)  # of a device or a pipe no size is known
    if len(data) > _MOST_BYTES:
        raise OpenCVFormatError(
            f"{file.name} has more than {_MOST_BYTES:,} bytes: cascades above {_MOST_BYTES:,} "
            "bytes are not read."
        )
    try:
        return _cascade(_parsed(data))
    except OpenCVFormatError as problem:
        raise OpenCVFormatError(f"{file.name} cannot be read as a cascade: {problem}.") from None
    except ValueError as problem:  # the cascade's own checks
        raise OpenCVFormatError(f"{file.name} cannot be used: {problem}.") from None


def _parsed(data: bytes) -> _Element:
    """The elements of an XML document, without any entity, and not too many nor too deep."""
    parser = expat.ParserCreate()
    top = _Element("")
    stack = [top]
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MOST_ELEMENTS:
            raise OpenCVFormatError(f"it has more than {_MOST_ELEMENTS:,} elements")
        if len(stack) > _MOST_DEPTH:
            raise OpenCVFormatError(f"its elements are nested more than {_MOST_DEPTH} deep")
        made = _Element(name, attributes)
        stack[-1].children.append(made)
        stack.append(made)

    def refuse(*_: Any) -> NoReturn:
        raise OpenCVFormatError("it declares a document type or entities, which no cascade needs")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = lambda text: stack[-1].text.append(text)
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        raise OpenCVFormatError(f"it is not well-formed XML ({problem})") from None
    except (LookupError, ValueError) as problem:  # an encoding that nobody knows
        if isinstance(problem, OpenCVFormatError):
            raise
        raise OpenCVFormatError(f"its text cannot be decoded ({problem})") from None
    return top


def _child(parent: _Element, name: str) -> _Element:
    for child in parent.children:
        if child.name == name:
            return child
    raise OpenCVFormatError(f"<{parent.name}> has no <{name}>")


def _numbers(element: _Element) -> list[float]:
    words = "".join(element.text).split()
    try:
        return [float(word) for word in words]
    except ValueError as problem:
        raise OpenCVFormatError(f"<{element.name}> holds something else: {problem}") from None


def _integers(element: _Element, numbers: list[float] | None = None) -> list[int]:
    found = _numbers(element) if numbers is None else numbers
    for number in found:
        if not (abs(number) < 2**31 and number == int(number)):
            raise OpenCVFormatError(f"<{element.name}> holds {number:g}, not a whole number")
    return [int(number) for number in found]


def _one(parent: _Element, name: str, otherwise: float | None = None) -> float:
    if otherwise is not None and all(child.name != name for child in parent.children):
        return otherwise
    numbers = _numbers(_child(parent, name))
    if len(numbers) != 1:
        raise OpenCVFormatError(f"<{name}> holds {len(numbers)} numbers, not 1")
    return numbers[0]


def _word(parent: _Element, name: str) -> str:
    return "".join(_child(parent, name).text).strip()


def _cascade(document: _Element) -> Cascade:
    root = document.children[0]
    if root.name != "opencv_storage":
        raise OpenCVFormatError(f"its outermost element is <{root.name}>, not <opencv_storage>")
    if not root.children:
        raise OpenCVFormatError("its <opencv_storage> is empty")
    cascade = root.children[0]
    kind = cascade.attributes.get("type_id", "")
    if kind == "opencv-haar-classifier":
        raise OpenCVFormatError(
            "it is in the format of OpenCV 1 (opencv-haar-classifier), which is not supported"
        )
    if kind not in ("opencv-cascade-classifier", ""):
        raise OpenCVFormatError(f"its type_id is {kind!r}, not 'opencv-cascade-classifier'")
    for name, supported in (("stageType", "BOOST"), ("featureType", "HAAR")):
        if _word(cascade, name) != supported:
            raise OpenCVFormatError(
                f"its {name} is {_word(cascade, name)!r}; only {supported} is supported"
            )
    if _one(_child(cascade, "featureParams"), "maxCatCount", 0.0) != 0.0:
        raise OpenCVFormatError("its features are categories (maxCatCount), not supported")
    height, width = (_integers(cascade, [_one(cascade, side)])[0] for side in ("height", "width"))
    area = (height - 2) * (width - 2)
    arrays = _features(_child(cascade, "features")) | _stages(_child(cascade, "stages"), area)
    if len(arrays["stage_start"]) < 2:
        raise OpenCVFormatError("it has no stages")
    return Cascade.of(height, width, inset=True, **arrays)


def _features(element: _Element) -> dict[str, Any]:
    rects: list[list[int]] = []
    weights: list[np.float32] = []
    starts, tilted = [0], []
    for feature in element.children:
        children = _child(feature, "rects").children
        if not 1 <= len(children) <= _MOST_RECTS:
            raise OpenCVFormatError(f"a feature has {len(children)} rectangles, not 1 to 3")
        for child in children:
            numbers = _numbers(child)
            if len(numbers) != 5:
                raise OpenCVFormatError(f"a rectangle has {len(numbers)} numbers, not 5")
            left, top, width, height = _integers(child, numbers[:4])
            rects.append([top, left, height, width])
            weights.append(_single(numbers[4]))
        starts.append(len(rects))
        tilted.append(_one(feature, "tilted", 0.0) != 0.0)
    return {
        "rects": np.array(rects, np.int32).reshape(-1, 4),
        "rect_weight": np.array(weights, np.float64),
        "feature_start": starts,
        "tilted": np.array(tilted, np.bool_) if any(tilted) else None,
    }


def _stages(element: _Element, area: int) -> dict[str, Any]:
    nodes: list[tuple[int, int, int, float, float, float]] = []
    starts, thresholds = [0], []
    for stage in element.children:
        for tree in _child(stage, "weakClassifiers").children:
            nodes.extend(_tree(tree))
        starts.append(len(nodes))
        least = np.float32(_single(_one(stage, "stageThreshold")) - _SLACK)
        thresholds.append(_strictly_below(least))
    low, high, feature, threshold, at_low, at_high = zip(*nodes, strict=True) if nodes else [()] * 6
    trees = any(low) or any(high)
    return {
        "node_feature": feature,
        "node_threshold": np.array(threshold, np.float64) * area,
        "node_low": at_low,
        "node_high": at_high,
        "stage_start": starts,
        "stage_threshold": thresholds,
        "low_child": low if trees else None,
        "high_child": high if trees else None,
    }


def _tree(element: _Element) -> Iterator[tuple[int, int, int, float, float, float]]:
    """Nodes of one weak classifier: children, feature, threshold, scores."""
    numbers = _numbers(_child(element, "internalNodes"))
    leaves = [float(_single(value)) for value in _numbers(_child(element, "leafValues"))]
    if not numbers or len(numbers) % 4:
        raise OpenCVFormatError(f"<internalNodes> holds {len(numbers)} numbers, not four a node")
    count = len(numbers) // 4
    reached = sorted(k for n in range(count) for k in numbers[4 * n : 4 * n + 2] if k > 0)
    if reached != list(range(1, count)):
        raise OpenCVFormatError(f"not every node of a tree of {count} is led to, and by one other")
    for n in range(count):
        low, high, feature = _integers(element, numbers[4 * n : 4 * n + 3])
        for child in (low, high):
            if child > 0 and not n < child < count:
                raise OpenCVFormatError(f"node {n} of a tree of {count} goes on at node {child}")
            if -child >= len(leaves):
                raise OpenCVFormatError(f"a tree has {len(leaves)} leaves and none number {-child}")
        yield (
            max(low - n, 0) if low > 0 else 0,
            max(high - n, 0) if high > 0 else 0,
            feature,
            _at_most_below(_single(numbers[4 * n + 3])),
            leaves[-low] if low <= 0 else 0.0,
            leaves[-high] if high <= 0 else 0.0,
        )


def _single(number: float) -> np.float32:
    with np.errstate(over="ignore"):
        single = np.float32(number)
    if not np.isfinite(single):
        raise OpenCVFormatError(f"it holds the number {number:g}, which is not finite in singles")
    return single


def _at_most_below(threshold: np.float32) -> float:
    """The float32 next below t: OpenCV tests v < t in float32, a cascade v <= t."""
    return float(np.nextafter(threshold, np.float32(-np.inf)))


def _strictly_below(threshold: np.float32) -> float:
    """The float64 next below t: OpenCV tests sum >= t, a cascade sum > t."""
    return float(np.nextafter(float(threshold), -np.inf))


# ------------------------------------------------------------------------------- OpenCV's own form


def as_opencv(cascade: Cascade) -> Cascade:
    """The cascade as OpenCV stores it: inset, in float32, at most three rectangles per feature.

    A window that is not inset grows by one pixel on each side, so that OpenCV's normalisation,
    which leaves out the outermost pixels, is that of the window as it was. Stage thresholds are
    rounded so that no window is lost by rounding. Of a cascade that has this form already, nothing
    changes.
    """
    if not cascade.inset:
        cascade = replace(
            cascade,
            height=cascade.height + 2,
            width=cascade.width + 2,
            rects=cascade.rects + np.array([1, 1, 0, 0], np.int32),
            inset=True,
        )
    most = int(np.diff(cascade.feature_start).max(initial=0))
    if most > _MOST_RECTS:
        raise ValueError(f"a feature has {most} rectangles, but OpenCV allows {_MOST_RECTS}.")
    area = (cascade.height - 2) * (cascade.width - 2)
    answers_low = _only_answers(cascade.node_low, cascade.low_child)
    answers_high = _only_answers(cascade.node_high, cascade.high_child)
    low, high = singles(answers_low), singles(answers_high)
    lost = np.maximum(np.abs(low - answers_low), np.abs(high - answers_high))
    lost_before = np.concatenate([[0.0], np.cumsum(lost)])
    slack = np.diff(lost_before[cascade.stage_start])
    return replace(
        cascade,
        rect_weight=singles(cascade.rect_weight),
        node_threshold=single_at_most(cascade.node_threshold / area).astype(np.float64) * area,
        node_low=low,
        node_high=high,
        stage_threshold=np.array(
            [_strictly_below(np.float32(t - _SLACK)) for t in _written_thresholds(cascade, slack)],
            np.float64,
        ),
    ).checked()


def _only_answers(
    scores: NDArray[np.float64], child: NDArray[np.int32] | None
) -> NDArray[np.float64]:
    """The scores of nodes, 0 where a child is an inner node."""
    return scores if child is None else np.where(child > 0, 0.0, scores)


def _written_thresholds(cascade: Cascade, slack: NDArray[np.float64]) -> Iterator[np.float32]:
    """For each stage the single t so that OpenCV's sum >= t - 1e-5 means: above the threshold."""
    for threshold in cascade.stage_threshold - slack:
        yield least_single(partial(_is_above, float(threshold)))


def _is_above(threshold: float, written: np.float32) -> bool:
    return float(np.float32(written - _SLACK)) > threshold


# --------------------------------------------------------------------------------------- writing


def write(cascade: Cascade, path: str | os.PathLike[str]) -> None:
    """An XML file that OpenCV 3 and 4 load; its detections are those of ``scan="pyramid"``."""
    form = as_opencv(cascade)
    area = (form.height - 2) * (form.width - 2)
    least = np.array([*_written_thresholds(form, np.zeros(form.n_stages))], np.float32)
    below = next_singles(form.node_threshold / area)
    _refuse_infinite("stage", cascade.stage_threshold, least)
    _refuse_infinite("node", cascade.node_threshold, below)
    write_out(path, ("\n".join(_lines(form, least, below)) + "\n").encode("ascii"))


def _refuse_infinite(what: str, given: NDArray[np.float64], written: Singles) -> None:
    for k in np.flatnonzero(np.isinf(written)):
        raise ValueError(
            f"{what} {k} has the threshold {given[k]:g}, too large for OpenCV's float32."
        )


def _lines(cascade: Cascade, least: Singles, below: Singles) -> Iterator[str]:
    counts = np.diff(cascade.stage_start)
    yield '<?xml version="1.0"?>'
    yield "<opencv_storage>"
    yield '<cascade type_id="opencv-cascade-classifier"><stageType>BOOST</stageType>'
    yield f"  <featureType>HAAR</featureType>\n  <height>{cascade.height}</height>"
    yield f"  <width>{cascade.width}</width>"
    yield f"  <stageParams>\n    <maxWeakCount>{counts.max(initial=0)}</maxWeakCount></stageParams>"
    yield "  <featureParams>\n    <maxCatCount>0</maxCatCount></featureParams>"
    yield f"  <stageNum>{cascade.n_stages}</stageNum>\n  <stages>"
    for s, threshold in enumerate(least):
        trees = list(_trees(cascade, int(cascade.stage_start[s]), int(cascade.stage_start[s + 1])))
        yield f"    <_>\n      <maxWeakCount>{len(trees)}</maxWeakCount>"
        yield f"      <stageThreshold>{float(threshold)!r}</stageThreshold>"
        yield "      <weakClassifiers>"
        for nodes in trees:
            yield from _tree_lines(cascade, nodes, below)
        yield "      </weakClassifiers></_>"
    yield "  </stages>\n  <features>"
    for f in range(cascade.n_features):
        yield "    <_>\n      <rects>"
        for r in range(int(cascade.feature_start[f]), int(cascade.feature_start[f + 1])):
            top, left, height, width = cascade.rects[r].tolist()
            weight = float(cascade.rect_weight[r])
            yield f"        <_>\n          {left} {top} {width} {height} {weight!r}</_>"
        tilted = cascade.tilted is not None and bool(cascade.tilted[f])
        yield f"      </rects>\n      <tilted>{int(tilted)}</tilted></_>"
    yield "  </features></cascade>\n</opencv_storage>"


def _trees(cascade: Cascade, first: int, last: int) -> Iterator[range]:
    """The nodes of every weak classifier of a stage."""
    inner = np.zeros(cascade.n_nodes, np.bool_)
    for child in (cascade.low_child, cascade.high_child):
        if child is not None:
            inner[(np.arange(cascade.n_nodes) + child)[child > 0]] = True
    begins = [n for n in range(first, last) if not inner[n]]
    for begin, end in zip(begins, [*begins[1:], last], strict=True):
        yield range(begin, end)


def _tree_lines(cascade: Cascade, nodes: range, below: Singles) -> Iterator[str]:
    leaves: list[float] = []
    words: list[str] = []
    for n in nodes:
        for child, score in (
            (cascade.low_child, cascade.node_low),
            (cascade.high_child, cascade.node_high),
        ):
            if child is not None and child[n] > 0:
                words.append(str(n + int(child[n]) - nodes.start))
            else:
                words.append(str(-len(leaves)))
                leaves.append(float(score[n]))
        words += [str(int(cascade.node_feature[n])), repr(float(below[n]))]
    yield f"        <_>\n          <internalNodes>\n            {' '.join(words)}</internalNodes>"
    yield f"          <leafValues>\n            {' '.join(map(repr, leaves))}</leafValues></_>"
