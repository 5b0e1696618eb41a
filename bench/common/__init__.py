"""What the benchmarks written in Python share."""
