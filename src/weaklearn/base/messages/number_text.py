"""Numbers as reports and pictures print them."""

from __future__ import annotations


def signed(value: float) -> str:
    """A number with its sign, the minus as wide as the plus.

    >>> signed(-0.25), signed(3.0)
    ('−0.25', '+3')
    """
    return f"{value:+.3g}".replace("-", "−")


def number(value: float, digits: int = 6) -> str:
    """A number in few digits; integers in full, with commas between thousands.

    >>> number(12500.0), number(0.25), number(-3.0), number(572214.7, 4)
    ('12,500', '0.25', '−3', '572,215')
    """
    text = f"{value:.{digits}g}"
    if abs(value) < 1e7 and (value == int(value) or "e+" in text):
        text = f"{value:,.0f}"
    return text.replace("-", "−")
