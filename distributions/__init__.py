"""Distributions other than ``weaklearn`` that are built from this repository."""
