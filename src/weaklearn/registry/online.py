"""The rows of the online learners: weights, kernels, experts."""

from __future__ import annotations

from .row import ONLINE, Row


def _row(
    number: int, home: str, page: str, rule: str, runtime: str | None, command: str | None = None
) -> Row:
    return Row(
        home=f"estimators.online.{home}",
        family=ONLINE,
        page=page,
        number=number,
        kept=(f"persistence.kept_online.{rule}",),
        runtime=runtime,
        command=command,
    )


_LINEAR = ("online.md", "linear", "linear.LinearClassifier")
_KERNEL = "kernels.KernelClassifier"

ROWS = (
    _row(150, "sgd.Perceptron", *_LINEAR),
    _row(151, "sgd.AveragedPerceptron", *_LINEAR, "perceptron"),
    _row(152, "sgd.MarginPerceptron", *_LINEAR),
    _row(153, "sgd.SGDClassifier", *_LINEAR, "sgd"),
    _row(154, "kernel_perceptron.KernelPerceptron", "kernels.md", "kernel_sum", _KERNEL),
    _row(156, "kernel_svm.KernelSVMClassifier", "kernels.md", "machine", _KERNEL, "svm"),
    _row(155, "kernel_svm.HingeLPClassifier", "kernels.md", "halfspace", _KERNEL),
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
