"""Estimators of texts in model files."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..base.offered import fact
from ..base.votes.graded_rules import GradedRules
from ..base.votes.homes import home_of_vote as vote
from ..files.check import array, instance, integer, listed, maybe, need, one_of, real, text
from ..persistence import checks as fit
from ..persistence.calibration_record import CALIBRATION
from ..persistence.kept import Kept
from .handwritten import Handwritten, HandwrittenPrior
from .sleepers import SLEEPERS


def _boosted_terms(model: Any) -> None:
    """A booster of labels, as the form has it."""
    fit.boosted("epsilon", "gamma", "alpha", "Z")(model)
    scheme = "AdaBoostMR" if model._ranks else "AdaBoostMH"
    need(model._scheme == scheme, f"the fit is not that of form={model.form!r}")
    several = model._indicator is not None
    need(("_cut" in model.__dict__) == (model._ranks and several), "the labels are not cut so")
    members = model.ensemble_.members
    graded = [isinstance(h, GradedRules) for h in members]
    need(any(graded) <= all(graded), "rounds have one rule and many")
    need(not any(graded) or model._parallel(model._schema), "a round has many rules")
    for h in () if any(graded) else members:
        need(h.tree.is_leaf[1:].all(), "a rule asks more than one question")


def _packed_terms(attributes: dict[str, Any]) -> dict[str, Any]:
    """A vocabulary as the list of its terms, whose order it is in."""
    state = dict(attributes)
    state["terms"] = list(state.pop("vocabulary_"))
    return state


def unpack_terms(model: Any, state: dict[str, Any]) -> None:
    """The list of terms as a vocabulary."""
    terms = state.pop("terms")
    need(all(a < b for a, b in pairwise(terms)), "the terms are in no order")
    model.vocabulary_ = {term: j for j, term in enumerate(terms)}
    model.__dict__.update(state)


def check_vocabulary(model: Any) -> None:
    """Refuses terms without frequencies, or with more documents than there were."""
    found, n = model.document_frequency_, len(model.vocabulary_)
    need(n > 0, "there are no terms")
    need(len(found) == n, f"there are not frequencies of {n} terms")
    within = (found >= 1) & (found <= model.n_documents_)
    need(within.all(), "a term is in more documents than there were")


def _whole_parts(model: Any) -> None:
    """What a model of texts is made of is fitted."""
    need(fact(model.vectorizer_, "vocabulary_") is not None, "the vectorizer is not fitted")
    need(fact(model.model_, "ensemble_") is not None, "the rules are not fitted")


def _filter(model: Any) -> None:
    """Terms, rules and experts belong together."""
    _whole_parts(model)
    need(model.vectorizer_.binary, "the vectorizer counts terms")
    need(model.vectorizer_.weights is None, "the vectorizer weighs terms")
    n_terms = len(model.vectorizer_.vocabulary_)
    need(model.model_._schema.n_features == n_terms, f"the rules are not of {n_terms} terms")
    need(model.model_.classes_.tolist() == [0, 1], "the rules do not tell ham and spam apart")
    need(len(model.classes_) == 2, "there are not two labels")
    model._sleepers.check(n_terms)


def _router(model: Any) -> None:
    """Terms, rules and types of calls belong together."""
    _whole_parts(model)
    n_terms, n = len(model.vectorizer_.vocabulary_), len(model.classes_)
    by_hand = model.prior_rules is not None
    named = type(model.model_).__name__
    need(
        named == ("AdaBoostLClassifier" if by_hand else "AdaBoostMHClassifier"),
        "the rules are not of the kind that prior_rules ask for",
    )
    if by_hand:
        prior = model.model_.prior
        of_all = isinstance(prior, HandwrittenPrior) and prior.n_labels == n
        need(of_all, "the prior is not of all labels")
    width = n_terms + (n if by_hand else 0)
    need(model.model_._schema.n_features == width, f"the rules are not of {width} columns")
    labels = model.classes_.tolist()
    need(model.model_.classes_.tolist() == labels, "the rules have other labels")
    if by_hand:
        rules = Handwritten.read(model.prior_rules)
        need(rules.labels() <= set(labels), "prior_rules speak of a label that is no class")


boosted_terms = Kept(
    fit.BOOSTED
    | {
        "_schema": fit.any_schema,
        "classes_": fit.classes,
        "calibration_": instance(CALIBRATION.home),
        "ensemble_": instance(vote("LabelScores")),
        "_scheme": one_of("AdaBoostMH", "AdaBoostMR"),
        "_indicator": maybe(fit.indicator),
    },
    {"validation_scores_": array("f", finite=False), "_cut": real()},
    sided=frozenset({"_resumed"}),
    cross_check=_boosted_terms,
)
spam_filter = Kept(
    {
        "vectorizer_": fit.estimator_of("TermVectorizer"),
        "model_": fit.estimator_of("AdaBoostMHClassifier"),
        "classes_": fit.two_classes,
        "threshold_": real(0.0, 1.0),
        "_sleepers": instance(SLEEPERS.home),
    },
    consistent=_filter,
)
router = Kept(
    {
        "vectorizer_": fit.estimator_of("TermVectorizer"),
        "model_": fit.estimator,
        "classes_": fit.classes,
    },
    cross_check=_router,
)
vocabulary = Kept(
    {
        "terms": listed(text),
        "document_frequency_": array("i"),
        "n_documents_": integer(1, 2**62),
    },
    pack=_packed_terms,
    unpack=unpack_terms,
    consistent=check_vocabulary,
)
