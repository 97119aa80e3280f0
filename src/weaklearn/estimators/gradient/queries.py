"""Queries: ids of rows as numbers, positions, and a loss bound to the queries of rows."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.value_text import show
from ...base.numeric.hashing import GOLDEN, Keys, mixed
from ...base.queries import Queries
from ...base.types import Floats, Ints
from ...engines import Engine
from ...intake.object_column import is_missing
from ...losses.ranking import LambdaMART, LambdaMARTOfQueries

_MOST_POSITIONS = 1000


def query_numbers(qid: Any, n: int, name: str = "qid") -> Ints:
    """The query of every row as a number, by ids of any kind that have a hash.

    >>> query_numbers(["b", ("a", 1), "b"], 3).tolist()
    [0, 1, 0]
    """
    if qid is None:
        raise ValueError(
            f"{name} is missing: pass one id per row, that of its query, such as {name}=ids; items "
            "are put in order within their query. (For one query pass np.zeros(len(X)).)"
        )
    ids = _as_array(qid)
    if ids.ndim != 1 or len(ids) != n:
        raise ValueError(_wrong_length(ids, n, name))
    missing = [i for i, value in enumerate(ids.tolist()) if is_missing(value)]
    if missing:
        raise ValueError(f"{name} is missing in row {missing[0]}; every row must have a query.")
    if ids.dtype.kind != "O":
        return np.unique(ids, return_inverse=True)[1].reshape(-1).astype(np.int64)
    known: dict[Any, int] = {}
    try:
        return np.array([known.setdefault(each, len(known)) for each in ids.tolist()], np.int64)
    except TypeError as error:
        raise TypeError(f"{name} holds an id that cannot be told from others: {error}.") from None


def _as_array(qid: Any) -> NDArray[Any]:
    """The ids as they are: a list is not made texts of, nor tuples rows of a table."""
    if not isinstance(qid, (list, tuple)) or len({type(each) for each in qid}) == 1:
        ids = np.asarray(qid)
        if ids.ndim == 1 or not isinstance(qid, list):
            return ids
    ids = np.empty(len(qid), object)
    ids[:] = qid
    return ids


def _wrong_length(ids: NDArray[Any], n: int, name: str) -> str:
    said = f"{name} has shape {ids.shape} and X has {n} rows; it must hold one id per row"
    if ids.ndim == 1 and ids.dtype.kind in "iu" and int(ids.sum()) == n:
        return f"{said}. For sizes of queries, pass np.repeat(np.arange({len(ids)}), {name})."
    if ids.ndim == 1 and 0 < len(ids) < n:
        return f"{said}, not one per query."
    return f"{said}."


def read_positions(position: Any, n: int) -> NDArray[np.int32]:
    """Where rows were shown, from 0 on; as given, positions begin at 1."""
    given = np.asarray(position)
    if given.shape != (n,) or given.dtype.kind not in "iuf":
        raise ValueError(
            f"position has shape {given.shape} and type {given.dtype}, and X has {n} rows; pass "
            "one whole number per row, 1 where it was shown first."
        )
    allowed = (given >= 1) & (given <= _MOST_POSITIONS) & (given == np.rint(given))
    if not allowed.all():
        row = int(np.argmin(allowed))
        raise ValueError(
            f"position[{row}] is {show(given[row].item())}; positions are whole numbers from 1 "
            f"(shown first) to {_MOST_POSITIONS}. Rows shown further down can share the last one."
        )
    return (given - 1).astype(np.int32)


def check_weights(weight: NDArray[Any] | None, numbers: Ints) -> None:
    """Refuses weights that differ within a query."""
    if weight is None:
        return
    first = np.unique(numbers, return_index=True)[1]
    differ = weight != weight[first][numbers]
    if differ.any():
        row = int(np.argmax(differ))
        raise ValueError(
            f"sample_weight differs within a query, between rows {int(first[numbers[row]])} and "
            f"{row}: a query counts as a whole; give all its rows the same weight."
        )


def keys_of_queries(numbers: Ints, content: Keys) -> tuple[Keys, Keys]:
    """A hash of what each query holds, and one of each row with its query and its place in it.

    Rows of a query stand in the order of their content; of equal rows the order makes no
    difference. Queries that hold the same have equal keys.
    """
    n_queries = int(numbers.max(initial=-1)) + 1
    of_query = np.zeros(n_queries, np.uint64)
    np.add.at(of_query, numbers, mixed(content + GOLDEN))
    of_query = mixed(of_query)
    order = np.lexsort((content, numbers))
    starts = np.searchsorted(numbers[order], np.arange(n_queries))
    place = np.empty(len(numbers), np.uint64)
    place[order] = (np.arange(len(order)) - starts[numbers[order]]).astype(np.uint64)
    return of_query, mixed(content ^ mixed(of_query[numbers] + GOLDEN * place))


def bound(
    loss: LambdaMART,
    engine: Engine,
    y: Floats,
    numbers: Ints,
    content: Keys | None = None,
    position: NDArray[np.int32] | None = None,
) -> LambdaMARTOfQueries:
    """The loss of rows with these grades and queries.

    Equal scores are put in the order of ``content``; without it the loss can judge, not learn.
    """
    first, numbers = np.unique(numbers, return_index=True, return_inverse=True)[1:]
    numbers, order = numbers.reshape(-1), y if content is None else content

    def judged_by(metric: tuple[int, int]) -> Any:
        return engine.queries.of(numbers, order, y, *metric)

    ranked = judged_by(loss.judged)
    queries = Queries(
        ranked if loss.changes == loss.judged else judged_by(loss.changes),
        ranked,
        first.astype(np.int64),
        float(loss.sigma),
        bool(loss.normalize),
        np.zeros(0, np.uint64) if content is None else keys_of_queries(numbers, content)[1],
        position,
    )
    own = {each.name: getattr(loss, each.name) for each in fields(LambdaMART)}
    return LambdaMARTOfQueries(**own, queries=queries)


def rebound(loss: Any, engine: Engine, y: Floats, numbers: Ints | None) -> Any:
    """The same loss for other rows, to judge by; any loss that looks at single rows as it is."""
    return loss if numbers is None else bound(loss.unbound, engine, y, numbers)


def with_keys(content: Keys, positions: NDArray[np.int32] | None) -> Keys:
    """The content of rows with the positions they were shown at."""
    if positions is None:
        return content
    return mixed(content ^ mixed(positions.astype(np.uint64) + GOLDEN))
