"""One cascade in OpenCV 4 and here: python -m benchmarks.opencv_row PHOTOS --opencv PYTHON.

PYTHON is the interpreter of an environment of its own, for instance made by ``python -m venv cv``
and ``cv/bin/pip install 'opencv-python-headless==4.12.*' 'numpy<2.3'``. Both scan every photograph
of the folder with the same cascade file (OpenCV's default face cascade, unless another is named),
one thread each, in turns; what counts is processor time, the best of the turns. Raw detections are
compared rectangle by rectangle.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

# What the other interpreter runs: it answers a line for each line that it is sent.
_PEER = """
import json, sys, time
import numpy as np
import cv2
cv2.setNumThreads(1)
folder, cascade, factor = sys.argv[1], sys.argv[2], float(sys.argv[3])
cascade = cascade or cv2.data.haarcascades + "haarcascade_frontalface_default.xml"
found = cv2.CascadeClassifier(cascade)
images = np.load(folder)
images = [images[name] for name in images]
print(json.dumps([cv2.__version__, cascade]), flush=True)
for line in sys.stdin:
    began = time.process_time()
    boxes = [found.detectMultiScale(i, scaleFactor=factor, minNeighbors=0) for i in images]
    seconds = time.process_time() - began
    print(json.dumps([seconds, [np.array(b).reshape(-1, 4).tolist() for b in boxes]]), flush=True)
"""


class Peer:
    """OpenCV in a process of its own."""

    def __init__(self, python: str, images: Path, cascade: str, factor: float) -> None:
        self._process = subprocess.Popen(
            [python, "-c", _PEER, str(images), cascade, str(factor)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.version, self.cascade = self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            assert self._process.stderr is not None
            told = self._process.stderr.read().strip().splitlines()
            raise RuntimeError(told[-1] if told else "it ended without a word")
        return json.loads(line)

    def turn(self) -> tuple[float, list[list[list[int]]]]:
        """Processor seconds for all images, and the boxes of each."""
        assert self._process.stdin is not None
        print("go", file=self._process.stdin, flush=True)
        seconds, boxes = self._answer()
        return seconds, boxes

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def compared(peer: Peer, images: list[Any], factor: float, turns: int) -> dict[str, Any]:
    """The best time of each, and how many of the lists of rectangles are the same."""
    from weaklearn.vision import opencv
    from weaklearn.vision.scanner import raw

    cascade = opencv.read(peer.cascade)
    ours, theirs = [], []
    boxes: list[Any] = []
    expected: list[Any] = []
    for _ in range(turns):
        began = time.process_time()
        boxes = [raw(cascade, i, scale_factor=factor, scan="pyramid")[0] for i in images]
        ours.append(time.process_time() - began)
        seconds, expected = peer.turn()
        theirs.append(seconds)
    same = [b.tolist() == e for b, e in zip(boxes, expected, strict=True)]
    return {
        "opencv": peer.version,
        "rectangles": sum(len(e) for e in expected),
        "images": len(images),
        "images the same": sum(same),
        "seconds, weaklearn": min(ours),
        "seconds, OpenCV": min(theirs),
        "times as fast": min(theirs) / min(ours),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opencv_row", description=__doc__)
    parser.add_argument("photos", type=Path, help="a folder of photographs")
    parser.add_argument("--opencv", metavar="PYTHON", help="an interpreter that has OpenCV 4")
    parser.add_argument("--cascade", default="", help="an XML file; OpenCV's default face cascade")
    parser.add_argument("--factor", type=float, default=1.1, help="scale factor (default: 1.1)")
    parser.add_argument("--turns", type=int, default=5)
    asked = parser.parse_args()
    if asked.opencv is None:
        print("skipped: name an interpreter that has OpenCV 4 with --opencv PYTHON")
        return 0
    from PIL import Image

    paths = sorted(p for p in asked.photos.iterdir() if p.suffix.lower() in (".jpg", ".png"))
    images = [np.asarray(Image.open(path).convert("L")) for path in paths]
    with tempfile.TemporaryDirectory() as folder:
        np.savez(Path(folder) / "images.npz", *images)
        try:
            peer = Peer(asked.opencv, Path(folder) / "images.npz", asked.cascade, asked.factor)
        except (OSError, RuntimeError) as problem:
            print(f"skipped: {asked.opencv} does not run OpenCV ({problem})")
            return 0
        for name, value in compared(peer, images, asked.factor, asked.turns).items():
            print(f"{name:20} {value:.3f}" if isinstance(value, float) else f"{name:20} {value}")
        peer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
