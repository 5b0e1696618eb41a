"""The parameters of the estimators, each said once: name, type and default.

They are the options of the command line; a test compares them. As dataclasses they give every estimator an ``__init__`` with a
signature of its own, for scikit-learn and for editors. Those of the table stand first among the bases of an estimator, so that
they come last in its signature.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class HiddenParameter:
    """A parameter named as a method that scikit-learn would call if it were an attribute."""

    def __init__(self, default: Any) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self._default
        raise AttributeError(f"the parameter {self._name} is in get_params()[{self._name!r}]")

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self._name] = value


@dataclass(kw_only=True, eq=False, repr=False)
class TableParameters:
    """How the table is read, and how the work is done."""

    exclude: str | list[str] | None = None
    categorical: str | list[str] | None = None
    use: str | list[str] | None = None
    missing: str = "error"
    na: str | float | list[Any] | None = None
    memory: str = "512M"
    random_state: Any = None
    n_jobs: int | None = None
    verbose: bool = False


@dataclass(kw_only=True, eq=False, repr=False)
class UffsParameters:
    """Of ``fsieve reduce``."""

    stages: str | list[Any] = "auto"
    epsilon: float | list[float] = 0.1
    r2: float | list[float] | None = None
    rule: str = "adjusted"
    order: str = "auto"
    relations: bool = False
    max_terms: int = 12
    protect: str | list[str] | None = None
    clusters: float | None = None
    groups: str | None = None
    prune: bool = False
    sample: int | str | None = None
    engine: str = "auto"
    equations: bool = True
    device: str = "auto"


@dataclass(kw_only=True, eq=False, repr=False)
class GreedyParameters:
    """Of ``fsieve reduce --method gfs`` and ``gfa`` alike."""

    k: int | None = field(default=None, kw_only=False)
    family: str = "multilinear:2"
    function: str | list[str] | None = None
    scale: str = "standard"
    constant: bool = True
    engine: str = "auto"
    equations: bool = True
    device: str = "auto"


@dataclass(kw_only=True, eq=False, repr=False)
class GfsParameters(GreedyParameters):
    """Of ``fsieve reduce --method gfs``."""

    epsilon2: float = 0.01


@dataclass(kw_only=True, eq=False, repr=False)
class GfaParameters(GreedyParameters):
    """Of ``fsieve reduce --method gfa``."""

    delta: float = 1e-5


@dataclass(kw_only=True, eq=False, repr=False)
class SffsParameters:
    """Of ``fsieve select``."""

    k: int | str = field(default="auto", kw_only=False)
    depth: int = 2
    search: str = "forward"
    score: str = HiddenParameter("l1")  # a pipeline that ends in a selector has no score
    reduce: str | list[Any] | None = None
    equations: bool = True
    bins: int | None = None
    shape: str = "curve"
    class_weight: str | None = None
    robust: bool = False
    keep: str | list[str] | None = None
    adjust: str | list[str] | None = None
    group: dict[str, Any] | None = None
    cost: dict[str, float] | None = None
    stability: int = 0
    ranking: bool = True
    task: str | None = None
    top: int = 20
    alpha: float = 0.01
    permutations: int = 0
    sample: int | str | None = None
    scan_limit: float = 1e12
    delta: float = 0.05
    folds: int = 5
    device: str = "auto"


@dataclass(kw_only=True, eq=False, repr=False)
class JuntaParameters:
    """Of ``fsieve learn``, and ``unseen`` of ``fsieve predict``."""

    k: int = field(default=2, kw_only=False)
    learner: str = "fourier"
    basis: str | None = None
    search: str = "exhaustive"
    binarize: str | float | None = None
    class_weight: str | dict[Any, float] | None = None
    top: int = 20
    permutations: int = 0
    checkpoint: str | None = None
    unseen: str = "error"
    device: str = "auto"
