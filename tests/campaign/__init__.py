"""Long hunts for wrong answers: each module is a program with counts, and has a short form as a test."""
