"""LPBoost: the vote of the largest soft margin, by column generation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..base.sample import Sample
from .parts.totally_corrective import Corrected, Corrective


@dataclass(frozen=True)
class LPBoost(Corrective[Corrected]):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}.

    In round t

        D_t  is the distribution, D_t(i) <= D_1(i)/nu, with the least largest correlation
             sum D_t(i) y_i h_q(x_i) with the hypotheses q < t; that is dual_{t-1}
        h_t  is a new hypothesis; if r_t <= dual_{t-1} + accuracy the run ends without it
        w    are the votes of the largest soft margin of h_1, ..., h_t

    Of several hardest D_t, and of several best votes, the central ones are taken, which an
    interior-point method finds: they change less from round to round than corners do.

    ``nu``: the share of the examples whose margins may fall short, between 1/m, where the soft
    margin is the smallest margin, and 1; None: 1 - r_1, twice the error of the first hypothesis.

    **Guarantee.** At the end no vote of any hypotheses has a soft margin larger by more than
    ``accuracy``, if the learner finds the best hypothesis. At most the share nu of the examples has
    a margin below rho. No bound on the rounds is known.

    Reference: Demiriz, Bennett and Shawe-Taylor (2002), Machine Learning 46.
    """

    nu: float | None = None
    accuracy: float = 1e-6

    def begin(self, sample: Sample) -> Corrected:
        return Corrected.first(sample)

    def _share(self) -> float | None:
        return self.nu

    def _enough(self, state: Corrected, r: float) -> bool:
        return r <= state.vote.dual + self.accuracy

    def _reweighed(self, sample: Sample, state: Corrected) -> Corrected:
        return replace(state, D=state.patterns.distribution(sample, state.vote.D))
