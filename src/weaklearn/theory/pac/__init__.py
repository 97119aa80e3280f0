"""PAC learning: errors, selection bias, structural risk, compression, planning, strong learners."""
