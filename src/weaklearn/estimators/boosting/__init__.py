"""Estimators that fit by boosting weak learners round by round."""
