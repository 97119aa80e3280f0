"""Fitted models as C, Python, ONNX and SQL."""
