"""Calibrated probabilities, conformal sets and intervals, bounds on the test error."""
