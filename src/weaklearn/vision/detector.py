"""CascadeDetector: faces found in photographs by a cascade of boosted rectangle features."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import fields
from math import inf
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ..base.history import History
from ..base.messages.value_text import show
from ..base.messages.warnings import BoostingWarning, warn
from ..engines import choose, resolve_threads
from ..estimators.model import Model, assign, in_one_step
from ..intake import parameters
from ..persistence.save_load import load
from ..production.provenance import fitted_now
from . import checkpoint as progress
from .boosting import BoosterName, scores_of
from .cascade import Cascade
from .curve import detection_curve
from .haar import haar_features, types_of
from .mining import Backgrounds
from .opencv import read, write
from .pixels import grey_windows
from .scanner import Scan, detect, raw
from .training import DRY, OPENCV, TIME, Plan, Trainer
from .training_images import Augmentation, background_images, face_windows, first_negatives


@parameters.declared
class CascadeDetector(Model):
    """A cascade of boosted rectangle features, and the scanner that moves it over photographs.

    Stage i is boosted one feature at a time; after each its threshold is lowered until the cascade
    still finds ``min_detection_rate`` times as many of the faces held out as before it, and the
    stage ends once it lets pass at most ``max_false_positive_rate`` of the windows without a face
    that the stages before it let pass. Such windows are then looked for again in the backgrounds,
    by scanning them with the cascade so far.

    Parameters
    ----------
    min_detection_rate, max_false_positive_rate : float, default .995 and .5
        What each stage must reach on faces and windows held out.
    target_false_positive_rate : float, default 1e-6
        The product of the stages' rates that ends the training.
    max_stages : int, default 20
        Stages of the cascade at most.
    max_stage_features : int, default 200
        Features that a stage may add.
    n_negatives : int, default 5000
        Windows without a face that a stage is trained on and judged by.
    booster : {"gentle", "real", "adaboost"}, default "gentle"
        Confidence-rated stumps (of least squared error, or least Z), or stumps with one vote each.
    soft : bool, default True
        Whether a stage's sum goes on from that of the stage before it, or starts from nothing.
    types : str, default "ABDEEv"
        Types of features; see ``haar_features``.
    max_features : int, float or None, default 0.1
        Features that a stage chooses among, or the share of them, drawn anew for each stage.
    mirror, copies, shift, scale, rotation, brightness
        How faces are varied: mirror images, so many varied copies of each, by up to so many pixels,
        shares, degrees and shares.
    background_scale_factor : float, default 1.25
        Steps between the sizes in which backgrounds are scanned for windows.
    validation_fraction : float, default 0.1
        Faces, and windows without a face, that are held out.
    max_memory : float, default 2.0
        Room for coded features in GiB; beyond it they are found anew in every round.
    max_time : float or None
        Seconds after which no feature is added, and no further size of a background searched.

    Attributes
    ----------
    cascade_ : Cascade
        Features, stumps, stages and thresholds as arrays.
    history_ : History
        A row for each stage: features, rates, windows seen and passed in the backgrounds.
    stop_reason_ : str
        Why there is no further stage.

    Examples
    --------
    >>> from weaklearn.vision import CascadeDetector
    >>> rng = np.random.default_rng(0)
    >>> scenes = [rng.integers(0, 256, (60, 60), np.uint8) for _ in range(4)]
    >>> face = np.full((12, 12), 200, np.uint8)
    >>> face[3:5, 1:5] = face[3:5, 7:11] = face[8:10, 3:9] = 40
    >>> faces = np.clip(face + rng.normal(0, 12, (80, 12, 12)), 0, 255).astype(np.uint8)
    >>> model = CascadeDetector(n_negatives=400, max_stages=2).fit(faces, scenes)
    >>> photo = scenes[0].copy()
    >>> photo[20:32, 30:42] = face
    >>> boxes, scores = model.detect(photo, min_neighbours=1)
    >>> boxes[np.argmax(scores)].tolist()
    [30, 20, 12, 12]

    References
    ----------
    Viola and Jones (2001), Rapid object detection using a boosted cascade of simple features;
    Bourdev and Brandt (2005), Robust object detection via soft cascade.
    """

    min_detection_rate: float = 0.995
    max_false_positive_rate: float = 0.5
    target_false_positive_rate: float = 1e-6
    max_stages: int = 20
    max_stage_features: int = 200
    n_negatives: int = 5000
    booster: BoosterName = "gentle"
    soft: bool = True
    types: str = "ABDEEv"
    max_features: Any = 0.1
    mirror: bool = True
    copies: int = 1
    shift: float = 0.5
    scale: float = 0.05
    rotation: float = 5.0
    brightness: float = 0.0
    background_scale_factor: float = 1.25
    validation_fraction: float = 0.1
    max_memory: float = 2.0
    max_time: Any = None
    random_state: Any = None
    n_jobs: Any = None
    verbose: Any = False

    def _check_parameters(self) -> None:
        """Refuses parameters that are out of range."""
        real, integer = parameters.real, parameters.integer
        real("min_detection_rate", self.min_detection_rate, 0.0, 1.0)
        real("max_false_positive_rate", self.max_false_positive_rate, 0.0, 1.0, strict=True)
        real("target_false_positive_rate", self.target_false_positive_rate, 0.0, 1.0)
        integers = {"max_stages": 1, "max_stage_features": 1, "n_negatives": 20, "copies": 0}
        for name, least in integers.items():
            integer(name, getattr(self, name), least)
        parameters.one_of("booster", self.booster, BoosterName)
        parameters.switch("soft", self.soft)
        types_of(self.types)
        _share_or_count(self.max_features)
        parameters.switch("mirror", self.mirror)
        varied = {"shift": 100.0, "scale": 1.0, "rotation": 180.0, "brightness": 1.0}
        for name, most in varied.items():
            real(name, getattr(self, name), None, most, least=0.0)
        real("background_scale_factor", self.background_scale_factor, None, 10.0, least=1.01)
        real("validation_fraction", self.validation_fraction, 0.0, 1.0, strict=True)
        real("max_memory", self.max_memory, None, inf, least=0.0)
        if self.max_time is not None:
            real("max_time", self.max_time, 0.0, inf)
        parameters.seed("random_state", self.random_state)
        parameters.verbosity(self.verbose)

    # --------------------------------------------------------------------------------- training

    @in_one_step
    def fit(
        self,
        faces: Any,
        backgrounds: Any,
        *,
        validation_faces: Any = None,
        negatives: Any = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Trains the cascade on faces, (n, height, width), and photographs without faces.

        Photographs are a list of arrays or Pillow images, grey or in colour, or one of them. Pixels
        of faces and photographs are whole numbers from 0 to 255 (in 16 bits without a sign to
        65535), numbers with a point from 0 to 1, or True for white.

        ``validation_faces`` are held out to set thresholds by, instead of a share of the faces;
        ``negatives`` are windows without a face to begin with. A face here and there among the
        backgrounds does no harm worth mentioning. The order of faces and backgrounds does not
        matter. In the file ``checkpoint`` the training is kept after each stage, and taken up from
        there by the next call with the same images and parameters; where it holds more than
        ``max_stages`` stages, the first are taken.
        """
        began = time.monotonic()
        self._check_parameters()
        trainer = self._trainer(faces, backgrounds, validation_faces, negatives, began)
        about = self._training_hash(trainer) if checkpoint is not None else ""
        keep = None if checkpoint is None else progress.Checkpoint(checkpoint, about)
        if keep is not None and keep.resume(trainer):
            self._say(f"taken up after stage {len(trainer.stages)}")
        try:
            reason = self._train(trainer, keep)
        except KeyboardInterrupt:
            if trainer.stages:
                self._finish(trainer, "interrupted")
            raise
        why = trainer.explained(reason, self.max_time)
        if not trainer.stages:
            raise ValueError(f"no stage could be trained: {why}")
        if reason in (DRY, TIME):
            warn(
                f"training ended after {len(trainer.stages)} stages because {why}", BoostingWarning
            )
        self._finish(trainer, reason)
        return self

    def _trainer(
        self, faces: Any, backgrounds: Any, validation_faces: Any, negatives: Any, began: float
    ) -> Trainer:
        seed = parameters.seed("random_state", self.random_state)
        share = self.validation_fraction
        stack, held = face_windows(faces, validation_faces, share, seed)
        height, width = stack.shape[1:]
        images = background_images(backgrounds, width)
        given = first_negatives(negatives, (height, width), share, seed)
        large = [i for i in images if i.shape[0] >= height and i.shape[1] >= width]
        if not len(given.windows) and not large:
            raise ValueError(
                f"backgrounds holds {len(images)} images, none of them as large as the faces "
                f"({height} x {width} pixels); pass photographs without faces."
            )
        features = haar_features(height, width, self.types)
        if len(features) == 0:
            raise ValueError(
                f"faces of {height} x {width} pixels have no features of types {show(self.types)}."
            )
        vary = Augmentation(
            self.mirror, self.copies, self.shift, self.scale, self.rotation, self.brightness
        )
        return Trainer(
            self._plan(seed, len(features), began),
            features,
            vary(stack, np.random.default_rng([seed, 1])),
            vary(held, np.random.default_rng([seed, 2])),
            Backgrounds(images, height, width, self.background_scale_factor, seed),
            given,
            choose(self.n_jobs),
        )

    def _training_hash(self, trainer: Trainer) -> str:
        """A hash of the parameters and images that determine the result of the training."""
        parameters = self.get_params(deep=False) | {"random_state": trainer.plan.seed}
        for name in ("n_jobs", "verbose", "max_time", "max_stages", "max_memory"):
            parameters.pop(name)
        images = (trainer.faces, trainer.held, *trainer.backgrounds.images)
        given = sorted(parameters.items())
        return progress.training_hash(given, *images, trainer.negatives.windows)

    def _plan(self, seed: int, n_features: int, began: float) -> Plan:
        most = self.max_features
        if isinstance(most, (float, np.floating)):
            most = max(1, round(most * n_features))
        known = self.get_params(deep=False)
        own = {
            "max_features": most,
            "keep": int(min(self.max_memory * 2**30, 2**60)),
            "deadline": inf if self.max_time is None else began + self.max_time,
            "seed": seed,
        }
        return Plan(**{f.name: known[f.name] for f in fields(Plan) if f.name not in own}, **own)

    def _train(self, trainer: Trainer, keep: progress.Checkpoint | None) -> str:
        while (reason := trainer.finished() or trainer.stage(self._watch)) is None:
            if keep is not None and not trainer.cut:  # a whole stage can be gone on from
                keep.write(trainer)
            self._say(trainer.latest())
        return reason

    def _watch(self, n: int, detection: float, false_positive: float) -> None:
        if self.verbose and int(self.verbose) > 1:
            self._say(f"  {n} features: {detection:.4f} {false_positive:.4f}")

    def _say(self, text: str) -> None:
        if self.verbose:
            print(text, file=sys.stderr, flush=True)

    def _finish(self, trainer: Trainer, reason: str) -> None:
        self.cascade_: Cascade = trainer.cascade
        self.history_: History = trainer.history
        self.stop_reason_ = reason
        assign(self, {"_origin": fitted_now()})

    # ---------------------------------------------------------------------------------- windows

    def decision_function(self, windows: Any) -> NDArray[np.float64]:
        """The sum of stage margins (score - threshold) of windows; -inf where a stage rejects."""
        check_is_fitted(self, "cascade_")
        cascade = self.cascade_
        stack = grey_windows("windows", windows, (cascade.height, cascade.width))
        if cascade.inset or cascade.has_trees or cascade.has_tilted:  # as only the scanner judges
            passed = [raw(cascade, window)[1] for window in stack]
            return np.array([scores[0] if len(scores) else -inf for scores in passed])
        engine = choose(self.n_jobs)
        margins = scores_of(cascade, stack, engine) - cascade.stage_threshold
        return np.where((margins > 0).all(axis=1), margins.sum(axis=1), -inf)

    def predict(self, windows: Any) -> NDArray[np.int8]:
        """+1 for the windows that pass every stage, -1 for others."""
        return np.where(self.decision_function(windows) > -inf, 1, -1).astype(np.int8)

    # -------------------------------------------------------------------------------- detection

    def detect(
        self,
        image: Any,
        *,
        min_neighbours: int | None = None,
        overlap: float = 0.5,
        scan: Scan | None = None,
        scale_factor: float = 1.1,
        min_size: Any = None,
        max_size: Any = None,
        step: float | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Boxes (left, top, width, height) of faces in an image, and their scores; the best first.

        Windows that pass and overlap by more than ``overlap`` (intersection over union) become one
        box, whose score is the sum of their margins over all stages; those of fewer than
        ``min_neighbours`` windows are left out. An image smaller than the window has none.

        Parameters
        ----------
        image : array or Pillow image
            Grey or colour, whole numbers from 0 to 255, or from 0 to 1 with a point.
        min_neighbours : int, optional
            1 keeps every group, 0 every single window. By default 6, and 3 for cascades of OpenCV,
            whose scan looks at fewer windows.
        overlap : float, default 0.5
        scan : {"features", "pyramid"}, optional
            Scaled features over one integral image, or scaled images as OpenCV's. By default the
            first for cascades trained here and the second for those of OpenCV.
        scale_factor : float, default 1.1
            Steps between sizes.
        min_size, max_size : int or (width, height), optional
            Sizes to look for, in pixels. Where they leave no size at all, a scan of features finds
            nothing; that of a pyramid looks at the size nearest to ``min_size``, as OpenCV does.
        step : float, optional
            Pixels between windows, at the size of the faces of training.
        """
        check_is_fitted(self, "cascade_")
        if min_neighbours is None:
            min_neighbours = 3 if self.cascade_.inset else 6
        return detect(
            self.cascade_,
            image,
            min_neighbours=min_neighbours,
            overlap=overlap,
            scan=scan,
            scale_factor=scale_factor,
            min_size=min_size,
            max_size=max_size,
            step=step,
            threads=resolve_threads(self.n_jobs),
        )

    def score(self, images: Any, boxes: Any, overlap: float = 0.5) -> float:
        """The average precision on images whose true boxes are known: 1 where all are found first.

        ``vision.detection_curve`` tells more.
        """
        found = [self.detect(image, min_neighbours=1) for image in images]
        return detection_curve(
            [places for places, _ in found], [scores for _, scores in found], boxes, overlap
        ).average_precision

    @classmethod
    def from_opencv(cls, path: str | os.PathLike[str]) -> CascadeDetector:
        """The detector in a cascade file of OpenCV 3 or 4 (XML, Haar features).

        Such files do not tell how they were trained: ``history_`` is empty.
        """
        model = cls()
        model.cascade_, model.history_, model.stop_reason_ = read(path), History(), OPENCV
        return model

    def to_opencv(self, path: str | os.PathLike[str]) -> None:
        """Writes the cascade as XML that OpenCV 4 loads, and runs with the same detections."""
        check_is_fitted(self, "cascade_")
        write(self.cascade_, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CascadeDetector:
        """The detector in a file that ``save`` wrote."""
        found = load(path)
        if not isinstance(found, cls):
            raise ValueError(
                f"{os.fspath(path)} holds a {type(found).__name__}, no {cls.__name__}."
            )
        return found


def _share_or_count(value: Any) -> None:
    if value is None or (isinstance(value, (float, np.floating)) and 0 < value <= 1):
        return
    others = "a share above 0.0 and at most 1.0, or None"
    parameters.integer("max_features", value, 1, None, others)
