"""The rows of the online learners: weights, kernels, experts."""

from __future__ import annotations

from typing import Any

from .family import ONLINE
from .row import Row


def _row(number: int, home: str, page: str, rule: str, runtime: str | None, **more: Any) -> Row:
    return Row(
        home=f"estimators.online.{home}",
        family=ONLINE,
        page=page,
        number=number,
        kept=(f"persistence.kept_online.{rule}",),
        runtime=runtime,
        **more,
    )


_LINEAR = ("online.md", "linear", "linear.LinearClassifier")

ROWS = (
    _row(150, "sgd.Perceptron", *_LINEAR, trial={}),
    _row(
        151,
        "sgd.AveragedPerceptron",
        *_LINEAR,
        command="perceptron",
        trial={"fit_intercept": True},
    ),
    _row(152, "sgd.MarginPerceptron", *_LINEAR, trial={}),
    _row(153, "sgd.SGDClassifier", *_LINEAR, command="sgd", trial={}),
    _row(
        154,
        "kernel_perceptron.KernelPerceptron",
        "kernels.md",
        "kernel_sum",
        "kernels.KernelClassifier",
        trial={},
    ),
    _row(
        156,
        "kernel_svm.KernelSVMClassifier",
        "kernels.md",
        "machine",
        "kernels.KernelClassifier",
        command="svm",
        trial={},
    ),
    _row(
        155,
        "kernel_svm.HingeLPClassifier",
        "kernels.md",
        "halfspace",
        "linear.HalfspaceClassifier",
        trial={},
    ),
    _row(159, "sleeping_experts.SleepingExperts", "experts.md", "experts", None),
    _row(157, "disjunction.HalvingClassifier", "experts.md", "version_space", None),
    _row(
        158,
        "disjunction.OnlineDisjunction",
        "experts.md",
        "disjunction",
        "simple.OnlineDisjunction",
    ),
    _row(160, "hedge.Hedge", "experts.md", "losses", "linear.Hedge"),
)
