"""Where the classes of ensembles are defined, for those who only compare: none is imported."""

from __future__ import annotations

from ...lazy_names import homes_of

_MODULES = homes_of(
    {
        "decaying": "Fading",
        "label_scores": "CodedScores LabelScores LabelSum",
        "median": "MedianEnsemble",
        "pairwise": "PairwiseEnsemble",
        "prior": "Foreknown",
        "reweighted": "Revoted",
        "weighted_sum": "WeightedSum",
    }
)


def home_of_vote(name: str) -> str:
    """Module and name of a class of ensembles.

    >>> home_of_vote("MedianEnsemble").rpartition(".")
    ('weaklearn.base.votes.median', '.', 'MedianEnsemble')
    """
    return f"{__package__}.{_MODULES[name]}.{name}"
