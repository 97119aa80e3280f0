"""Provenance, reference histograms, drift, model cards, and predictions for one row."""
