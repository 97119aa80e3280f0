"""
Kernels of weaklearn: coded columns, weights, stump search, trees, scores.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


def variant() -> str:
    """Name of the instruction set in use."""

def profile(on: bool) -> dict:
    """
    Seconds by phase, summed over threads, since it was last turned on; counts anew, or stops.
    """

class AnyCollective:
    """Sums, maxima and lists over all partitions of the rows."""

class Collective(AnyCollective):
    """The same, by the methods of a Python object."""

    def __init__(self, python: object) -> None: ...

    def sum(self, x: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
        """The sums, as a kernel gets them."""

    def gather(self, x: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list:
        """The lists of all partitions, as a kernel gets them."""

def narrowed(x: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint8]:
    """Whole numbers in as few bytes as they need."""

def widened(bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
    """What `narrowed` was given."""

def sums_of_narrowed(lists: Sequence) -> NDArray[numpy.uint8]:
    """
    The sums of lists of as many numbers, entry by entry, all of them narrowed.
    """

class Columns:
    """Coded columns of a sample."""

    @overload
    @staticmethod
    def from_matrix(x: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, given: Sequence[tuple[bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]] | None = None) -> Columns: ...

    @overload
    @staticmethod
    def from_matrix(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, given: Sequence[tuple[bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]] | None = None) -> Columns: ...

    @staticmethod
    def from_table(n_rows: int, table: list, n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, given: Sequence[tuple[bool, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]] | None = None) -> Columns: ...

    @staticmethod
    def in_room(n_rows: int, n_features: int, room: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns:
        """Columns in room of the caller's, to be coded a few at a time."""

    @staticmethod
    def bytes_to_borrow(n_rows: int, n_features: int, keep_order: bool) -> int:
        """How much room these take."""

    def code(self, first: int, table: list, n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> None:
        """Codes some columns, from one on."""

    @property
    def n_rows(self) -> int: ...

    @property
    def is_borrowed(self) -> bool: ...

    @property
    def n_features(self) -> int: ...

    def hash_rows(self, threads: int = 1) -> NDArray[numpy.uint64]:
        """A hash of each row's content, free of row order."""

    def varying(self) -> NDArray[numpy.int32]:
        """The columns that are not constant."""

    def describe(self, column: int) -> dict: ...

    @overload
    @staticmethod
    def from_sparse(n_rows: int, data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns: ...

    @overload
    @staticmethod
    def from_sparse(n_rows: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns: ...

    @overload
    @staticmethod
    def from_sparse(n_rows: int, data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns: ...

    @overload
    @staticmethod
    def from_sparse(n_rows: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns: ...

    @overload
    @staticmethod
    def from_rows(table: list, n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns: ...

    @overload
    @staticmethod
    def from_rows(table: list, n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns: ...

    @overload
    @staticmethod
    def from_rows(table: list, n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns: ...

    @overload
    @staticmethod
    def from_rows(table: list, n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int, most_codes: int = 255, least_rows: int = 64, keep_order: bool = True, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Columns: ...

    @overload
    def judge(self, feature: int, test: int, threshold: float, category: int, low: int, high: int, missing: int, by_category: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, labels: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Verdict:
        """The verdict of a stump on the coded rows."""

    @overload
    def judge(self, feature: int, test: int, threshold: float, category: int, low: int, high: int, missing: int, by_category: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Verdict: ...

@overload
def distinct_values(columns: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int) -> list:
    """
    Of each column (a row of the matrix) the distinct numbers as ascending keys, the examples below each and, behind, all (None: below the k-th are k), and whether some are missing.
    """

@overload
def distinct_values(columns: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int) -> list: ...

def play_bins(below: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], upto: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int, least: int) -> tuple:
    """
    The places of the values that end a bin, and of the gaps in which others may do so.
    """

@overload
def read_rows(x: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], factors: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int) -> tuple:
    """
    Keys of rows, least and greatest values of columns, and, given labels, the hash of the examples.
    """

@overload
def read_rows(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], factors: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int) -> tuple: ...

def code_counts(columns: Columns, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> NDArray[numpy.int64]:
    """How many of the listed rows have each code of each column."""

def hash_examples(rows: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> tuple:
    """Two sums of hashes over rows with their labels, weights and copies."""

def add_table_keys(table: list, factors: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], threads: int, more: bool = False) -> None:
    """
    Adds the columns of a table to the keys of its rows, and mixes them unless more follow.
    """

def sort_keys(keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.uint64]:
    """The keys in order."""

def order_by_keys(keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.int64]:
    """The rows in the order of their keys, equal ones as they come."""

@overload
def row_keys(data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], factors: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]: ...

@overload
def row_keys(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], factors: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]: ...

@overload
def row_keys(data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], factors: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]: ...

@overload
def row_keys(data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], factors: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
    """A sum of hashes over the entries of each row."""

class GrownTrees:
    """Trees kept as they were grown, round by round."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def tables(self, columns: Columns, task: int, n_rounds: int, vote: float, pairs: Sequence[tuple[int, int]]) -> tuple:
        """
        What one model's trees add up to: a constant, tables of columns and of pairs.
        """

def add_tables(F: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], tables: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], firsts: Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]], seconds: Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None], widths: Sequence[int], threads: int) -> None:
    """Adds to scores what tables hold for the codes of one or two columns."""

def pair_statistics(columns: Columns, g: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], c: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, features: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], l2: float, threads: int, partitions: AnyCollective | None = None) -> tuple:
    """
    How clearly the best cross of two cuts parts the gradients, for every pair of the features.
    """

def merge(columns: Columns, most: int, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, collective: AnyCollective | None = None, room: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')] | None = None) -> Columns:
    """The columns with at most so many codes in each ordered one."""

def grid(columns: Columns, column: int) -> tuple:
    """
    Whether a column is categorical, how many codes it has, whether cells are missing, and the cuts between its codes.
    """

def codes_of(columns: Columns, column: int) -> NDArray[numpy.uint8]:
    """The code of every row in a column; n_codes where it is missing."""

class Verdict:
    """Right (+1), wrong (-1) or silent (0), a row each."""

    def __init__(self, arg: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    def __array__(self, dtype: object | None = None, copy: object | None = None) -> NDArray[numpy.int8]: ...

    def __len__(self) -> int: ...

class Weights:
    """A distribution over examples in fixed point."""

    def __init__(self, n_rows: int, prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, sign: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, all: AnyCollective | None = None) -> None: ...

    def mass(self, verdict: Verdict, which: int, threads: int = 1) -> float:
        """Share of the weight on that side."""

    def reweight(self, alpha: float, verdict: Verdict, threads: int) -> None:
        """Multiplies each weight by exp(-alpha side)."""

    def vote_errors(self) -> tuple:
        """Smallest y F of the votes so far, and how many copies they get wrong."""

    def shares(self) -> NDArray[numpy.float64]:
        """The distribution as an array."""

    def exact_shares(self) -> NDArray[numpy.float64]:
        """The distribution in whole numbers of 2^-52 a copy."""

    @property
    def version(self) -> int: ...

    def __len__(self) -> int: ...

def total(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int) -> float: ...

def extent(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int) -> tuple:
    """The largest size of the numbers, and how many examples they are."""

def whole_total(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, most: float, examples: int, threads: int) -> tuple:
    """The sum as a whole number, and by how much that is too large."""

def exponentials(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> NDArray[numpy.float64]: ...

def logarithms(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> NDArray[numpy.float64]: ...

def draw(content: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], before: Sequence[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None], inside: Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None], salt: int, chance: float, threads: int) -> list:
    """The rows drawn for each of several bags."""

def draw_copies(content: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], before: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], salt: int, chance: float, threads: int) -> NDArray[numpy.int64]: ...

class FoundStump:
    """The best stump: its test, and what each side answers."""

    @property
    def test(self) -> int: ...

    @property
    def feature(self) -> int:
        """-1 where no column holds a known value."""

    @property
    def threshold(self) -> float: ...

    @property
    def category(self) -> int: ...

    @property
    def low(self) -> int: ...

    @property
    def high(self) -> int: ...

    @property
    def missing(self) -> int: ...

    @property
    def majority(self) -> int: ...

    @property
    def by_category(self) -> list[int]:
        """The answers of a multiway test; else empty."""

class StumpSearch:
    """Exact search for the best stump, two classes."""

    def __init__(self, columns: Columns, multiway: bool, abstain: bool, threads: int, all: AnyCollective | None = None) -> None: ...

    def search(self, columns: Columns, weights: Weights) -> FoundStump: ...

class PluralitySearch:
    """Exact search for the best stump, many classes."""

    def __init__(self, columns: Columns, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, multiway: bool, abstain: bool, least_share: float, signed: bool, threads: int) -> None: ...

    def search(self, columns: Columns, weights: Weights) -> FoundStump: ...

class Scorer:
    """A vote of stumps as one step function a feature."""

    def __init__(self, n_features: int, n_outputs: int, n_categories: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], test: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], feature: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], category: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], low: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], missing: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], by_category_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], by_category: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], vote: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], output: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @overload
    def score_matrix(self, x: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_features: int, threads: int) -> NDArray[numpy.int64]: ...

    @overload
    def score_matrix(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_features: int, threads: int) -> NDArray[numpy.int64]: ...

    def score_row(self, row: list[float], unit: float) -> float | NDArray[numpy.float64] | None: ...

    def score_table(self, n_rows: int, table: list, n_categories: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.int64]: ...

    @overload
    def score_sparse(self, n_rows: int, data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]: ...

    @overload
    def score_sparse(self, n_rows: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]: ...

    @overload
    def score_sparse(self, n_rows: int, data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]: ...

    @overload
    def score_sparse(self, n_rows: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]: ...

@overload
def holds_infinity(x: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], threads: int) -> bool: ...

@overload
def holds_infinity(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], threads: int) -> bool:
    """Whether a matrix holds an infinity."""

class Cells:
    """Cells of a matrix, a table or sparse columns."""

    @overload
    @staticmethod
    def matrix(x: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)]) -> Cells: ...

    @overload
    @staticmethod
    def matrix(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]) -> Cells: ...

    @staticmethod
    def table(n_rows: int, columns: list) -> Cells: ...

    @overload
    @staticmethod
    def sparse(n_rows: int, data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Cells: ...

    @overload
    @staticmethod
    def sparse(n_rows: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Cells: ...

    @overload
    @staticmethod
    def sparse(n_rows: int, data: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Cells: ...

    @overload
    @staticmethod
    def sparse(n_rows: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Cells: ...

class Forest:
    """Trees packed for prediction."""

    def __init__(self, n_features: int, n_categories: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_outputs: int, trees: list, votes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], slopes: list | None = None) -> None: ...

    @property
    def n_trees(self) -> int: ...

    def sum(self, cells: Cells, base: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: int, last: int, threads: int) -> NDArray[numpy.float64]: ...

    def sum_row(self, row: list[float], base: NDArray[numpy.float64]) -> float | NDArray[numpy.float64] | None: ...

    def apply(self, cells: Cells, threads: int) -> NDArray[numpy.int32]: ...

    def each(self, cells: Cells, threads: int) -> NDArray[numpy.float64]: ...

def leaf_of_row(columns: Columns, tree: tuple, threads: int) -> NDArray[numpy.int32] | None:
    """The leaf of every coded row, or None where codes do not tell it."""

class GradientSettings:
    """The settings a tree of gradients grows by."""

    def __init__(self) -> None: ...

    @property
    def min_samples_leaf(self) -> int: ...

    @min_samples_leaf.setter
    def min_samples_leaf(self, arg: int, /) -> None: ...

    @property
    def min_curvature(self) -> float: ...

    @min_curvature.setter
    def min_curvature(self, arg: float, /) -> None: ...

    @property
    def l1(self) -> float: ...

    @l1.setter
    def l1(self, arg: float, /) -> None: ...

    @property
    def l2(self) -> float: ...

    @l2.setter
    def l2(self, arg: float, /) -> None: ...

    @property
    def max_step(self) -> float: ...

    @max_step.setter
    def max_step(self, arg: float, /) -> None: ...

    @property
    def path_smoothing(self) -> float: ...

    @path_smoothing.setter
    def path_smoothing(self, arg: float, /) -> None: ...

    @property
    def category_noise(self) -> float: ...

    @category_noise.setter
    def category_noise(self, arg: float, /) -> None: ...

    @property
    def category_smooth(self) -> float: ...

    @category_smooth.setter
    def category_smooth(self, arg: float, /) -> None: ...

    @property
    def random_cuts(self) -> bool: ...

    @random_cuts.setter
    def random_cuts(self, arg: bool, /) -> None: ...

    @property
    def min_gain(self) -> float: ...

    @min_gain.setter
    def min_gain(self, arg: float, /) -> None: ...

    @property
    def max_leaf_nodes(self) -> int | None: ...

    @max_leaf_nodes.setter
    def max_leaf_nodes(self, value: int | None) -> None: ...

    @property
    def max_depth(self) -> int | None: ...

    @max_depth.setter
    def max_depth(self, value: int | None) -> None: ...

    @property
    def level_features(self) -> int | None: ...

    @level_features.setter
    def level_features(self, value: int | None) -> None: ...

    @property
    def node_features(self) -> int | None: ...

    @node_features.setter
    def node_features(self, value: int | None) -> None: ...

    @property
    def feature_weights(self) -> list[float]: ...

    @feature_weights.setter
    def feature_weights(self, value: Sequence[float] | None) -> None: ...

    @property
    def feature_factors(self) -> list[float]: ...

    @feature_factors.setter
    def feature_factors(self, value: Sequence[float] | None) -> None: ...

    @property
    def monotonic(self) -> list[int]: ...

    @monotonic.setter
    def monotonic(self, value: Sequence[int] | None) -> None: ...

    @property
    def groups(self) -> list[list[int]]: ...

    @groups.setter
    def groups(self, value: Sequence[Sequence[int]] | None) -> None: ...

    @property
    def forced_feature(self) -> list[int]: ...

    @forced_feature.setter
    def forced_feature(self, value: Sequence[int] | None) -> None: ...

    @property
    def forced_cut(self) -> list[int]: ...

    @forced_cut.setter
    def forced_cut(self, value: Sequence[int] | None) -> None: ...

    @property
    def forced_left(self) -> list[int]: ...

    @forced_left.setter
    def forced_left(self, value: Sequence[int] | None) -> None: ...

    @property
    def forced_right(self) -> list[int]: ...

    @forced_right.setter
    def forced_right(self, value: Sequence[int] | None) -> None: ...

def draw_columns(columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], key: int) -> list[int]:
    """
    So many of the columns, ascending, drawn one after another by their weights.
    """

class GradientGrower:
    """Grows trees that fit gradients."""

    def __init__(self, columns: Columns, settings: GradientSettings, threads: int, partitions: AnyCollective | None = None, room: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')] | None = None) -> None: ...

    @staticmethod
    def bytes_of_bands(columns: Columns, settings: GradientSettings) -> int:
        """How much room the codes in bands take; 0: there are none."""

    def release(self) -> None:
        """
        Frees the memory that trees leave to the next one, which asks for it again.
        """

    def grow(self, g: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], c: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, bounded: bool, copies: Sequence[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None], rows: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None], features: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None], vote: float, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], residuals: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, quantiles: Sequence[float], keep: bool, kept: GrownTrees | None = None, key: int = 0) -> list[dict]:
        """
        Grows one tree for each row of g and moves its scores; they are returned, or kept.
        """

def leaf_slopes(g: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], c: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, leaf: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], l2: float, threads: int) -> tuple:
    """
    The slope, centre, least and largest value of each column of each node of a tree.
    """

def logistic(y: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], F: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, g: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], c: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int, partitions: AnyCollective | None = None, wanted: bool = True) -> float:
    """Writes gradient and curvature into g and c; returns the total loss."""

def squared(y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], F: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, g: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int, partitions: AnyCollective | None = None) -> float:
    """
    Writes the gradient into g; returns the total loss, NaN where one is not finite.
    """

def softmax(y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], F: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, g: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], c: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> NDArray[numpy.float64]:
    """Writes gradient and curvature into g and c; returns the losses."""

def unseen_scores(F: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], room: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], threads: int) -> None:
    """
    Writes the scores of some rows of every model, models one after another.
    """

class Queries:
    """Items in queries with their grades, judged by a metric."""

    def __init__(self, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], grades: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], metric: int, k: int) -> None: ...

    def values(self, F: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.float64]:
        """The metric of every query, NaN where there is no gain to be had."""

    def lambdas(self, F: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, sigma: float, normalize: bool, position: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, clicked: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, passed: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, g: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], c: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> NDArray[numpy.float64]:
        """
        Writes gradient and curvature into g and c; returns the metric of every query.
        """

    def position_costs(self, F: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], query_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], position: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_positions: int, sigma: float, threads: int) -> tuple:
        """
        The cost of pairs by where their better and their worse item were shown, and its unit.
        """

class TreeSettings:
    """The settings a tree grows by."""

    def __init__(self) -> None: ...

    @property
    def exact(self) -> bool: ...

    @exact.setter
    def exact(self, arg: bool, /) -> None: ...

    @property
    def min_samples_split(self) -> int: ...

    @min_samples_split.setter
    def min_samples_split(self, arg: int, /) -> None: ...

    @property
    def min_samples_leaf(self) -> int: ...

    @min_samples_leaf.setter
    def min_samples_leaf(self, arg: int, /) -> None: ...

    @property
    def least_share(self) -> float: ...

    @least_share.setter
    def least_share(self, arg: float, /) -> None: ...

    @property
    def min_gain(self) -> float: ...

    @min_gain.setter
    def min_gain(self, arg: float, /) -> None: ...

    @property
    def split_zero_gain(self) -> bool: ...

    @split_zero_gain.setter
    def split_zero_gain(self, arg: bool, /) -> None: ...

    @property
    def category_noise(self) -> float: ...

    @category_noise.setter
    def category_noise(self, arg: float, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def criterion(self) -> str: ...

    @criterion.setter
    def criterion(self, arg: str, /) -> None: ...

    @property
    def splitter(self) -> str: ...

    @splitter.setter
    def splitter(self, arg: str, /) -> None: ...

    @property
    def categorical(self) -> str: ...

    @categorical.setter
    def categorical(self, arg: str, /) -> None: ...

    @property
    def missing(self) -> str: ...

    @missing.setter
    def missing(self, arg: str, /) -> None: ...

    @property
    def max_depth(self) -> int | None: ...

    @max_depth.setter
    def max_depth(self, value: int | None) -> None: ...

    @property
    def max_leaf_nodes(self) -> int | None: ...

    @max_leaf_nodes.setter
    def max_leaf_nodes(self, value: int | None) -> None: ...

    @property
    def max_features(self) -> int | None: ...

    @max_features.setter
    def max_features(self, value: int | None) -> None: ...

    @property
    def monotonic(self) -> list[int]: ...

    @monotonic.setter
    def monotonic(self, value: Sequence[int] | None) -> None: ...

class TreeGrower:
    """Grows trees on coded columns by impurity."""

    def __init__(self, columns: Columns, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, prior: Weights | None, settings: TreeSettings, threads: int, n_targets: int = 0, n_outputs: int = 1) -> None: ...

    def grow(self, weights: Weights | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, key: int) -> dict:
        """The arrays of one tree."""

    def forest(self, n_trees: int, bootstrap: bool, n_draws: int, seed: int, canonical: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, first: int) -> list:
        """The arrays of trees on bags."""

    def grow_many(self, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list:
        """
        The arrays of trees on some of the rows each; a row at most once in each.
        """

class LabelWeights:
    """A distribution over examples and labels in fixed point."""

    def __init__(self, sign: Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu', writable=False)], prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, pairs: bool, one_label: bool, threads: int, all: AnyCollective | None = None) -> None: ...

    def reweight(self, block: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], step: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], guess: float, threads: int) -> float:
        """
        Adds to the scores of each row the step of its block; gives the weight left.
        """

    def sums(self, block: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_blocks: int) -> tuple:
        """The weights by block and label, where labels hold and where not."""

    def vote_errors(self) -> tuple:
        """Labels and rows that the scores get wrong, and the least margin."""

    def rank_loss(self) -> float:
        """The share of pairs of labels ranked wrongly."""

    def signed_shares(self, *, of_one: bool = False) -> NDArray[numpy.float64]:
        """
        The distribution as an array, below 0 where a label does not hold: of all copies of a row, or of one.
        """

    def scores(self) -> NDArray[numpy.float64]:
        """The scores so far."""

    @property
    def version(self) -> int: ...

    @property
    def n_labels(self) -> int: ...

    def __len__(self) -> int: ...

class LabelTreeSettings:
    """The settings a tree over many labels grows by."""

    def __init__(self) -> None: ...

    @property
    def least_share(self) -> float: ...

    @least_share.setter
    def least_share(self, arg: float, /) -> None: ...

    @property
    def min_samples_leaf(self) -> int: ...

    @min_samples_leaf.setter
    def min_samples_leaf(self, arg: int, /) -> None: ...

    @property
    def min_samples_split(self) -> int: ...

    @min_samples_split.setter
    def min_samples_split(self, arg: int, /) -> None: ...

    @property
    def cost(self) -> str: ...

    @cost.setter
    def cost(self, arg: str, /) -> None: ...

    @property
    def categorical(self) -> str: ...

    @categorical.setter
    def categorical(self, arg: str, /) -> None: ...

    @property
    def max_depth(self) -> int | None: ...

    @max_depth.setter
    def max_depth(self, value: int | None) -> None: ...

    @property
    def max_leaf_nodes(self) -> int | None: ...

    @max_leaf_nodes.setter
    def max_leaf_nodes(self, value: int | None) -> None: ...

class LabelGrower:
    """Grows trees over examples of many labels."""

    def __init__(self, columns: Columns, settings: LabelTreeSettings, threads: int, all: AnyCollective | None = None) -> None: ...

    def grow(self, columns: Columns, weights: LabelWeights, smoothing: float) -> tuple:
        """
        The tree, the weights of its nodes by label, and the leaf of every row.
        """

class Lines:
    """Rows to be learnt from one at a time."""

    @overload
    @staticmethod
    def matrix(x: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], constant: bool) -> Lines: ...

    @overload
    @staticmethod
    def matrix(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], constant: bool) -> Lines: ...

    @staticmethod
    def sparse(n_features: int, data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], constant: bool) -> Lines: ...

    def __len__(self) -> int: ...

    @property
    def width(self) -> int: ...

def linear_pass(lines: Lines, y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], outputs: int, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], drift: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, kept: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, cost: int, rate: float, fading: bool, steps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, seen: int, refuse_zero: bool, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None = None, mistakes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')] | None = None, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None = None) -> tuple:
    """One pass of online learning with linear scores; w changes in place."""

def linear_scores(lines: Lines, outputs: int, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.float64]:
    """The products of every row with the weights of every output."""

def linear_errors(lines: Lines, y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], outputs: int, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> list[int]:
    """How many rows each of several candidates labels wrongly."""

def circuit_pass(lines: Lines, y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], units: Sequence[int], w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], cost: int, rate: float, fading: bool, steps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, seen: int, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None = None, mistakes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')] | None = None, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None = None) -> tuple:
    """
    One pass of back-propagation through a circuit of soft gates; w changes in place.
    """

def circuit_scores(lines: Lines, units: Sequence[int], w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.float64]:
    """The scores of a circuit, row by row."""

def upper_errors(E: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], N: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """The errors to expect of leaves that made E errors on N examples."""

def pessimistic(first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.int32]:
    """The nodes of a tree that pessimistic pruning makes leaves."""

class Numbers:
    """Rows of numbers, dense or sparse, for sums in a fixed order."""

    @overload
    def __init__(self, cells: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    @overload
    def __init__(self, start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], column: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cell: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], d: int) -> None: ...

    def inner_products(self, panel: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.float64]:
        """x.z of every row with every column of the panel."""

    def all_products(self, panel: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.float64]:
        """prod (1 + x_k z_k) of every row with every column of the panel."""

    def along(self, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.float64]:
        """The inner product of every row with v."""

    def squares(self) -> NDArray[numpy.float64]:
        """The inner product of every row with itself."""

    def across(self, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """The sum of the rows, weighted by v."""

    def normal(self, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.float64]:
        """The sum of v x x' over the rows: its lower half."""

    def dual_pass(self, y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], K: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], a: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], key: int) -> None:
        """One pass of coordinate ascent over all rows; changes a and w."""

    def __len__(self) -> int: ...

    @property
    def d(self) -> int: ...

def dual_climb(matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], K: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], a: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], g: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], steps: int) -> int:
    """
    Steps of coordinate ascent that gain most; changes a and g, and returns how many.
    """

def dual_settle(Q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], slope: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], a: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> bool:
    """
    Moves all coordinates at once, as far as their limits allow; whether all the way.
    """

def solve(A: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    Solutions of a positive definite system, whose lower half is read, one a row.
    """

class Shap:
    """Trees packed for Shapley values."""

    def __init__(self, n_features: int, n_categories: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_outputs: int, trees: list, covers: list, votes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def base(self) -> NDArray[numpy.float64]: ...

    def contributions(self, cells: Cells, threads: int) -> NDArray[numpy.float64]: ...

    def interactions(self, cells: Cells, alone: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.float64]: ...

def play_experts(epsilon: float, chances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], mistakes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], expert: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], label: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], truth: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], place: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_labels: int, learns: bool) -> tuple:
    """
    Plays examples against sleeping experts and tells the chance of a mistake, the label of most weight and a drawn one of each; chances and mistakes of experts change if it learns.
    """

@overload
def present(cells: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple:
    """The cells that are not NaN: starts of rows, columns, values."""

@overload
def present(cells: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple: ...

class CascadeArrays:
    """A cascade as the kernels keep it."""

    def __init__(self, height: int, width: int, inset: bool, rects: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rect_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], node_feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], node_threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], node_low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], node_high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], stage_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], stage_threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tilted: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, low_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, high_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None:
        """Trusts its arrays: vision.Cascade.checked has looked at them."""

    def scan(self, image: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), device='cpu', writable=False)], pyramid: bool, scale: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], geometry: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], threads: int) -> tuple:
        """
        Windows that pass every stage: (n, 3) level, row and column, and scores. A level has a row of geometry: height and width of the image scanned, step, rows and columns of windows.
        """

def overlapping_boxes(boxes: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], share: float) -> NDArray[numpy.int64]:
    """
    The class of each box (left, top, width, height): boxes belong together that share more than so much of the area they cover.
    """

def similar_boxes(boxes: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], share: float) -> NDArray[numpy.int64]:
    """
    The class of each box: boxes belong together whose edges are no further apart than so much of their mean smaller side.
    """

class WindowBank:
    """Windows and rectangle features of them."""

    @staticmethod
    def make(pixels: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], rects: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> WindowBank: ...

    def column(self, feature: int) -> NDArray[numpy.float64]: ...

    def values(self, normalised: bool, threads: int) -> NDArray[numpy.float64]: ...

    def whole_values(self, threads: int) -> NDArray[numpy.int64]: ...

class HaarSearch:
    """The best stump over rectangle features of windows."""

    def __init__(self, bank: WindowBank, keep: int, threads: int) -> None: ...

    def search(self, weights: Weights) -> tuple:
        """Feature, threshold, polarity, weights below and above, opened."""

    def rate(self, prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], gentle: bool) -> tuple: ...

    @property
    def n_kept(self) -> int: ...

class FloatWindowBank:
    """Windows and rectangle features of them."""

    @staticmethod
    def make(pixels: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], rects: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> FloatWindowBank: ...

    def column(self, feature: int) -> NDArray[numpy.float64]: ...

    def values(self, normalised: bool, threads: int) -> NDArray[numpy.float64]: ...

class FloatHaarSearch:
    """The best stump over rectangle features of windows."""

    def __init__(self, bank: FloatWindowBank, keep: int, threads: int) -> None: ...

    def search(self, weights: Weights) -> tuple:
        """Feature, threshold, polarity, weights below and above, opened."""

    def rate(self, prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], gentle: bool) -> tuple: ...

    @property
    def n_kept(self) -> int: ...

def interior_point(sides: Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu', writable=False)], share: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], curve: float, total: float | None, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], b_rho: tuple[float, float], steps: int, vain: int, close: tuple[float, float], way: float, slow: float, gram: Callable) -> float:
    """
    Moves v and u to the best point that an interior-point method finds; what is missing.
    """

class RuleGrower:
    """Grows rules on one part of the rows, prunes on the rest."""

    def __init__(self, ranks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], categorical: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], grow: float, most_tests: int, least_share: float) -> None: ...

    def rule(self, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], z: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], m: float) -> list[tuple[int, int, int]]:
        """
        The tests of a rule: feature, what is asked, and the number of a value.
        """

    def drawn(self, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
        """
        The number of copies of each row that the rule of these weights grows on.
        """

class Unsound(ValueError):
    pass

class PackedTrees:
    """Trees of a compressed stream, decoded by batches."""

    def __init__(self, data: bytes) -> None: ...

    def length(self) -> NDArray[numpy.int64]:
        """The number of nodes of each tree."""

    @property
    def stops(self) -> list[int]:
        """The trees at which batches end."""

    @property
    def n_outputs(self) -> int: ...

    def proved(self) -> dict:
        """
        What is known of the trees, which are refused unless sound; keeps an only batch.
        """

    def kept(self) -> int:
        """The bytes that a batch takes which is kept; 0 where none is."""

    def forget(self) -> None:
        """Keeps no batch."""

    def batch(self, k: int) -> dict:
        """The columns of a batch, once all are proved."""

def prove_trees(ask: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], missing: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], gain: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], length: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict:
    """
    What is known of trees, whose columns are joined; they are refused unless sound.
    """

def read_value(reader: object, data: memoryview, depth: int) -> object:
    """The value where a reader of a model file stands."""

def read_items(reader: object, data: memoryview, n: int, depth: int) -> list:
    """So many values from where a reader of a model file stands."""

def read_pairs(reader: object, data: memoryview, n: int, depth: int, names: set[str] | None, check: object) -> dict:
    """
    A dict of so many keys and values from where a reader of a model file stands; `check` is asked about keys that are not among the names.
    """
