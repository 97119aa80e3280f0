"""Type aliases of arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
