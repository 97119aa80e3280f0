"""Certificates as commands print them: with options in their notes, and as JSON."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from typing import Any

from ..base.certificate import Certificate, Certificates
from ..theory.distinct import COPIES
from .fault import in_options


def certified(model: Any, given: dict[str, Any]) -> Certificates:
    """The certificates of a model; without X and y where its ``certify`` takes no weights.

    Their notes name options of the command line. ``repeats`` that is not the usual is refused
    where no statement about the model counts rows.
    """
    known = signature(model.certify).parameters
    if "repeats" in given and "repeats" not in known:
        if given["repeats"] != COPIES:
            raise ValueError(
                f"--repeats {given['repeats']} says nothing to {type(model).__name__}, whose "
                "guarantees count no rows; leave it out."
            )
        given = {key: given[key] for key in given if key != "repeats"}
    if "sample_weight" in given and "sample_weight" not in known:
        given = {key: given[key] for key in given if key not in ("X", "y", "sample_weight")}
    found = model.certify(**given)
    noted = [replace(c, note=in_options(c.note)) for c in found]
    return Certificates(noted, in_options(found.note))


def certificate_record(c: Certificate) -> dict[str, Any]:
    """A certificate as a JSON object."""
    return {
        "id": c.id,
        "statement": c.statement,
        "source": c.source,
        "about": c.about,
        "applies": c.applies,
        "holds": c.holds,
        "vacuous": c.vacuous,
        "observed": c.observed,
        "bound": c.bound,
        "lower": c.lower,
        "delta": c.delta,
        "note": c.note,
        "assumed": list(c.assumed),
    }
