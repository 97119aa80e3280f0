"""Tables that are odd in every way users have found, drawn by a generator."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

Rng = np.random.Generator
NAN = float("nan")


@dataclass(frozen=True)
class Table:
    """Rows to fit with labels and weights, rows that come later, and in words what they are."""

    X: Any
    y: Any
    weight: Any
    later: Any
    told: str


def _picks(rng: Rng, n: int, values: list[Any], dtype: Any = object) -> pd.Series:
    return pd.Series([values[k] for k in rng.integers(0, len(values), n)], dtype=dtype)


def _days(rng: Rng, n: int) -> pd.Series:
    return pd.Series(pd.Timestamp("2021-03-27") + pd.to_timedelta(rng.integers(0, 40, n), "h"))


COLUMNS: dict[str, Callable[[Rng, int], Any]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "float32": lambda rng, n: rng.normal(size=n).astype(np.float32),
    "whole": lambda rng, n: rng.integers(-3, 4, n),
    "constant": lambda rng, n: np.full(n, 3.5),
    "zeros": lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, -0.0),
    "missing": lambda rng, n: np.full(n, NAN),
    "nothing": lambda rng, n: pd.Series([None] * n, dtype=object),
    "no text": lambda rng, n: pd.Series([None] * n, dtype="string"),
    "no date": lambda rng, n: pd.Series([pd.NaT] * n),
    "gaps": lambda rng, n: np.where(rng.random(n) < 0.5, NAN, rng.integers(0, 3, n)),
    "huge": lambda rng, n: rng.choice([1.7e308, -1.7e308, 1e300, 0.0], n),
    "tiny": lambda rng, n: rng.choice([5e-324, 1e-310, 0.0, -5e-324], n),
    "near": lambda rng, n: 1.0 + rng.integers(0, 3, n) * 2.0**-52,
    "wide": lambda rng, n: 2**60 + rng.integers(0, 4, n),
    "unsigned": lambda rng, n: rng.integers(2**63, 2**63 + 5, n, dtype=np.uint64),
    "beyond": lambda rng, n: _picks(rng, n, [2**70, -(2**65), 3, None]),
    "flags": lambda rng, n: rng.random(n) < 0.5,
    "flags with gaps": lambda rng, n: _picks(rng, n, [True, False, None]),
    "boolean": lambda rng, n: _picks(rng, n, [True, False, pd.NA], "boolean"),
    "Int64": lambda rng, n: _picks(rng, n, [1, 2, pd.NA], "Int64"),
    "Int64 wide": lambda rng, n: _picks(rng, n, [2**60, 2**60 + 1, pd.NA], "Int64"),
    "Float64": lambda rng, n: _picks(rng, n, [0.5, 2.5, pd.NA], "Float64"),
    "decimals": lambda rng, n: _picks(rng, n, [Decimal("1.1"), Decimal("2"), Decimal("NaN")]),
    "fractions": lambda rng, n: _picks(rng, n, [Fraction(1, 3), Fraction(2), None]),
    "texts": lambda rng, n: _picks(rng, n, ["a", "b", "", None, " a", "nan"]),
    "numerals": lambda rng, n: _picks(rng, n, ["1", "2", "10", "x"]),
    "names": lambda rng, n: pd.Series([f"name {k}" for k in range(n)], dtype=object),
    "string": lambda rng, n: _picks(rng, n, ["u", "v", pd.NA], "string"),
    "letters": lambda rng, n: _picks(rng, n, ["é", "e\u0301", "\u202e", "\0", "𝄞"]),
    "category": lambda rng, n: pd.Series(
        pd.Categorical(rng.choice(["p", "q", ""], n), categories=["", "never", "p", "q"])
    ),
    "numbered category": lambda rng, n: pd.Series(pd.Categorical(rng.choice([3, 1, 2], n))),
    "mixed": lambda rng, n: _picks(rng, n, [1, "one", 2.5]),
    "dates": _days,
    "zoned": lambda rng, n: _days(rng, n).dt.tz_localize("UTC").dt.tz_convert("Europe/Oslo"),
    "days": lambda rng, n: _picks(rng, n, [datetime.date(2020, 2, 29), datetime.date(1, 1, 1)]),
    "durations": lambda rng, n: pd.Series(pd.to_timedelta(rng.integers(-5, 5, n), "s")),
    "infinite": lambda rng, n: rng.choice([np.inf, 1.0, 2.0], n),
    "complex": lambda rng, n: rng.normal(size=n) + 1j,
    "bytes": lambda rng, n: _picks(rng, n, [b"a", b"b"]),
    "lists": lambda rng, n: pd.Series([[1, 2]] * n, dtype=object),
}
MANY = "many"  # more categories than have codes of their own
SOUND = [name for name in COLUMNS if name not in ("infinite", "complex", "bytes", "lists", "mixed")]


def _column(rng: Rng, kind: str, n: int) -> Any:
    if kind == MANY:
        return pd.Series([f"c{k}" for k in rng.integers(0, 600, n)], dtype=object)
    return COLUMNS[kind](rng, n)


def _target(rng: Rng, n: int, numbers: bool) -> Any:
    if numbers:
        kinds = [rng.normal(size=n), np.full(n, 2.0), rng.integers(0, 3, n), rng.random(n) * 1e-300]
        return np.asarray(kinds[rng.integers(len(kinds))])
    labels: list[Any] = [
        [0, 1],
        ["no", "yes"],
        [-1, 1],
        [True, False],
        ["a", "b", "c"],
        [7],
        [2.0, 3.0],
    ]
    chosen = labels[rng.integers(len(labels))]
    return np.array([chosen[k] for k in rng.integers(0, len(chosen), n)])


def _weights(rng: Rng, n: int) -> Any:
    kinds = [None, None, None, rng.integers(0, 3, n), rng.random(n), np.full(n, 1e300)]
    return kinds[rng.integers(len(kinds))]


def _names(rng: Rng, d: int) -> list[Any]:
    kinds: list[list[Any]] = [
        [f"x{j}" for j in range(d)],
        [f"x{j}" for j in range(d)],
        list(range(d)),
        [("a", j) for j in range(d)],
        ["", *(f'"{j}\n<b>' for j in range(1, d))],
        [0, *(f"x{j}" for j in range(1, d))],
        ["same"] * d,
    ]
    return kinds[rng.integers(len(kinds))]


def table(rng: Rng, numbers: bool) -> Table:
    """A table: most often of sound columns, at times of one that must be refused."""
    n = int(rng.choice([1, 2, 3, 6, 14, 40]))
    d = int(rng.choice([1, 1, 2, 3, 6]))
    if rng.random() < 0.03:
        n, kinds = 700, [MANY, "normal"][: 1 + int(rng.random() < 0.5)]
    elif rng.random() < 0.05:
        n, kinds = 4, ["normal"] * 60
    elif rng.random() < 0.35:  # numbers alone
        plain = ["normal", "whole", "constant", "missing", "gaps", "huge", "tiny", "near", "flags"]
        kinds = [plain[k] for k in rng.integers(0, len(plain), d)]
    else:
        some = list(COLUMNS) if rng.random() < 0.2 else SOUND
        kinds = [some[k] for k in rng.integers(0, len(some), d)]
    columns = [_column(rng, kind, n) for kind in kinds]
    if len(columns) > 1 and rng.random() < 0.2:
        columns[-1], kinds[-1] = columns[0], f"{kinds[0]} again"
    later = [_column(rng, kind.removesuffix(" again"), 5) for kind in kinds]
    if rng.random() < 0.3:  # another kind than in training
        j = int(rng.integers(len(kinds)))
        strange = SOUND[rng.integers(len(SOUND))]
        later[j], kinds[j] = _column(rng, strange, 5), f"{kinds[j]}, later {strange}"
    names = _names(rng, len(kinds))
    X, rest = _framed(columns, names), _framed(later, names)
    X, rest, container = _contained(rng, X, rest)
    told = f"{n} rows of {kinds[:6]} in {container}"
    return Table(X, _target(rng, n, numbers), _weights(rng, n), rest, told)


def _framed(columns: list[Any], names: list[Any]) -> pd.DataFrame:
    frame = pd.concat([pd.Series(column).reset_index(drop=True) for column in columns], axis=1)
    frame.columns = pd.Index(names, tupleize_cols=False)
    return frame


def _contained(rng: Rng, X: pd.DataFrame, later: pd.DataFrame) -> tuple[Any, Any, str]:
    """The frames in another container, now and then."""
    kind = str(rng.choice(["frame", "frame", "frame", "objects", "rows", "floats", "sparse"]))
    numeric = all(
        isinstance(dtype, np.dtype) and dtype.kind in "fbi" for dtype in [*X.dtypes, *later.dtypes]
    )
    if kind in ("floats", "sparse") and not numeric:
        kind = "objects"
    turned: dict[str, Callable[[pd.DataFrame], Any]] = {
        "frame": lambda frame: frame,
        "objects": lambda frame: frame.to_numpy(dtype=object),
        "rows": lambda frame: frame.to_numpy(dtype=object).tolist(),
        "floats": lambda frame: frame.to_numpy(dtype=float),
        "sparse": lambda frame: sp.csr_array(frame.to_numpy(dtype=float)),
    }
    return turned[kind](X), turned[kind](later), kind
