"""Hard negative mining: false positives of a cascade in backgrounds, scanned at every size."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Ints
from .cascade import Cascade
from .resizing import resized

# Where a cascade sees a face: tops and lefts of windows of its own size.
Scan = Callable[[Cascade, NDArray[Any]], tuple[Ints, Ints]]

_TURNS = 8  # an image, its mirror image, both turned by quarters
_RESERVE = 16  # times the windows wanted that are kept in reserve


def content_key(pixels: NDArray[Any], seed: int = 0) -> int:
    """A seed from the content of an image, so that draws do not depend on the order of images."""
    digest = hashlib.blake2b(digest_size=8, key=str(seed).encode())
    digest.update(str((pixels.shape, pixels.dtype.kind)).encode())
    digest.update(np.ascontiguousarray(pixels, np.float64).tobytes())
    return int.from_bytes(digest.digest(), "little")


@dataclass(frozen=True)
class Level:
    """One background at one scale and rotation; its windows begin at every pixel."""

    image: int
    turn: int
    height: int
    width: int

    def pixels(self, images: Sequence[NDArray[Any]]) -> NDArray[Any]:
        found = resized(images[self.image], self.height, self.width)
        turned = np.rot90(found, self.turn // 2)
        return np.ascontiguousarray(turned[:, ::-1] if self.turn % 2 else turned)


@dataclass(frozen=True)
class Mined:
    """Windows found: their pixels and keys (level, top, left), how many were seen, and passed."""

    windows: NDArray[Any]
    keys: Ints
    seen: int
    passed: int
    dry: bool


@dataclass
class Backgrounds:
    """All scales of all images, cycled through in a fixed order."""

    images: Sequence[NDArray[Any]]
    height: int
    width: int
    scale_factor: float = 1.25
    seed: int = 0
    at: int = 0  # the level to look at next
    levels: list[Level] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.seed, 7])
        for turn in range(_TURNS):  # upright ones first
            half = self.scale_factor**0.5 if turn % 2 else 1.0  # sizes between those of the others
            group = [level for i in range(len(self.images)) for level in self._sizes(i, turn, half)]
            self.levels += [group[k] for k in rng.permutation(len(group))]

    def _sizes(self, image: int, turn: int, first: float) -> Iterator[Level]:
        h, w = self.images[image].shape
        least = (self.width, self.height) if turn // 2 % 2 else (self.height, self.width)
        scale = first
        while h / scale >= least[0] and w / scale >= least[1]:
            yield Level(image, turn, int(h / scale), int(w / scale))
            scale *= self.scale_factor

    def mine(
        self,
        cascade: Cascade | None,
        wanted: int,
        taken: Ints,
        scan: Scan,
        deadline: float = inf,
    ) -> Mined:
        """New windows that a cascade accepts; ``dry`` after a complete pass without any.

        No level is begun after ``deadline``, a time of ``time.monotonic``.

        Of each level a few are chosen by chance, so that no background crowds out the others; the
        rest stands by for when the levels are through.
        """
        if wanted <= 0 or not self.levels:
            return Mined(self._none(), np.zeros((0, 3), np.int64), 0, 0, bool(wanted > 0))
        few = max(4, -(-8 * wanted // len(self.levels)))
        known = {tuple(key) for key in taken.tolist()}
        found: list[tuple[NDArray[Any], Ints]] = []
        spare: list[tuple[NDArray[Any], Ints]] = []
        seen = passed = n_found = n_spare = looked = 0
        while looked < len(self.levels) and n_found < wanted and time.monotonic() < deadline:
            number = self.at % len(self.levels)
            self.at, looked = number + 1, looked + 1
            pixels = self.levels[number].pixels(self.images)
            seen += (pixels.shape[0] - self.height + 1) * (pixels.shape[1] - self.width + 1)
            top, left = self._passing(cascade, pixels, few, number, scan)
            passed += len(top)
            rng = np.random.default_rng([self.seed, 11, number, looked])
            order = rng.permutation(len(top))[: few * _RESERVE]
            new = [k for k in order if (number, int(top[k]), int(left[k])) not in known]
            parts = (new[:few], found), (new[few:], spare if n_spare < _RESERVE * wanted else [])
            for chosen, where in parts:
                if chosen:
                    where.append(self._cut(pixels, number, top[chosen], left[chosen]))
            n_found += len(new[:few])
            n_spare += len(new[few:])
        dry = n_found < wanted
        if dry and spare:
            found.append(self._drawn(spare, wanted - n_found))
            dry = n_found + n_spare < wanted
        if not found:
            return Mined(self._none(), np.zeros((0, 3), np.int64), seen, passed, True)
        windows = np.concatenate([w for w, _ in found])[:wanted]
        keys = np.concatenate([k for _, k in found])[:wanted]
        return Mined(windows, keys, seen, passed, dry)

    def _passing(
        self, cascade: Cascade | None, pixels: NDArray[Any], few: int, number: int, scan: Scan
    ) -> tuple[Ints, Ints]:
        if cascade is not None and cascade.n_stages:
            return scan(cascade, pixels)
        rows, columns = pixels.shape[0] - self.height + 1, pixels.shape[1] - self.width + 1
        rng = np.random.default_rng([self.seed, 13, number])
        places = rng.choice(rows * columns, min(rows * columns, 4 * few), replace=False)
        return places // columns, places % columns

    def _cut(
        self, pixels: NDArray[Any], number: int, top: Ints, left: Ints
    ) -> tuple[NDArray[Any], Ints]:
        views = np.lib.stride_tricks.sliding_window_view(pixels, (self.height, self.width))
        keys = np.stack([np.full(len(top), number), top, left], axis=1).astype(np.int64)
        return views[top, left], keys

    def _drawn(
        self, spare: list[tuple[NDArray[Any], Ints]], wanted: int
    ) -> tuple[NDArray[Any], Ints]:
        windows = np.concatenate([w for w, _ in spare])
        keys = np.concatenate([k for _, k in spare])
        chosen = np.random.default_rng([self.seed, 17]).permutation(len(keys))[:wanted]
        return windows[chosen], keys[chosen]

    def _none(self) -> NDArray[Any]:
        kind = self.images[0].dtype if len(self.images) else np.uint8
        return np.zeros((0, self.height, self.width), kind)
