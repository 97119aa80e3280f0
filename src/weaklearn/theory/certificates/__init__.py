"""Theorems applied to the record of a fit: certificates with bounds and assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy_names import lazy_names

if TYPE_CHECKING:
    from .any_vote import all_pairs, alternating_tree, own_booster, rule_set
    from .evidence import Evidence
    from .held_out import Held
    from .known_edge import boost_by_majority, constant_step, majority_of_three
    from .labels import by_code, by_hamming_loss, by_rank_loss
    from .linear_program import erlpboost, lpboost, softboost, totalboost
    from .logistic import adaboost_l, filterboost
    from .margin import ball, best_margin, loss_train, margin_shares, star
    from .noise import brownboost, gentle, madaboost, normalboost, smoothboost
    from .pseudo_loss import by_pseudo_loss

__all__ = [
    "Evidence",
    "Held",
    "adaboost_l",
    "all_pairs",
    "alternating_tree",
    "ball",
    "best_margin",
    "boost_by_majority",
    "brownboost",
    "by_code",
    "by_hamming_loss",
    "by_pseudo_loss",
    "by_rank_loss",
    "constant_step",
    "erlpboost",
    "filterboost",
    "gentle",
    "loss_train",
    "lpboost",
    "madaboost",
    "majority_of_three",
    "margin_shares",
    "normalboost",
    "own_booster",
    "rule_set",
    "smoothboost",
    "softboost",
    "star",
    "totalboost",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Evidence": "evidence",
        "Held": "held_out",
        "adaboost_l": "logistic",
        "all_pairs": "any_vote",
        "alternating_tree": "any_vote",
        "ball": "margin",
        "best_margin": "margin",
        "boost_by_majority": "known_edge",
        "brownboost": "noise",
        "by_code": "labels",
        "by_hamming_loss": "labels",
        "by_pseudo_loss": "pseudo_loss",
        "by_rank_loss": "labels",
        "constant_step": "known_edge",
        "erlpboost": "linear_program",
        "filterboost": "logistic",
        "gentle": "noise",
        "loss_train": "margin",
        "lpboost": "linear_program",
        "madaboost": "noise",
        "majority_of_three": "known_edge",
        "margin_shares": "margin",
        "normalboost": "noise",
        "own_booster": "any_vote",
        "rule_set": "any_vote",
        "smoothboost": "noise",
        "softboost": "linear_program",
        "star": "margin",
        "totalboost": "linear_program",
    },
)
