"""A risk model of patients with pneumonia that can be read, and what reading it is good for.

Two things in the hospital's table are not what they seem. Patients with asthma are sent to
intensive care at once and therefore die less often; and where nobody found the time to measure the
blood pressure, 120 was typed in. A model that nobody can read would learn that asthma protects and
that a pressure of 120 is dangerous. Here both are seen in a table or a picture, and mended.
"""

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

from weaklearn import AdditiveBoostingClassifier


def patients(n, seed, *, artefacts):
    """Patients, and who of them died; without artefacts, as another hospital would treat them."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 95, n)
    asthma = rng.random(n) < 0.12
    pressure = rng.normal(128, 20, n).round()
    urea = rng.gamma(3.0, 6.0, n).round(1)
    fever = rng.normal(38.6, 0.8, n).round(1)
    risk = -4.6 + 0.045 * (age - 18) + 0.05 * urea + 0.04 * np.maximum(100 - pressure, 0)
    risk += 0.5 * asthma
    in_a_hurry = rng.random(n) < 0.02 + 0.06 / (1 + np.exp(-risk))
    if artefacts:
        risk -= 2.0 * asthma  # intensive care
        risk += 2.0 * in_a_hurry
        pressure = np.where(in_a_hurry, 120.0, pressure)
    died = rng.random(n) < 1 / (1 + np.exp(-risk))
    table = pd.DataFrame(
        {
            "age": age,
            "asthma": np.where(asthma, "yes", "no"),
            "pressure": pressure,
            "urea": urea,
            "fever": fever,
        }
    )
    return table, np.where(died, "died", "alive")


def loss(model, X, y):
    return log_loss(y, model.predict_proba(X), labels=model.classes_)


X, y = patients(8000, 0, artefacts=True)
X_val, y_val = patients(4000, 1, artefacts=True)
X_else, y_else = patients(4000, 2, artefacts=False)  # another hospital

model = AdditiveBoostingClassifier().fit(X, y)
print(f"What moves the log-odds of {model.classes_[1]}:")
print(model.shapes_)

print("\nAsthma seems to help:")
print(model.shapes_["asthma"].table())

shape = model.shapes_["pressure"]
values, edges = shape.values[:-1], shape.grid.edges
beside = (values[:-2] + values[2:]) / 2
k = 1 + int(np.argmax(shape.counts[1:-2] * np.abs(values[1:-1] - beside)))  # the sharpest bump
print("\nand one pressure to harm:")
for i in range(k - 2, k + 3):
    print(f"{shape.grid.cells[i]:28} {values[i]:6.2f}  ({shape.counts[i]:.0f} patients)")

at = X_val.index[(X_val["pressure"] == 120) & (X_val["asthma"] == "yes")][:1]
print("\nOne patient, explained:")
print(model.explain(X_val.loc[at]))

print("\nMended by hand, and what that costs on this hospital's own patients:")
before = loss(model, X_val, y_val), loss(model, X_else, y_else)
model.edit(
    "pressure", between=(edges[k - 1], edges[k]), flatten=float(beside[k - 1]), X=X_val, y=y_val
)
model.edit("asthma", flatten=0.0, X=X_val, y=y_val)
print(model.edits_)
after = loss(model, X_val, y_val), loss(model, X_else, y_else)
print(f"\nlog-loss here          {before[0]:.4f} -> {after[0]:.4f}")
print(f"log-loss elsewhere     {before[1]:.4f} -> {after[1]:.4f}")

model.undo()
model.undo()
print(f"after two undo()       {loss(model, X_val, y_val):.4f}")

try:
    from weaklearn.show import ShapeFunctionDisplay

    ShapeFunctionDisplay.from_estimator(model).figure_.savefig("shapes.png", dpi=150)
    print("\nshapes.png shows all of it")
except ImportError:
    print('\npictures need matplotlib: pip install ".[plot]"')
