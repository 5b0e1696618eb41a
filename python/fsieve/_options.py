"""Estimator parameters as the options of the command line, which the library reads and checks."""

from __future__ import annotations

import functools
import json
import numbers
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _core

# scikit-learn's words for three options.
_RENAMED = {"random_state": "seed", "n_jobs": "threads", "verbose": "quiet"}


@functools.cache
def table(command: str) -> Mapping[str, Mapping[str, Any]]:
    """The options of a command by parameter name: the long name with underscores, -k as k, --no-equations as equations."""
    for entry in json.loads(_core.options_json())["commands"]:
        if entry["name"] == command:
            options = [option for option in entry["options"] if option["option"]]
            named = {option["option"].lstrip("-").replace("-", "_"): option for option in options}
            return {_positive(name, named): option for name, option in named.items()}
    raise LookupError(command)


def _positive(name: str, named: Mapping[str, Any]) -> str:
    """Switches are said positively here, unless the command line has both words."""
    positive = name.removeprefix("no_")
    return name if positive in named else positive


def texts(command: str, parameters: Mapping[str, Any]) -> dict[str, str]:
    """What a user would have typed; parameters that are None are left to their defaults."""
    given = {}
    for name, value in parameters.items():
        if name in _RENAMED or value is None:
            continue
        option = table(command).get(name) or table("predict")[name]
        text = typed(option, value)
        if text is not None:
            given[option["option"].lstrip("-")] = text
    given["seed"] = str(_seed(parameters.get("random_state")))
    given["threads"] = str(_threads(parameters.get("n_jobs")))
    return given


def typed(option: Mapping[str, Any], value: Any) -> str | None:
    """The value of an option as a user would type it; None: the option is not given."""
    negative = option["option"].startswith("--no-")
    return _text(option["type"], not value if negative else value)


def _text(kind: str, value: Any) -> str | None:
    if kind == "flag":
        return "" if value else None
    if kind == "groups" and isinstance(value, Mapping):
        return "\n".join(f"{name}={_text('globs', columns)}" for name, columns in value.items())
    if kind == "costs" and isinstance(value, Mapping):
        return ",".join(f"{_escaped(name)}={_scalar(cost)}" for name, cost in value.items())
    if kind in ("expressions", "groups"):
        return value if isinstance(value, str) else "\n".join(value)
    if isinstance(value, str) or not isinstance(value, Iterable):
        if kind in ("names", "globs", "texts"):  # one of them, whatever characters it has
            return _escaped(value)
        return _scalar(value)
    if kind in ("names", "globs", "texts"):
        return ",".join(_escaped(part) for part in value)
    return ",".join(
        ":".join(_scalar(part) for part in item) if isinstance(item, (tuple, list)) else _scalar(item)
        for item in value
    )


def _scalar(value: Any) -> str:
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return str(int(value))
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return repr(float(value)).removesuffix(".0")
    return str(value)


def _escaped(value: Any) -> str:
    return _scalar(value).replace(",", "\\,")


def _seed(random_state: Any) -> int:
    """None is the seed 0: the same data give the same answer unless another is asked for."""
    if random_state is None:
        return 0
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return int(random_state.randint(2**31 - 1))


def _threads(n_jobs: int | None) -> int:
    """As scikit-learn counts: None is one (unless a joblib context says more), -1 all cores, -2 all but one."""
    if n_jobs == -1:
        return 0
    if n_jobs is not None and n_jobs > 0:
        return int(n_jobs)
    import joblib

    return max(1, joblib.effective_n_jobs(n_jobs))


def in_python_words(message: str, command: str) -> str:
    """An error of the library, with parameters instead of options in it."""

    def parameter(match: re.Match[str]) -> str:
        name, blank, value = match[1].replace("-", "_"), match[2] or "", (match[3] or "").strip("'")
        positive = name.removeprefix("no_")
        option = table(command).get(positive)
        if option is None:
            return match[0]
        if positive != name:
            return f"{positive}=False{blank}{value}"
        for words, option_name in _RENAMED.items():
            name = words if name == option_name else name
        hint = message[match.end() :].startswith((")", ";"))  # "(to use it: --use id)"
        names = option["type"] in ("names", "globs", "texts") and value and hint
        sized = option["type"] == "size" and value[:1].isdigit()
        quotable = value in option["choices"] or sized or names
        return f'{name}="{value}"' if quotable else name + blank + value

    message = re.sub(r"(?<![\w-])--?([a-z][\w-]*)( ?)('[^']*'|[\w.]*)", parameter, message)
    return message.replace(": missing value", ": missing value (NaN)")
