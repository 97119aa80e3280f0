"""Votes, sums, medians, histories and losses in files: the same again, or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.files.forge import loaded, reread, written
from tests.files.test_tree import tree
from weaklearn import AdaBoostClassifier, Boosted, boosters, datasets, losses
from weaklearn.base.ensemble import Ensemble, StackedEnsemble
from weaklearn.base.history import History
from weaklearn.base.hypothesis import Stump
from weaklearn.base.trees.grove import Grove
from weaklearn.base.trees.scored_tree import Partition, ScoredTree
from weaklearn.base.votes.label_scores import LabelSum
from weaklearn.base.votes.median import MedianEnsemble
from weaklearn.base.votes.pairwise import PairwiseEnsemble
from weaklearn.base.votes.tree_sum import AdditiveTrees
from weaklearn.base.votes.weighted_sum import WeightedSum
from weaklearn.files import Flaw, ModelFileError, Shape
from weaklearn.files.loss import LOSSES as RECORDS
from weaklearn.files.member import members_fit
from weaklearn.learners.tree import TreeHypothesis
from weaklearn.losses import kinds
from weaklearn.persistence.model_bytes import sealed

STUMP = Stump(1, 0, 0.5, 0, -1, 1, 1)
NUMBER = ScoredTree(tree(5, n_outputs=1))


def shares(n_classes: int = 2, **others: Any) -> TreeHypothesis:
    values = np.tile(np.arange(1.0, n_classes + 1), (5, 1))
    values /= values.sum(axis=1, keepdims=True)
    grown = tree(5, n_outputs=n_classes, values=values)
    return replace(TreeHypothesis(grown, n_classes, "gini", frozenset({1})), **others)


def filled(ensemble: Any, *members: Any, vote: float = 0.5) -> Any:
    for k, h in enumerate(members):
        ensemble = ensemble.plus(vote + k, h)
    return ensemble


def history(*rounds: dict[str, float]) -> History:
    record = History()
    for metrics in rounds:
        record.append(metrics)
    return record


def bent(value: Any, **others: Any) -> Any:
    """A value changed behind the back of its own checks."""
    for name, other in others.items():
        object.__setattr__(value, name, other)
    return value


def tree_bits(trees: Any) -> list[bytes]:
    return [array.tobytes() for each in trees for array in each.arrays().values()]


def test_votes_come_back() -> None:
    for members in (
        [],
        [STUMP, STUMP],
        [shares()],
        [STUMP, shares()],
        [Partition(NUMBER.tree, 0.25)],
    ):
        ensemble = filled(Ensemble(), *members)
        again = reread(written(ensemble))
        assert again.votes.tolist() == ensemble.votes.tolist()
        assert again.running_weight == ensemble.running_weight
        assert list(map(type, again.members)) == list(map(type, members))
        assert [h for h in again.members if type(h) is Stump] == [STUMP] * members.count(STUMP)
        assert written(again) == written(ensemble)
    stacked = StackedEnsemble((filled(Ensemble(), STUMP), Ensemble()))
    assert [len(part) for part in reread(written(stacked)).parts] == [1, 0]
    duels = reread(written(PairwiseEnsemble((filled(Ensemble(), STUMP), Ensemble(), Ensemble()))))
    assert (type(duels), duels.n_outputs, len(duels.parts[0])) == (PairwiseEnsemble, 3, 1)


def test_sums_and_medians_come_back() -> None:
    total = reread(written(filled(WeightedSum(1.25), NUMBER, NUMBER)))
    assert type(total) is WeightedSum
    assert (total.base, total.votes.tolist()) == (1.25, [0.5, 1.5])
    for K in (2, 3):
        plausible = reread(written(filled(LabelSum(K), shares(K), shares(K))))
        assert type(plausible) is LabelSum
        assert (plausible.n_classes, plausible.n_outputs) == (K, K if K > 2 else 1)
        assert plausible.votes.tolist() == [0.5, 1.5]
    median = reread(written(filled(MedianEnsemble(), NUMBER)))
    assert type(median) is MedianEnsemble
    grove = reread(written(Grove([tree(5), tree(9, 1)])))
    assert tree_bits(grove) == tree_bits([tree(5), tree(9, 1)])
    one = tree(5, n_outputs=1)
    additive = AdditiveTrees(np.array([0.5, -1.0])).plus(0.1, [one, one]).plus(0.2, [one, one])
    again = reread(written(additive))
    assert again.base.tolist() == [0.5, -1.0]
    assert again.votes.tolist() == [0.1, 0.2]
    assert tree_bits(again.trees) == tree_bits([one] * 4)


def test_histories_come_back() -> None:
    for record in (
        History(),
        history({"a": 1.0}, {"a": np.inf}),
        history({"a": 1.0, "b": np.nan}, {"b": 2.0}, {"c": np.float64(3.0)}),
        history({"leaves": 3, "loss": 0.5}),
    ):
        again = reread(written(record))
        assert again == record
        assert [list(metrics) for metrics in again.metrics] == [
            [name for name in again if name in metrics] for metrics in record.metrics
        ]


LOSSES = [
    *(kind(3) if kind.target == "classes" else kind() for kind in kinds()),  # type: ignore[call-arg]
    losses.Softmax(3),
    losses.Quantile(0.25),
    losses.Huber(0.8, 2.0),
    losses.Tweedie(1.3),
    losses.Quantiles((0.1, 0.9)),
]


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_losses_come_back(loss: Any) -> None:
    assert reread(written(loss)) == loss


NUMBERS = {  # files of released versions hold them
    losses.Exponential: 40,
    losses.Logistic: 41,
    losses.Hinge: 42,
    losses.Softmax: 43,
    losses.Squared: 44,
    losses.Absolute: 45,
    losses.Quantile: 46,
    losses.Huber: 47,
    losses.Poisson: 48,
    losses.Gamma: 49,
    losses.Tweedie: 50,
    losses.Quantiles: 51,
}


def test_losses_keep_their_numbers() -> None:
    assert {record.number for record in RECORDS} <= {*range(40, 60), *range(68, 75)}
    assert [record.number for record in RECORDS] == sorted(
        kind.number for kind in kinds() if kind.number is not None
    )
    for kind, number in NUMBERS.items():
        assert kind.number == number


OFF: dict[str, tuple[Callable[[], Any], str]] = {
    "NaN base": (lambda: filled(WeightedSum(np.nan), NUMBER), "base"),
    "negative vote of a median": (lambda: filled(MedianEnsemble(), NUMBER, vote=-1.0), "negative"),
    "NaN vote": (lambda: filled(Ensemble(), STUMP, vote=np.nan), "votes"),
    "no trees": (lambda: Grove([]), "no tree"),
    "a part of three outputs": (lambda: StackedEnsemble((Ensemble(3),)), "3 outputs"),
    "no parts": (lambda: StackedEnsemble(()), "no part"),
    "pairs of no number of classes": (
        lambda: PairwiseEnsemble((Ensemble(), Ensemble())),
        "2 votes are not one for every two classes",
    ),
    "a pair of three outputs": (lambda: PairwiseEnsemble((Ensemble(3),)), "3 outputs"),
    "no labels": (lambda: bent(LabelSum(3), n_classes=0), "n_classes"),
    "no base": (lambda: AdditiveTrees(np.array([])), "no output"),
    "infinite base": (lambda: AdditiveTrees(np.array([np.inf])), "base"),
    "trees of two outputs": (lambda: AdditiveTrees(np.zeros(1)).plus(1.0, [tree(5)]), "several"),
    "too few trees": (
        lambda: AdditiveTrees(np.zeros(2)).plus(1.0, [tree(5, n_outputs=1)]),
        "not so many rounds",
    ),
    "other classes": (lambda: shares(n_classes=3, tree=tree(5)), "3 classes has 2 outputs"),
    "shares beyond 1": (lambda: shares(tree=tree(5)), "do not sum to 1"),
    "a criterion of no kind": (lambda: shares(criterion="os.system"), "criterion"),
    "gaps in no column": (lambda: shares(gaps=frozenset({-1})), "gaps"),
    "a block without criterion": (lambda: Partition(NUMBER.tree, np.nan), "criterion"),
    "a number of two": (lambda: ScoredTree(tree(5)), "2 outputs"),
    "level of a loss": (lambda: bent(losses.Quantile(), level=1.5), "level"),
    "level at the end": (lambda: bent(losses.Quantile(), level=1.0), "level"),
    "NaN delta": (lambda: bent(losses.Huber(), delta=np.nan), "delta"),
    "a loss of no levels": (lambda: bent(losses.Quantiles(), levels=()), "levels"),
    "a loss of no classes": (lambda: bent(losses.Softmax(2), n_classes=0), "n_classes"),
    "a history that counts itself": (lambda: history({"t": 1.0}), "no facts|number of the round"),
    "a history of texts": (lambda: history({"a": "x"}), "holds 'x'"),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("name", OFF)
def test_what_is_off_is_refused(name: str) -> None:
    make, words = OFF[name]
    with pytest.raises(ModelFileError, match=words):
        reread(written(make()))


def test_members_fit_their_vote() -> None:
    shape = Shape(5, {}, {}, 3)
    members_fit("vote", [STUMP, shares()], shape, 1)
    members_fit("vote", [shares(3)], shape, 3)
    for member, n_outputs in ((shares(3), 1), (shares(), 3), (shares(gaps=frozenset({5})), 1)):
        with pytest.raises(Flaw):
            members_fit("vote", [member], shape, n_outputs)
    with pytest.raises(Flaw, match="member is a History"):
        members_fit("vote", [History()], shape, 1)


def test_an_unbounded_vote_stands_alone() -> None:
    """The fitted members of a file have an error each, in every one of its binary problems."""
    X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 1, 2, 0, 1, 2]
    for multiclass in ("ovr", "pairs"):
        model = AdaBoostClassifier(n_estimators=3, multiclass=multiclass).fit(X, y)
        assert len(model.ensemble_.parts[0]) == 3
        assert len(loaded(sealed(model)).estimators_) == len(model.ensemble_.votes)
        rounds = [dict(metrics) for metrics in model.history_.metrics]
        model.history_ = history(*rounds[:2], rounds[2] | {"alpha_0": -np.inf})
        with pytest.raises(ModelFileError, match="does not stand alone"):
            loaded(sealed(model))


def test_a_member_has_a_round() -> None:
    model = Boosted(boosters.AdaBoost(), n_estimators=1).fit(*datasets.toy())
    assert len(loaded(sealed(model)).estimators_) == 1
    model.history_ = History([], {"epsilon": None})
    with pytest.raises(ModelFileError, match="0 rounds of 1"):
        loaded(sealed(model))
