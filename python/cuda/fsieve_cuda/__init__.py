"""NVIDIA GPUs for fsieve, which finds the library in this folder by itself."""

from pathlib import Path

__all__ = ["library"]


def library() -> Path:
    """Where the library is."""
    return Path(__file__).with_name("libfsieve_cuda.so")
