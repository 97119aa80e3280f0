"""Small data sets to learn from."""

from .flip import flip_labels
from .long_servedio import long_servedio
from .noisy_bits import noisy_bits
from .three_piece import make_three_piece
from .toy import toy

__all__ = ["flip_labels", "long_servedio", "make_three_piece", "noisy_bits", "toy"]
