"""Certificates about the true error of a weighted vote, from training data alone.

Six theorems, and each of them takes a sixth of the delta it is given; none of that is passed on
where a theorem does not apply, so that what is read off may be chosen after the data. Copies of an
example, as rows or as weights, are no further draws: m counts the different examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt

import numpy as np

from ...base.certificate import Certificate
from ...base.hypothesis import CONSTANT, THRESHOLD, Stump
from ...base.types import Floats
from .. import bounds
from ..distinct import Distinct
from .code_length import LN2, Described, Table, described, divergence
from .pac_bayes import drawn_bound, kl_bound
from .theorem import Evidence

_FINITE = "Hoeffding and a union; Schapire and Freund, Boosting, Theorem 2.2"
_OCCAM = "Blumer et al. (1987); with the Chernoff bound, Langford (2005)"
_VC = "Vapnik and Chervonenkis (1971); Blum, Hopcroft and Kannan, Theorem 6.20 as proved"
_KEPT = "Littlestone and Warmuth (1986); Schapire and Freund, Boosting, Theorem 2.8"
_MARGINS = "Schapire, Freund, Bartlett and Lee (1998)"
_DRAWS = "McAllester (1999); Maurer (2004); Langford, Seeger and Megiddo (2001)"

STATEMENTS = {
    "gen-finite": ("true error <= training error + sqrt((ln|H| + ln(1/delta)) / (2m))", _FINITE),
    "gen-bits": ("kl(training error || true error) <= (bits ln 2 + ln(1/delta)) / m", _OCCAM),
    "gen-vc": ("true error <= training error + sqrt(8 (ln(4 Pi(2m)) + ln(1/delta)) / m)", _VC),
    "gen-compression": (
        "true error <= m/(m-k) training error + sqrt((k ln m + ln(1/delta)) / (2(m-k)))",
        _KEPT,
    ),
    "gen-margins": (
        "true error <= share of margins <= theta + 4 exp(-n theta^2/8) + sqrt(n ln|H|...)",
        _MARGINS,
    ),
    "gen-pac-bayes": (
        "true error <= p / B, kl(bad rows || p) <= (N KL + ln(2 sqrt(m)/delta)) / m",
        _DRAWS,
    ),
}
_DRAWN = "the training examples were drawn independently of one another"
_NAMED = "the labels that may occur were known before the examples were drawn"
_THETAS = np.round(np.geomspace(0.01, 1.0, 40), 4)
_VOTERS = np.unique(np.geomspace(1, 50_000, 120).astype(np.int64))


def certify_truth(evidence: Evidence, table: Table, delta: float) -> list[Certificate]:
    """All certificates about the true error that need training data alone."""
    share = delta / len(STATEMENTS)
    why = evidence.why_not(rows_needed=True)
    if why is None and evidence.left_out:
        why = f"{evidence.left_out} rows of weight 0 were left out, and the others were chosen"
    known = described(evidence.ensemble, table) if why is None else why
    if isinstance(known, str):
        return [_not_applicable(id, known) for id in STATEMENTS]
    case = _Case(evidence, known, share)
    return [
        case.finite(),
        case.description(),
        case.growth(),
        case.compression(),
        case.margins(),
        case.draws(),
    ]


def _not_applicable(id: str, why: str) -> Certificate:
    statement, source = STATEMENTS[id]
    return Certificate.not_applicable(id, statement, source, why, "truth")


@dataclass(frozen=True)
class _Case:
    """One vote, its training examples, and the share of delta that each theorem has."""

    evidence: Evidence
    known: Described
    delta: float

    @property
    def distinct(self) -> Distinct:
        """The different training examples."""
        if self.evidence.distinct is not None:
            return self.evidence.distinct
        return Distinct.rows(len(self.margin))

    @property
    def margin(self) -> Floats:
        """The margins of the training rows."""
        return self.evidence.rows[0]

    @property
    def m(self) -> int:
        return self.distinct.m

    @property
    def error(self) -> float:
        """The share of the rows that the vote gets wrong, whatever weights it was fitted to."""
        return self.below(0.0)

    def below(self, theta: float) -> float:
        """The share of margins up to theta: of all rows, or of different examples if larger."""
        return self.distinct.share(self.margin <= theta)

    def says(self, id: str, bound: float, note: str, checked: str) -> Certificate:
        statement, source = STATEMENTS[id]
        return Certificate(
            id,
            statement,
            source,
            ("the rows are those of training", checked),
            (_DRAWN, *([_NAMED] if self.known.table.n_classes > 2 else []), *self.distinct.assumed),
            float(bound),
            note=f"{note}, m = {self.distinct.words}",
            about="truth",
            delta=self.delta,
        )

    def finite(self) -> Certificate:
        if not self.known.doubles:
            return _not_applicable("gen-finite", _CATEGORIES)
        lnH = self.known.grid + self.known.shape  # a class for every shape, each with its delta
        bound = float(bounds.finite_class_upper(self.error, lnH, self.m, self.delta))
        note = f"ln|H| = {lnH:.0f}"
        return self.says(
            "gen-finite", bound, note, "thresholds and votes are doubles, a fixed grid"
        )

    def description(self) -> Certificate:
        if not self.known.coded:
            return _not_applicable("gen-bits", _CODES)
        cost = self.known.bits * LN2 - log(self.delta)
        bound = kl_bound(self.error, cost / self.m)
        note = f"{self.known.bits:.0f} bits"
        return self.says("gen-bits", bound, note, "every member and vote has a code fixed before")

    def growth(self) -> Certificate:
        if self.known.n_parts > 1 or self.known.table.n_classes > 2:
            return _not_applicable("gen-vc", "it is about two classes")
        m = self.m
        labellings = self.known.growth(2 * m)
        width = sqrt(8 * (log(4) + labellings + self.known.shape - log(self.delta)) / m)
        note = f"ln Pi(2m) <= {labellings:.0f}"
        checked = "halfspaces over members of known growth"
        return self.says("gen-vc", self.error + width, note, checked)

    def compression(self) -> Certificate:
        why = self._why_not_rebuilt()
        if why is not None:
            return _not_applicable("gen-compression", why)
        kappa, m = 2 * self.known.T, self.m
        if kappa >= m:
            return _not_applicable("gen-compression", f"{kappa} examples would be kept of {m}")
        T = self.known.T
        # Beside the examples: T, the sign of the votes, and for each rule its feature, its answers,
        # whether it is constant, and which of three ways to write a midpoint gives its threshold.
        messages = 4 * (T + 1) * (T + 2) * (27 * 2 * 3 * self.known.table.n_features) ** T
        share = Fraction(self.delta) / messages
        bound = float(bounds.compression_upper(self.error, m, kappa, share))
        checked = "every threshold was rebuilt from two training values, all votes are alike"
        return self.says("gen-compression", bound, f"{kappa} examples kept", checked)

    def _why_not_rebuilt(self) -> str | None:
        if self.known.n_parts > 1 or self.known.table.n_classes > 2:
            return "it is about two classes"
        if not all(isinstance(h, Stump) for h in self.evidence.ensemble.members):
            return "members other than stumps are not rebuilt from single examples"
        if not self.known.alike:
            return "the votes rest on all examples, and those kept do not give them back"
        if not all(self._rebuilt(h) for h in self.evidence.ensemble.members):
            return "a threshold does not lie between two values of training"
        return None

    def _rebuilt(self, h: Stump) -> bool:
        """Whether two training values give the threshold back to the bit."""
        assert self.evidence.sample is not None
        if h.test == CONSTANT:
            return True
        if h.test != THRESHOLD:
            return False
        x = self.evidence.sample.column(h.feature)
        below, above = x[x <= h.threshold], x[x > h.threshold]
        if len(below) == 0 or len(above) == 0:
            return False
        low, high = float(below.max()), float(above.min())
        return h.threshold in (low + (high - low) / 2, (low + high) / 2, low / 2 + high / 2)

    def margins(self) -> Certificate:
        why = self._why_no_margins() if self.known.doubles else _CATEGORIES
        if why is not None:
            return _not_applicable("gen-margins", why)
        tests = max(h.tests for h in self.known.members)
        m, lnH = self.m, self.known.base + log(tests + 1)  # members of that many tests, or fewer
        # Rules that may abstain give 2n + 1 averages of n voters, and not n + 1: half of delta.
        share = self.delta / (2 * (tests + 1) * (tests + 2))
        least = float(bounds.margin_gen_theta_min(lnH, m))
        best = (np.inf, 1.0, 1)
        for theta in _THETAS[_THETAS > least]:
            rest = np.asarray(bounds.margin_gen_finite_n(float(theta), lnH, m, share, _VOTERS))
            at = int(rest.argmin())
            best = min(best, (self.below(float(theta)) + float(rest[at]), float(theta), at))
        if not np.isfinite(best[0]):
            return _not_applicable("gen-margins", f"no theta exceeds its least value, {least:.3g}")
        bound, theta, at = best
        note = f"theta = {theta:g}, n = {int(_VOTERS[at])}"
        return self.says("gen-margins", bound, note, "members are of a class of doubles")

    def _why_no_margins(self) -> str | None:
        if not self.known.coded:
            return _CODES
        if self.known.n_parts > 1 or self.known.table.n_classes > 2:
            return "it is about two classes"
        if self.known.by_label:
            return "members answer with a number for each label, and not with one"
        return None

    def draws(self) -> Certificate:
        why = self._why_no_margins()
        if why is None and self.m < 8:
            why = "it needs eight examples"
        if why is not None:
            return _not_applicable("gen-pac-bayes", why)
        gap = divergence(self.evidence.ensemble, self.known)
        found = drawn_bound(self.margin, gap, self.delta, self.distinct)
        note = f"KL = {gap:.1f}, N = {found.voters}, at most {found.right} right"
        checked = "the prior is 2^-bits, fixed before the data"
        return self.says("gen-pac-bayes", found.bound, note, checked)


_CATEGORIES = (
    "a rule asks for a category or a date, and no class of these is finite; columns of numbers "
    "fixed before the data, such as 0 and 1 for each category, have one"
)
_CODES = "a rule asks for a category or a date whose code comes from the data"
