"""Long hunts for wrong answers: programs that count, each with a short form as a test."""
