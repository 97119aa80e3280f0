"""The seam to where the work is done; reached only through rows and samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .distribution import Distribution, Verdict
    from .ensemble import PackedMembers
    from .sample import Binning, Cells, Sample


class Engine(Protocol):
    """Sums over examples and tables over columns, on this machine or elsewhere."""

    @property
    def threads(self) -> int: ...

    def code(self, cells: Cells, binning: Binning = ...) -> Any:
        """Coded columns, made once a fit."""

    def distribution(
        self,
        n_rows: int,
        prior: NDArray[np.float64] | None,
        copies: NDArray[np.int64] | None,
        sign: NDArray[np.int8] | None,
    ) -> Distribution:
        """A distribution over rows in fixed point."""

    def stump_search(
        self, sample: Sample, multiway: bool, abstain: bool, least_share: float = 0.0
    ) -> Any:
        """An exact search for the best stump of a sample; no side is lighter than asked."""

    def judge(self, sample: Sample, members: Any) -> Verdict:
        """The verdict of a native stump on the coded rows."""

    def verdict(self, side: NDArray[np.int8]) -> Verdict:
        """A verdict from given sides."""

    def scorer(self, members: PackedMembers) -> Any:
        """A vote of stumps packed for prediction."""

    def is_constant(self, coded: Any) -> bool:
        """Whether no column tells any two rows apart."""

    def row_hashes(self, coded: Any) -> NDArray[np.uint64]:
        """A hash of each row's content, whatever the order of rows."""
