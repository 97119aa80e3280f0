"""Learners of textbook hypothesis classes: thresholds, intervals, rectangles, conjunctions."""
