"""How is a model kept in MLflow? The flavour ``weaklearn``, whose files hold no pickle.

>>> import pathlib, tempfile
>>> import weaklearn as wl
>>> import weaklearn.mlflow
>>> X, y = wl.datasets.toy()
>>> model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
>>> path = pathlib.Path(tempfile.mkdtemp()) / "toy"
>>> weaklearn.mlflow.save_model(model, path, signature=weaklearn.mlflow.signature(model, X))
>>> weaklearn.mlflow.load_model(str(path)).fingerprint() == model.fingerprint()
True
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .base.messages.value_text import show
from .base.offered import Method, offers
from .persistence.save_load import load
from .production.provenance import current_versions

try:
    import mlflow
    from mlflow import artifacts, pyfunc
    from mlflow.models import Model, ModelSignature, infer_signature
except ImportError as error:
    raise ImportError('weaklearn.mlflow needs mlflow: pip install "weaklearn[mlflow]"') from error

if TYPE_CHECKING:
    from .persistence.fitted_model import FittedModel

FLAVOR_NAME = "weaklearn"
_FILE = "model.weak"
_METHODS: tuple[Method, ...] = ("predict", "predict_proba", "decision_function")


def save_model(
    model: FittedModel,
    path: str | os.PathLike[str],
    mlflow_model: Model | None = None,
    *,
    pip_requirements: list[str] | None = None,
    **more: Any,
) -> None:
    """Writes a fitted model to a new folder in MLflow's format, for ``load_model`` and pyfunc.

    The folder holds the file that ``model.save`` writes, and what MLflow needs to serve it.
    ``pip_requirements`` are this version of weaklearn and its tables by default. ``signature``,
    ``input_example``, ``metadata``, ``conda_env``, ``code_paths`` and ``extra_pip_requirements``
    go to ``mlflow.pyfunc.save_model``. A model with learners from outside this library, which no
    file can hold, is refused.
    """
    kept = Model() if mlflow_model is None else mlflow_model
    version = current_versions().weaklearn
    kept.add_flavor(
        FLAVOR_NAME,
        data=f"data/{_FILE}",
        weaklearn_version=version,
        estimator=type(model).__name__,
        fingerprint=model.fingerprint(),
    )
    if pip_requirements is None and more.get("conda_env") is None:
        pip_requirements = [f"mlflow=={mlflow.__version__}", f"weaklearn=={version}", "pandas"]
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / _FILE
        model.save(written)
        pyfunc.save_model(
            os.fspath(path),
            loader_module=__name__,
            data_path=str(written),
            mlflow_model=kept,
            pip_requirements=pip_requirements,
            **more,
        )


def log_model(model: FittedModel, name: str | None = None, **more: Any) -> Any:
    """Logs a fitted model to the active run of MLflow, and gives MLflow's ``ModelInfo``.

    ``more`` are arguments of ``save_model`` and of ``mlflow.models.Model.log``, such as
    ``registered_model_name``.
    """
    return Model.log(
        artifact_path=None, name=name, flavor=sys.modules[__name__], model=model, **more
    )


def load_model(model_uri: str, dst_path: str | None = None) -> FittedModel:
    """The estimator in a model of MLflow, at a path or an address such as ``models:/name/1``."""
    folder = artifacts.download_artifacts(artifact_uri=model_uri, dst_path=dst_path)
    known = Model.load(folder).flavors
    if FLAVOR_NAME not in known:
        raise ValueError(
            f"{model_uri} has no flavour {show(FLAVOR_NAME)}; it has {', '.join(sorted(known))}: "
            "load it by mlflow.pyfunc.load_model."
        )
    return load(Path(folder) / known[FLAVOR_NAME]["data"])


def signature(model: FittedModel, X: Any) -> ModelSignature:
    """The signature of a model that was fitted to columns such as those of X.

    Its parameter ``method`` chooses what pyfunc answers with: "predict", or "predict_proba" or
    "decision_function" of models that have them.
    """
    return infer_signature(X, model.predict(X), params={"method": "predict"})


class _Answers:
    """What pyfunc asks of a model."""

    def __init__(self, model: FittedModel) -> None:
        self._model = model

    def predict(self, model_input: Any, params: dict[str, Any] | None = None) -> Any:
        """The answers of the method that the parameters name, by default those of ``predict``."""
        method = (params or {}).get("method", "predict")
        known = [name for name in _METHODS if offers(self._model, name)]
        if method not in known:
            raise ValueError(
                f"method={show(method)} is not allowed: {type(self._model).__name__} has "
                f"{', '.join(known)}."
            )
        return getattr(self._model, method)(model_input)


def _load_pyfunc(path: str) -> _Answers:
    """What ``mlflow.pyfunc.load_model`` asks of a flavour: the model in a file."""
    return _Answers(load(path))
