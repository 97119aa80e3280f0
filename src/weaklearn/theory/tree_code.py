"""Binary decision trees as strings of bits, none of which is the beginning of another.

From the root on, the branch of 0 before that of 1: an inner node is a 1 and the number of its
feature in ceil(lg d) bits, a leaf is a 0 and a bit for its label, 0 for -1 and 1 for +1. So a
tree of n inner nodes takes ``bounds.tree_bits(n, d)`` bits, and a short tree that fits a sample is,
by Occam's razor, not far from the truth.

A tree is a dict: ``{"leaf": -1}`` or ``{"leaf": 1}``, or ``{"feature": j, "zero": tree, "one":
tree}``; what ``ID3Classifier.to_dict`` gives for features of two values is read, too.

>>> xor = {"feature": 0, "zero": {"feature": 1, "zero": {"leaf": -1}, "one": {"leaf": 1}},
...        "one": {"feature": 1, "zero": {"leaf": 1}, "one": {"leaf": -1}}}
>>> encode(xor, 2)
'10110001110100'
>>> decode(encode(xor, 2), 2) == xor
True

Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, on decision trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.messages.value_text import show

__all__ = ["decode", "encode"]


def encode(tree: Mapping[str, Any], d: int) -> str:
    """The bits of a binary tree over d features."""
    naming = _naming(d)
    bits: list[str] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if "leaf" in node:
            if node["leaf"] not in (-1, 1):
                raise ValueError(f"a leaf says {show(node['leaf'])}; the code knows -1 and 1 only.")
            bits.append("01" if node["leaf"] == 1 else "00")
            continue
        feature = node["feature"]
        if not 0 <= feature < d:
            raise ValueError(f"a node tests feature {feature}; there are d={d}.")
        bits.append("1" + (f"{feature:0{naming}b}" if naming else ""))
        zero, one = _children(node)
        waiting += [one, zero]
    return "".join(bits)


def decode(bits: str, d: int) -> dict[str, Any]:
    """The tree of which ``encode`` made these bits."""
    naming = _naming(d)
    root: dict[str, Any] = {}
    waiting, at = [root], 0
    while waiting:
        node = waiting.pop()
        end = at + (1 + naming if bits[at : at + 1] == "1" else 2)
        word = bits[at:end]
        if len(word) < end - at or word.strip("01"):
            raise ValueError(f"bits ends in the middle of a tree, or is none, at position {at}.")
        at = end
        if word[0] == "0":
            node["leaf"] = 1 if word == "01" else -1
            continue
        feature = int(word[1:] or "0", 2)
        if feature >= d:
            raise ValueError(f"bits names feature {feature} at position {at}; there are d={d}.")
        node |= {"feature": feature, "zero": {}, "one": {}}
        waiting += [node["one"], node["zero"]]
    if at < len(bits):
        raise ValueError(f"bits goes on after the tree ends, at position {at}.")
    return root


def _naming(d: int) -> int:
    """The number of bits for the index of one of d features."""
    if d < 1:
        raise ValueError(f"d={d} is not allowed: there must be at least one feature.")
    return (d - 1).bit_length()


def _children(node: Mapping[str, Any]) -> tuple[Any, Any]:
    if "children" not in node:
        return node["zero"], node["one"]
    children = list(node["children"].values())
    if len(children) != 2:
        raise ValueError(f"a node has {len(children)} branches; the code is for binary trees.")
    return children[0], children[1]
